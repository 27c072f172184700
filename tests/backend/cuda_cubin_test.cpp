// Which bytes count as an image for a GPU, before the driver sees them.
#include <gtest/gtest.h>

#include <elf.h>

#include <cstring>

#include "backend/cuda/cubin.hpp"

using namespace glass::jit::cuda;

namespace {

struct parts {
  Elf64_Ehdr header{};
  Elf64_Shdr section[2]{};
};
parts whole(int abi, unsigned flags) {
  parts p;
  std::memcpy(p.header.e_ident, ELFMAG, SELFMAG);
  p.header.e_ident[EI_CLASS] = ELFCLASS64, p.header.e_ident[EI_ABIVERSION] = static_cast<unsigned char>(abi);
  p.header.e_machine = EM_CUDA, p.header.e_flags = flags;
  p.header.e_shoff = sizeof(Elf64_Ehdr), p.header.e_shentsize = sizeof(Elf64_Shdr), p.header.e_shnum = 2;
  p.section[1].sh_type = SHT_PROGBITS, p.section[1].sh_size = sizeof p;
  return p;
}
int architecture(const parts& p, std::size_t bytes = sizeof(parts)) {
  const auto* first = reinterpret_cast<const unsigned char*>(&p);
  return cubin_architecture({first, first + bytes});
}

TEST(cubin, both_encodings_of_the_architecture_are_read) {
  EXPECT_EQ(architecture(whole(7, 0x5a055a)), 90);  // NVRTC 11.8, 12.9
  EXPECT_EQ(architecture(whole(7, 0x570557)), 87);
  EXPECT_EQ(architecture(whole(8, 0x6005a04)), 90);   // NVRTC 13
  EXPECT_EQ(architecture(whole(8, 0x6007802)), 120);  // 12.9 and 13
}

TEST(cubin, what_is_cut_short_or_of_another_machine_is_none) {
  const parts good = whole(8, 0x6005a04);
  EXPECT_EQ(architecture(good, sizeof(parts) - 1), 0);
  EXPECT_EQ(architecture(good, sizeof(Elf64_Ehdr)), 0);
  EXPECT_EQ(architecture(good, 3), 0);
  EXPECT_EQ(architecture(good, 0), 0);
  parts p = good;
  p.header.e_machine = EM_X86_64;
  EXPECT_EQ(architecture(p), 0);
  p = good, p.header.e_ident[1] = 'e';
  EXPECT_EQ(architecture(p), 0);
  p = good, p.header.e_shnum = 3;
  EXPECT_EQ(architecture(p), 0);
  p = good, p.header.e_shoff = ~0ull;
  EXPECT_EQ(architecture(p), 0);
  p = good, p.section[1].sh_size = sizeof p + 1;
  EXPECT_EQ(architecture(p), 0);
  p = good, p.section[1].sh_offset = 8;
  EXPECT_EQ(architecture(p), 0);
  p = good, p.section[1].sh_size = ~0ull - 4, p.section[1].sh_offset = 8;
  EXPECT_EQ(architecture(p), 0) << "the sum wraps around";
  p = good, p.header.e_phnum = 100, p.header.e_phoff = 64;
  EXPECT_EQ(architecture(p), 0);
}

}  // namespace
