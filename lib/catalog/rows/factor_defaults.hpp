// Which placements the factorisations take where nothing was measured: the first that is legal.
#pragma once
#include <string>
#include <vector>

#include "catalog/rows/rows.hpp"

namespace glass::jit::rows {

// What was best on an H200, one problem or 64 of them, and 8192. Where tensor cores, or one right-hand side, are
// missing, the next that is legal.
inline std::vector<usual> cholesky_defaults(const usual& few_to_32, const usual& tiny, const usual& f32_to_64) {
  return {{"batch<=256 && bytes==4 && N>8 && N<=16", "scope=tile16 pack=2 body=rows"},
          {"batch<=256 && N<=24", "scope=tile8 pack=4 body=rows"},
          few_to_32,
          {"batch<=256 && bytes==4 && N<=32", "scope=warp pack=1 body=rows"},
          {"batch<=256 && N>32 && N<=64", "scope=warp pack=1 body=regs"},
          {"batch<=256 && N>64 && N<=96", "scope=block96 pack=1 body=regs"},
          {"batch<=256 && N>112", "scope=block256 pack=1 body=regs"},
          {"batch<=256 && bytes==4 && N>96", "scope=block128 pack=1 body=regs"},
          {"batch<=256 && N<=(bytes==4 ? 48 : 32)", "scope=tile16 pack=2 body=rows"},
          {"batch<=256 && N<=64", "scope=warp pack=1 body=rows"},
          {"batch<=256 && N<=96", "scope=block128 pack=1 body=left"},
          {"batch<=256", "scope=block256 pack=1 body=whole"},
          {"batch<=256", "scope=block256 pack=1 body=left"},
          tiny,
          {"N<=6", "scope=tile4 pack=32 body=rows"},
          {"bytes==8 && N>8 && N<=12", "scope=tile4 pack=32 body=rows"},
          {"N<=12", "scope=tile8 pack=16 body=rows"},
          {"N<=24", "scope=tile8 pack=8 body=rows"},
          {"N<=32", "scope=tile16 pack=2 body=rows"},
          {"bytes==4 && N<=48", "scope=tile16 pack=2 body=rows"},
          f32_to_64,
          {"N<=64", "scope=warp pack=1 body=left"},
          {"bytes==4 && N<=96", "scope=block64 pack=1 body=left"},
          {"bytes==4", "scope=block128 pack=1 body=left"},  // a fifth of the time to compile, a twentieth slower
          {"bytes==4", "scope=block128 pack=1 body=regs"},
          {"N<=96", "scope=block96 pack=1 body=left"},
          {"", "scope=block128 pack=1 body=whole"},
          {"", "scope=block128 pack=1 body=left"}};
}
// One row a lane: of few problems the whole warp, which finds pivots in two or three instructions and compiles best.
inline std::vector<usual> lu_defaults(const std::string& in_tiles_of_16) {
  return {{"batch<=256 && N>8 && N<=32", "scope=warp pack=1 body=fragment"},
          {"batch<=256 && N>4 && N<=8", "scope=tile8 pack=4 body=fragment"},
          {"N<=4", "scope=tile4 pack=32 body=fragment"},
          {"N<=8", "scope=tile8 pack=16 body=fragment"},
          {in_tiles_of_16, "scope=tile16 pack=8 body=fragment"},
          {"N<=32", "scope=warp pack=4 body=fragment"}};
}
// In groups of steps where those are legal (bench_axis inv --axis body).
inline std::vector<usual> inverse_defaults() {
  std::vector<usual> all = {{"batch<=256 && N>=16", "scope=warp pack=1 body=rolled"},
                            {"N>=16 && N<=20", "scope=tile16 pack=8 body=rolled"},
                            {"N>=16 && N<=32", "scope=warp pack=4 body=rolled"},
                            {"N>=16", "scope=warp pack=2 body=rolled"}};
  const std::vector<usual> others = lu_defaults("bytes==4 && N<=16");
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace glass::jit::rows
