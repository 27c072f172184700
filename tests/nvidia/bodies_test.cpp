// Every body of NVIDIA's libraries compiles, links and leaves nothing undefined, for sm_80, sm_90 and sm_120: a sample
// that meets every row, both types and all targets; with GLASS_SLOW_TESTS the whole product. Products take ten seconds
// each: one.
#include <elf.h>

#include <cstring>

#include "base/text.hpp"
#include "build/build.hpp"
#include "glass/jit/runtime.hpp"
#include "gpu/rows.hpp"
#include "nvidia_fixture.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

device_description gpu(int architecture) {
  device_description d;
  d.id = "cuda:0", d.backend = "cuda", d.name = "described", d.target = "sm_" + std::to_string(architecture);
  d.sm_count = 100, d.shared_per_block_optin = 99 << 10, d.shared_per_sm = 100 << 10;
  return d;
}

// Of a cubin: the names that no section defines.
std::vector<std::string> undefined_in(const std::vector<unsigned char>& cubin) {
  std::vector<std::string> names;
  Elf64_Ehdr header;
  if (cubin.size() < sizeof header) return {"no cubin"};
  std::memcpy(&header, cubin.data(), sizeof header);
  const auto section = [&](unsigned k) {
    Elf64_Shdr s;
    std::memcpy(&s, cubin.data() + header.e_shoff + k * header.e_shentsize, sizeof s);
    return s;
  };
  for (unsigned k = 0; k < header.e_shnum; ++k) {
    const Elf64_Shdr table = section(k);
    if (table.sh_type != SHT_SYMTAB) continue;
    const Elf64_Shdr strings = section(table.sh_link);
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, cubin.data() + table.sh_offset + at, sizeof symbol);
      const char* name = reinterpret_cast<const char*>(cubin.data()) + strings.sh_offset + symbol.st_name;
      if (symbol.st_shndx == SHN_UNDEF && *name != '\0' && ELF64_ST_BIND(symbol.st_info) != STB_WEAK)
        names.push_back(name);
    }
  }
  return names;
}

// Sizes that all differ, and the `turn`-th of the options' combinations.
problem problem_of(const operation_description& d, scalar_type type, std::size_t turn) {
  problem p;
  const auto names = test::sizes_of(d);
  for (std::size_t i = 0; i < names.size(); ++i) p.sizes[names[i]] = 12 + int(names.size() - i);
  for (const auto& o : d.options)
    p.options[o.name] = last_name(o.values[turn % o.values.size()]), turn /= o.values.size();
  p.type = type, p.batch = 1024;
  return p;
}

void compiles(const operation_description& d, const problem& request, int architecture, const std::string& where) {
  const bound_problem p = bind(d, request, true);
  const candidate c = examine(p, gpu(architecture), placement::parse(where));
  SCOPED_TRACE(p.text() + " " + c.placement.text() + " sm_" + std::to_string(architecture));
  ASSERT_EQ(c.illegal, "");
  try {
    cuda::toolchain tools(architecture, 0);
    const source s = assemble(p, c.placement);
    ASSERT_FALSE(s.functions.empty());
    const image made = tools.compile(s);
    EXPECT_TRUE(tools.plausible(made.bytes));
    EXPECT_EQ(undefined_in(made.bytes), std::vector<std::string>{});
    EXPECT_LT(made.bytes.size(), 512u << 10);  // code, not what the library compiles with
  } catch (const error& e) { ADD_FAILURE() << e.what() << "\n" << e.log(); }
}

bool is_product(const operation_description& d) { return d.calls.at(0).library == "cublasdx"; }

class bodies : public with_nvidia, public ::testing::WithParamInterface<std::string> {};

