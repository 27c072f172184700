// Which of their bodies gemm, syrk and syr2k take where, and their untuned defaults.
#include "catalog/rows/rows.hpp"

namespace glass::jit::rows {
namespace {
// Of the block of C that a warp computes at a time, and how many of them there are.
const std::string block_rows =
    "(TILE==m16n8 || TILE==m16n16 || TILE==m16n48 ? 16 : TILE==m48n24 ? 48 : TILE==m64n32 || TILE==m64n64 ? 64 : "
    "TILE==m96n24 ? 96 : 32)";
const std::string block_cols =
    "(TILE==m16n8 ? 8 : TILE==m16n16 ? 16 : TILE==m16n48 ? 48 : TILE==m64n64 ? 64 : TILE==m32n32 || TILE==m64n32 ? 32 "
    ": 24)";
const std::string blocks =
    "((M+" + block_rows + "-1)/" + block_rows + ")*((N+" + block_cols + "-1)/" + block_cols + ")";
const rule tensor_cores = {"body!=loop && backend==cuda", "arch>=80",
                           "Tensor cores take these numbers from architecture 8.0 on."};
const rule full_rate_f64 = {
    "body!=loop && backend==cuda && MMA==f64", "arch==80 || arch==90 || arch==100 || bytes==8 && arch<=100",
    "Full-rate f64 tensor cores are in the architectures 8.0, 9.0 and 10.0; beyond, products of f64 are emulated."};
const rule whole_warps = {"body!=loop", "scope==warp || scope==block && width/32*32==width",
                          "A product on tensor cores is shared by whole warps."};
}  // namespace

std::vector<tunable> product_tunables() {
  return {{"MMA", {"glass::Mma::f64", "glass::Mma::tf32x3"}},
          {"TILE",
           {"glass::Tile::m16n8", "glass::Tile::m16n16", "glass::Tile::m32n24", "glass::Tile::m32n32",
            "glass::Tile::m16n48", "glass::Tile::m48n24", "glass::Tile::m64n32", "glass::Tile::m96n24",
            "glass::Tile::m64n64"}}};
}
std::vector<rule> product_rules() {
  return {
      thread_product,
      {"body==loop", "MMA==f64 && TILE==m16n8", "The loop uses no tensor cores: MMA and TILE do not matter."},
      tensor_cores,
      full_rate_f64,
      {"body!=loop", "run_time_sizes==0 && M*N*K>0",
       "Blocks for tensor cores need sizes that are constants, at least 1."},
      whole_warps,
      {"MMA==tf32x3", "bytes==4 && K>=16",
       "Three products of short numbers are for f32, and for sums of 16 terms and more."},
      {"TILE==m16n16", "N>8", "The block is larger than C."},
      {"TILE==m32n32", "N>16 && M>16", "The block is larger than C."},
      {"TILE==m64n64 || TILE==m64n32", "M>32 && N>32", "The block is larger than C."},
      {"TILE==m32n24 || TILE==m48n24 || TILE==m96n24", "N/24*24==N", "The block does not divide C."},
      {"TILE==m32n24", "M>16", "The block is larger than C."},
      {"TILE==m48n24 || TILE==m16n48", "M/48*48==M && N/48*48==N", "The block does not divide C."},
      {"TILE==m96n24", "M/96*96==M", "The block does not divide C."},
      {"TILE==m64n64", "MMA==tf32x3", "Sums of 64 x 64 in f64 do not fit the registers of a warp."},
      {"body==direct", "TILE!=m16n48 && TILE!=m96n24 && TILE!=m64n32", "These blocks are for the ring."},
      {"body==direct", "width/32<=" + blocks + " && " + blocks + "<=2*(width/32)",
       "Every warp should have a block of C, and at most two."},
      {"body!=loop && TILE==m16n8", "N<=8", "Blocks of 16 x 8 are for C of at most 8 columns."},
      {"body==ring", "home==global", "The ring is filled from global memory."},
      {"body==ring", "TRANSA==no && TRANSB==no", "The ring takes A and B as they are, not transposed."},
      {"body==ring",
       "TILE==m32n32 ? M/32*32==M && N/32*32==N : TILE==m64n32 ? M/64*64==M && N/32*32==N : TILE==m64n64 ? M/64*64==M "
       "&& N/64*64==N : "
       "TILE==m96n24 || TILE==m16n48 && bytes==8",
       "The ring needs sizes in whole blocks of strips: 32 x 32, 64 x 32, 64 x 64, 96 x 24, or 16 x 48 in f64."},
      {"body==ring", "K*bytes/64*64==K*bytes && K>=128/bytes", "The ring needs whole chunks of k, and at least two."},
      {"body==ring", "width/32==" + blocks, "The ring needs a warp for every block of C."},
      {"body==ring", "pack==1 ? M+N<=384 : pack*(M+N)*(K*bytes>=256 ? 2 : 1)<=384",
       "Two stages of the ring do not fit 48 KB of shared memory."},
  };
}
// In the order of preference; where tensor cores are missing, or slow in f64, the loops at the end are the first legal.
std::vector<usual> product_defaults() {
  const std::string few = "batch<=64 && ";
  return {
      {"N<=4 && M<=4", "scope=tile4 pack=32"},
      {"N<=8 && M<=8 && bytes==4 && M/4*4==M && K/4*4==K", "scope=tile16 pack=16"},
      {"N<=8 && M<=16", "scope=warp pack=4 body=direct"},
      {few + "N<=16 && M<=16", "scope=warp body=direct TILE=m16n16"},
      {few + "N<=32 && M<=32", "scope=block128 body=direct TILE=m16n16"},
      {few + "N==64 && M==64", "scope=block128 body=ring TILE=m32n32"},
      {few + "N<=64 && M<=64", "scope=block256 body=direct TILE=m16n16"},
      {"N<=16 && M<=16", "scope=warp pack=4 body=direct TILE=m16n16"},
      {"N==24 && M<=32", "scope=warp pack=2 body=direct TILE=m32n24"},
      {"N<=32 && M<=32", "scope=warp pack=2 body=direct TILE=m32n32"},
      {"N==48 && M==48 && bytes==8", "scope=block96 body=ring TILE=m16n48"},
      {"N==48 && M==48", "scope=block64 body=direct TILE=m48n24"},
      {"N==64 && M==64", "scope=block128 body=ring TILE=m32n32"},
      {"N==96 && M==96", "scope=block128 body=ring TILE=m96n24"},
      {"N==128 && M==128", "scope=block256 body=ring TILE=m64n32"},
      {"N<=64 && M<=64", "scope=block128 body=direct TILE=m32n32"},
      {"N<=96 && M<=96", "scope=block256 body=direct TILE=m32n32"},
      {"N<=128 && M<=128", "scope=block512 body=direct TILE=m32n32"},
      {"N<=8 && M<=8", "scope=tile8 pack=16"},
      {"N<=16 && M<=16", "scope=tile16 pack=8"},
      {"N<=32 && M<=32", "scope=warp pack=4"},
      {"", "scope=block256 home=shared"},
      {"", "scope=block256"},
  };
}

std::vector<tunable> symmetric_tunables() {
  return {{"MMA", {"glass::Mma::f64", "glass::Mma::tf32x3"}}, {"TILE", {"glass::Tile::m16n16", "glass::Tile::m32n32"}}};
}
std::vector<rule> symmetric_rules(const std::string& thread_terms) {
  const std::string across = "((N+(TILE==m32n32 ? 31 : 15))/(TILE==m32n32 ? 32 : 16))";
  const std::string all = "(" + across + "*(" + across + "+1)/2)";
  return {
      small_thread(thread_terms, "One thread per problem is for few terms."),
      {"body==loop", "MMA==f64 && TILE==m16n16", "The loop uses no tensor cores: MMA and TILE do not matter."},
      tensor_cores,
      full_rate_f64,
      {"body!=loop", "run_time_sizes==0 && N*K>0",
       "Blocks for tensor cores need sizes that are constants, at least 1."},
      whole_warps,
      {"MMA==tf32x3", "bytes==4 && K>=16",
       "Three products of short numbers are for f32, and for sums of 16 terms and more."},
      {"TILE==m32n32", "N>16", "The block is larger than C."},
      {"body==direct", "width/32<=" + all + " && " + all + "<=3*(width/32)",
       "Every warp should have a block of the triangle, and at most three."},
  };
}
std::vector<usual> symmetric_defaults() {
  std::vector<usual> all;
  const auto add = [&](const std::string& when, const std::string& placement) {
    all.push_back({"bytes==4 && K>=16 && arch>=80 && " + when, placement + " MMA=tf32x3"});
    all.push_back({when, placement});
  };
  const std::string few = "batch<=64 && ";
  add("N>8 && N<=16 && K>8", "scope=warp pack=4 body=direct");
  add(few + "N>16 && N<=32 && K>8", "scope=block96 body=direct");
  add(few + "N>32 && N<=48 && K>8", "scope=block192 body=direct");
  add(few + "N>48 && N<=64 && K>8", "scope=block320 body=direct");
  add("N>16 && N<=32 && K>8", "scope=warp pack=2 body=direct TILE=m32n32");
  add("N>32 && N<=64 && K>8", "scope=block96 body=direct TILE=m32n32");
  add("N>64 && N<=96 && K>8", "scope=block192 body=direct TILE=m32n32");
  add("N>96 && N<=128 && K>8", "scope=block320 body=direct TILE=m32n32");
  return all;
}

}  // namespace glass::jit::rows
