// e_flags of a cubin: with ELF ABI version 7 (NVRTC 11 and 12, up to sm_90) the architecture is the low byte; with
// version 8 (NVRTC 13, and 12.x for sm_100 and later) it is bits 8 … 23. Seen with 11.8, 12.9, 13.0 and 13.5.
#include "cubin.hpp"

#include <elf.h>

#include <cstring>

namespace glass::jit::cuda {

int cubin_architecture(const std::vector<unsigned char>& bytes) {
  Elf64_Ehdr header;
  if (bytes.size() < sizeof header) return 0;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_machine != EM_CUDA)
    return 0;
  const std::size_t size = bytes.size();
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shnum == 0 || header.e_shoff > size ||
      header.e_shnum > (size - header.e_shoff) / sizeof(Elf64_Shdr)) {
    return 0;
  }
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, bytes.data() + header.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type == SHT_NOBITS) continue;
    if (section.sh_offset > size || section.sh_size > size - section.sh_offset) return 0;
  }
  if (header.e_phnum != 0 && (header.e_phoff > size || header.e_phnum > (size - header.e_phoff) / sizeof(Elf64_Phdr)))
    return 0;
  return header.e_ident[EI_ABIVERSION] >= 8 ? int(header.e_flags >> 8 & 0xffff) : int(header.e_flags & 0xff);
}

bool runs_on(int image, int device) {
  if (image == device) return image != 0;
  for (const int board : {53, 62, 72, 87, 88, 101, 110}) {
    if (image == board || device == board) return false;
  }
  return image / 10 == device / 10 && image < device;
}

}  // namespace glass::jit::cuda