TEST_P(bodies, compile_and_link) {
  const operation_description& d = find_operation(GetParam());
  if (is_product(d)) {  // the text alone; one product is made below
    const bound_problem p = bind(d, problem_of(d, f64, 1), true);
    const auto compiler = cuda::toolchain(90, 0).chosen();
    const source s = assemble(p, placement::parse("scope=block64 home=shared body=nvidia"));
    try {
      compiler->compile(s, 90, cuda::nvrtc::result::for_linking);
    } catch (const error& e) { ADD_FAILURE() << e.what() << "\n" << e.log(); }
    return;
  }
  std::size_t turn = d.name.size();  // another target for each row
  const int targets[] = {80, 90, 120};
#ifdef GLASS_SLOW_TESTS
  std::size_t choices = 1;
  for (const auto& o : d.options) choices *= o.values.size();
  for (std::size_t k = 0; k < choices; ++k)
    for (const int target : targets)
      for (const scalar_type t : {f32, f64})
        for (const char* where :
             {"scope=block32 pack=2 home=shared body=nvidia", "scope=block128 home=shared body=nvidia"})
          compiles(d, problem_of(d, t, k), target, where);
#else
  compiles(d, problem_of(d, f32, turn), targets[turn % 3], "scope=block64 home=shared body=nvidia");
  compiles(d, problem_of(d, f64, turn + 1), targets[(turn + 1) % 3], "scope=block32 pack=2 home=shared body=nvidia");
#endif
}

std::vector<std::string> rows_with_calls() {
  std::vector<std::string> all;
  for (const auto& d : operations())
    if (has_library_body(d) && !uses_cub(d)) all.push_back(d.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(catalog, bodies, ::testing::ValuesIn(rows_with_calls()),
                         [](const auto& info) { return info.param; });

class products : public with_nvidia {};

TEST_F(products, compile_and_link) {
  const auto& d = find_operation("gemm");
#ifdef GLASS_SLOW_TESTS
  for (const int target : {80, 90, 120})
    for (const scalar_type t : {f32, f64})
      for (std::size_t turn = 0; turn < 4; ++turn)
        compiles(d, problem_of(d, t, turn), target, "scope=block128 home=shared body=nvidia");
#else
  compiles(d, problem_of(d, f32, 1), 90, "scope=block64 home=shared body=nvidia");
#endif
}

class blocks : public with_nvidia {};

TEST_F(blocks, are_suggested_without_compiling) {
  cuda::toolchain tools(90, 0);
  for (const std::string& name : rows_with_calls()) {
    const bound_problem p = bind(find_operation(name), problem_of(find_operation(name), f32, 0), true);
    for (const library_function& f : library_functions(p, placement::parse("scope=block32 home=shared body=nvidia"))) {
      const block_shape block = tools.suggested_block(f);
      EXPECT_GE(block.threads, 32) << f.text();
      EXPECT_LE(block.threads, 1024) << f.text();
      EXPECT_GE(block.batches, 1) << f.text();
    }
  }
}

TEST_F(blocks, with_too_little_to_work_in_are_refused) {
  problem request;
  request.sizes["N"] = 8;
  const bound_problem p = bind(find_operation("syev"), request, true);
  try {
    cuda::toolchain(90, 0).compile(assemble(p, placement::parse("scope=block128 home=shared body=nvidia")));
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::compile_failed);
    EXPECT_NE(e.message().find("numbers to work in"), std::string::npos) << e.message();
  }
}

TEST_F(blocks, what_the_library_does_not_have_is_its_own_sentence) {
  library_function f;
  f.library = "cusolverdx", f.name = "posv", f.symbol = "f", f.sizes = {0, 0, 1}, f.threads = 64;  // of nothing
  try {
    cuda::toolchain(90, 0).libraries().functions->generate(f, 90);
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::compile_failed);
    EXPECT_NE(e.message().find("cuSOLVERDx does not make posv 0x0x1"), std::string::npos) << e.message();
    EXPECT_NE(e.message().find("its sizes are refused"), std::string::npos) << e.message();
  }
}

}  // namespace
}  // namespace glass::jit
