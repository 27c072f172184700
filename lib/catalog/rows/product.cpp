// Which of their bodies gemm, syrk and syr2k take where, and their untuned defaults.
#include "catalog/rows/rows.hpp"

namespace glass::jit::rows {
namespace {
// Of the block of C that a warp computes at a time, and how many of them there are.
const std::string block_rows =
    "(TILE==m16n8 || TILE==m16n16 || TILE==m16n32 || TILE==m16n48 ? 16 : TILE==m48n24 ? 48 : TILE==m64n32 || "
    "TILE==m64n64 ? 64 : TILE==m96n24 || TILE==m96n48 ? 96 : 32)";
const std::string block_cols =
    "(TILE==m16n8 ? 8 : TILE==m16n16 ? 16 : TILE==m32n24 || TILE==m48n24 || TILE==m96n24 ? 24 : TILE==m16n48 || "
    "TILE==m32n48 || TILE==m96n48 ? 48 : TILE==m32n64 || TILE==m64n64 ? 64 : 32)";
const std::string blocks =
    "((M+" + block_rows + "-1)/" + block_rows + ")*((N+" + block_cols + "-1)/" + block_cols + ")";
std::string divides(const std::string& a, const std::string& b) { return "(" + b + ")/" + a + "*" + a + "==" + b; }
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
           {"glass::Tile::m16n8", "glass::Tile::m16n16", "glass::Tile::m16n32", "glass::Tile::m16n48",
            "glass::Tile::m32n24", "glass::Tile::m32n32", "glass::Tile::m32n48", "glass::Tile::m32n64",
            "glass::Tile::m48n24", "glass::Tile::m64n32", "glass::Tile::m64n64", "glass::Tile::m96n24",
            "glass::Tile::m96n48"}}};
}
// The product of cuBLASDx: of one problem a block.
library_call product_call() {
  library_call c;
  c.library = "cublasdx", c.function = "mm", c.sizes = {"M", "N", "K"};
  c.transposed = "TRANSA==yes", c.transposed_b = "TRANSB==yes", c.several = false;
  return c;
}
// Products on tensor cores of blocks of C, each number a sum of `terms`.
std::vector<rule> direct_rules(const rule& of_a_thread, const std::string& terms) {
  return {
      of_a_thread,
      {"body==loop", "MMA==f64 && TILE==m16n8", "The loop uses no tensor cores: MMA and TILE do not matter."},
      tensor_cores,
      full_rate_f64,
      {"body!=loop", "run_time_sizes==0 && M*N*" + terms + ">0",
       "Blocks for tensor cores need sizes that are constants, at least 1."},
      whole_warps,
      {"body!=loop", "home==global", "Tensor cores are fed from global memory: staging would be a copy more."},
      {"MMA==tf32x3", "bytes==4 && " + terms + ">=16",
       "Three products of short numbers are for f32, and for sums of 16 terms and more."},
      {"body!=loop && " + block_rows + ">16", "2*M>" + block_rows, "The block is larger than C."},
      {"body!=loop && " + block_cols + ">8", "2*N>" + block_cols, "The block is larger than C."},
      {"body!=loop && (" + block_cols + "==24 || " + block_cols + "==48)", divides(block_cols, "N"),
       "The block does not divide C."},
      {"TILE==m48n24 || TILE==m96n24 || TILE==m96n48", divides(block_rows, "M"), "The block does not divide C."},
      {"body!=loop && TILE==m16n8", "N<=16", "Blocks of 16 x 8 are for C of at most 16 columns."},
      {"TILE==m64n64 || TILE==m96n48", "MMA==tf32x3",
       "Sums of so many numbers in f64 do not fit the registers of a warp."},
      {"body==direct", "TILE!=m96n24 && TILE!=m96n48 && TILE!=m64n64", "These blocks are for the ring."},
      {"body==direct && TILE==m64n32", "MMA==tf32x3", "What is loaded at once and the sums do not fit the registers."},
      {"body==direct", "width/32<=" + blocks + " && " + blocks + "<=2*(width/32)",
       "Every warp should have a block of C, and at most two."},
  };
}
std::vector<rule> product_rules() {
  std::vector<rule> all = direct_rules(thread_product, "K");
  all.insert(
      all.end(),
      {
          {"body==ring || body==stream", "TRANSA==no && TRANSB==no",
           "The ring takes A and B as they are, not transposed."},
          {"body==ring || body==stream",
           block_rows + "*" + block_cols + ">=768 && " + divides("128", block_rows + "*bytes"),
           "The ring needs blocks of whole strips, and not too small."},
          {"body==ring || body==stream", divides(block_rows, "M") + " && " + divides(block_cols, "N"),
           "The block does not divide C."},
          {"body==ring", divides("64", "K*bytes") + " && K>=128/bytes",
           "The ring needs whole chunks of k, and at least two."},
          {"body==ring || body==stream", "width/32==" + blocks, "The ring needs a warp for every block of C."},
          {"body==ring", "pack==1 ? M+N<=384 : pack*(M+N)*(K*bytes>=256 ? 2 : 1)<=384",
           "Two stages of the ring do not fit 48 KB of shared memory."},
          {"body==stream", "scope==block && bytes==8", "A stream is for blocks, and for f64: in f32 a ring is faster."},
          {"body==stream", "K/32*32==K && K>=64", "A stream needs chunks of 32 k, and at least two."},
      });
  return all;
}
// Two stages of 32 k of A and B in f64, columns of A padded to 128 bytes (gemm_ring.cuh).
std::string product_exchange() {
  const std::string stages = "2*(32*((M*bytes/16+7)/8*8)+N*2*bytes)*16";
  return "body==stream && " + stages + ">49152 ? " + stages + " : 0";
}
// In the order of preference; where tensor cores are missing, or slow in f64, the loops at the end are the first legal.
std::vector<usual> product_defaults() {
  std::vector<usual> all;
  // Products of f32 as three of short numbers, or in f64, which is as fast where little is multiplied.
  const auto add = [&](const std::string& when, std::initializer_list<const char*> singles,
                       std::initializer_list<const char*> doubles) {
    for (const char* s : singles) all.push_back({"bytes==4 && " + when, s});
    for (const char* s : doubles) all.push_back({"bytes==8 && " + when, s});
  };
  const std::string one = "batch<=64 && ", many = "batch>64 && ";
  all.push_back({"N<=4 && M<=4", "scope=tile4 pack=32"});
  all.push_back({"N<=8 && M<=8 && bytes==4 && M/4*4==M && K/4*4==K", "scope=tile16 pack=16"});
  all.push_back({"N<=8 && M<=16", "scope=warp pack=4 body=direct"});
  add(one + "N<=16 && M<=16 && N>8",
      {"scope=warp body=direct TILE=m16n16", "scope=block64 body=direct",
       "scope=warp body=direct TILE=m16n16 MMA=tf32x3"},
      {"scope=block64 body=direct", "scope=warp body=direct TILE=m16n16"});
  add(many + "N<=16 && M<=16 && N>8",
      {"scope=warp pack=4 body=direct TILE=m16n16", "scope=warp pack=4 body=direct TILE=m16n16 MMA=tf32x3",
       "scope=warp pack=2 body=direct TILE=m16n16"},
      {"scope=block64 body=direct", "scope=warp pack=4 body=direct TILE=m16n16", "scope=warp pack=4 body=direct"});
  add(one + "(N>16 || M>16) && N<=32 && M<=32",
      {"scope=block128 body=direct TILE=m16n16", "scope=block128 body=direct TILE=m16n16 MMA=tf32x3",
       "scope=block64 body=direct TILE=m16n32 MMA=tf32x3"},
      {"scope=block64 body=direct TILE=m16n32", "scope=block128 body=direct TILE=m16n16"});
  add(many + "N==24 && M<=32",
      {"scope=warp pack=2 body=direct TILE=m32n24 MMA=tf32x3", "scope=warp pack=2 body=direct TILE=m32n24",
       "scope=warp pack=4 body=direct TILE=m32n24"},
      {"scope=warp pack=4 body=direct TILE=m32n24", "scope=warp pack=2 body=direct TILE=m32n24"});
  add(many + "(N>16 || M>16) && N<=32 && M<=32",
      {"scope=block64 body=direct TILE=m16n32 MMA=tf32x3", "scope=warp pack=2 body=direct TILE=m32n32 MMA=tf32x3",
       "scope=block128 body=direct TILE=m16n16 MMA=tf32x3", "scope=warp pack=2 body=direct TILE=m32n32"},
      {"scope=warp pack=2 body=direct TILE=m32n32", "scope=block128 body=direct TILE=m16n16",
       "scope=block64 body=direct TILE=m16n32"});
  add(one + "(N>32 || M>32) && N<=48 && M<=48",
      {"scope=block288 body=direct TILE=m16n16 MMA=tf32x3", "scope=block288 body=direct TILE=m16n16"},
      {"scope=block288 body=direct TILE=m16n16", "scope=block96 body=ring TILE=m16n48"});
  add(many + "N==48 && M==48",
      {"scope=block64 body=direct TILE=m48n24 MMA=tf32x3", "scope=block96 body=direct TILE=m16n48 MMA=tf32x3",
       "scope=block64 body=direct TILE=m48n24"},
      {"scope=block96 body=ring TILE=m16n48", "scope=block64 body=direct TILE=m48n24",
       "scope=block96 body=direct TILE=m16n48"});
  add(one + "(N>48 || M>48) && N<=64 && M<=64",
      {"scope=block128 body=ring TILE=m32n32 MMA=tf32x3", "scope=block512 body=direct TILE=m16n16 MMA=tf32x3",
       "scope=block256 body=direct TILE=m16n32 MMA=tf32x3"},
      {"scope=block128 body=direct TILE=m32n32", "scope=block512 body=direct TILE=m16n16",
       "scope=block256 body=direct TILE=m16n32", "scope=block128 body=ring TILE=m32n32"});
  add(many + "(N>48 || M>48) && N<=64 && M<=64",
      {"scope=block64 body=ring TILE=m64n32 MMA=tf32x3", "scope=block128 body=ring TILE=m32n32 MMA=tf32x3",
       "scope=block128 body=direct TILE=m32n32 MMA=tf32x3", "scope=block64 body=ring TILE=m32n64 MMA=tf32x3",
       "scope=block128 body=direct TILE=m32n32"},
      {"scope=block128 body=ring TILE=m32n32", "scope=block64 body=direct TILE=m32n64",
       "scope=block128 body=direct TILE=m32n32"});
  add(one + "(N>64 || M>64) && N<=96 && M<=96",
      {"scope=block192 body=ring TILE=m32n48 MMA=tf32x3", "scope=block576 body=direct TILE=m16n32 MMA=tf32x3",
       "scope=block288 body=ring TILE=m32n32 MMA=tf32x3", "scope=block288 body=direct TILE=m32n32 MMA=tf32x3",
       "scope=block384 body=direct TILE=m16n48 MMA=tf32x3"},
      {"scope=block576 body=direct TILE=m16n32", "scope=block288 body=ring TILE=m32n32",
       "scope=block288 body=direct TILE=m32n32", "scope=block192 body=ring TILE=m32n48"});
  add(many + "(N>64 || M>64) && N<=96 && M<=96",
      {"scope=block64 body=ring TILE=m96n48 MMA=tf32x3", "scope=block192 body=ring TILE=m32n48 MMA=tf32x3",
       "scope=block288 body=direct TILE=m32n32 MMA=tf32x3", "scope=block128 body=ring TILE=m96n24 MMA=tf32x3",
       "scope=block256 body=direct TILE=m48n24 MMA=tf32x3", "scope=block288 body=direct TILE=m32n32"},
      {"scope=block192 body=ring TILE=m32n48", "scope=block128 body=ring TILE=m96n24",
       "scope=block192 body=direct TILE=m32n48", "scope=block256 body=ring TILE=m48n24",
       "scope=block288 body=direct TILE=m32n32"});
  add(one + "(N>96 || M>96) && N<=128 && M<=128",
      {"scope=block256 body=ring TILE=m64n32 MMA=tf32x3", "scope=block512 body=ring TILE=m32n32 MMA=tf32x3",
       "scope=block1024 body=direct TILE=m16n32 MMA=tf32x3", "scope=block512 body=direct TILE=m32n32 MMA=tf32x3"},
      {"scope=block1024 body=direct TILE=m16n32", "scope=block512 body=ring TILE=m32n32",
       "scope=block512 body=direct TILE=m32n32", "scope=block256 body=ring TILE=m64n32"});
  // The copies of one problem beside the products of the one before.
  add("batch>1024 && (N>96 || M>96) && N<=128 && M<=128", {}, {"scope=block256 pack=8 body=stream TILE=m64n32"});
  add(many + "(N>96 || M>96) && N<=128 && M<=128",
      {"scope=block128 body=ring TILE=m64n64 MMA=tf32x3", "scope=block256 body=ring TILE=m64n32 MMA=tf32x3",
       "scope=block256 body=ring TILE=m32n64 MMA=tf32x3", "scope=block256 body=direct TILE=m64n32 MMA=tf32x3",
       "scope=block512 body=ring TILE=m32n32 MMA=tf32x3", "scope=block512 body=direct TILE=m32n32"},
      {"scope=block256 body=ring TILE=m64n32", "scope=block256 body=ring TILE=m32n64",
       "scope=block512 body=ring TILE=m32n32", "scope=block256 body=direct TILE=m32n64",
       "scope=block512 body=direct TILE=m32n32"});
  all.push_back({"N<=8 && M<=8", "scope=tile8 pack=16"});
  all.push_back({"N<=16 && M<=16", "scope=tile16 pack=8"});
  all.push_back({"N<=32 && M<=32", "scope=warp pack=4"});
  all.push_back({"", "scope=block256 home=shared"});
  all.push_back({"", "scope=block256"});
  return all;
}
// Of symm, whose left factor is read element by element.
std::vector<usual> symm_defaults() {
  const std::string one = "batch<=64 && ", many = "batch>64 && ", to_16 = "M<=16 && N<=16", to_32 = "M<=32 && N<=32",
                    to_64 = "M<=64 && N<=64", to_128 = "M<=128 && N<=128";
  return {{to_16, "scope=warp pack=4 body=direct TILE=m16n16"},
          {one + to_32, "scope=block128 body=direct TILE=m16n16"},
          {many + to_32 + " && bytes==4", "scope=block64 body=direct TILE=m16n32"},
          {many + to_32, "scope=warp pack=2 body=direct TILE=m32n32"},
          {to_32 + " && bytes==4", "scope=block64 body=direct TILE=m16n32 MMA=tf32x3"},
          {to_64 + " && bytes==4", "scope=block128 body=direct TILE=m32n32 MMA=tf32x3"},
          {to_64, "scope=block128 body=direct TILE=m32n32"},
          {to_128 + " && bytes==4", "scope=block256 body=direct TILE=m64n32 MMA=tf32x3"},
          {to_128, "scope=block256 body=direct TILE=m32n64"},
          {to_128, "scope=block512 body=direct TILE=m32n32"}};
}
std::vector<tunable> symmetric_tunables() {
  return {{"MMA", {"glass::Mma::f64", "glass::Mma::tf32x3"}}, {"TILE", {"glass::Tile::m16n16", "glass::Tile::m32n32"}}};
}
// Of a symmetric result of `order` rows, each number a sum of `terms`.
std::vector<rule> symmetric_rules(const std::string& thread_terms, const std::string& order, const std::string& terms) {
  const std::string across = "((" + order + "+(TILE==m32n32 ? 31 : 15))/(TILE==m32n32 ? 32 : 16))";
  const std::string all = "(" + across + "*(" + across + "+1)/2)";
  return {
      small_thread(thread_terms, "One thread per problem is for few terms."),
      {"body==loop", "MMA==f64 && TILE==m16n16", "The loop uses no tensor cores: MMA and TILE do not matter."},
      tensor_cores,
      full_rate_f64,
      {"body!=loop", "run_time_sizes==0 && " + order + "*" + terms + ">0",
       "Blocks for tensor cores need sizes that are constants, at least 1."},
      whole_warps,
      {"MMA==tf32x3", "bytes==4 && " + terms + ">=16",
       "Three products of short numbers are for f32, and for sums of 16 terms and more."},
      {"TILE==m32n32", order + ">16", "The block is larger than C."},
      {"body==direct", "width/32<=" + all + " && " + all + "<=3*(width/32)",
       "Every warp should have a block of the triangle, and at most three."},
  };
}
std::vector<usual> symmetric_defaults(const std::string& order, const std::string& terms) {
  std::vector<usual> all;
  const auto add = [&](const std::string& when, int least, int most, const std::string& placement) {
    const std::string here = when + order + ">" + std::to_string(least) + " && " + order + "<=" + std::to_string(most) +
                             " && " + terms + ">8";
    all.push_back({"bytes==4 && " + terms + ">=16 && arch>=80 && " + here, placement + " MMA=tf32x3"});
    all.push_back({here, placement});
  };
  const std::string few = "batch<=64 && ";
  add("", 8, 16, "scope=warp pack=4 body=direct");
  add(few, 16, 32, "scope=block96 body=direct");
  add(few, 32, 48, "scope=block192 body=direct");
  add(few, 48, 64, "scope=block320 body=direct");
  add("", 16, 32, "scope=warp pack=2 body=direct TILE=m32n32");
  add("", 32, 64, "scope=block96 body=direct TILE=m32n32");
  add("", 64, 96, "scope=block192 body=direct TILE=m32n32");
  add("", 96, 128, "scope=block320 body=direct TILE=m32n32");
  return all;
}

}  // namespace glass::jit::rows
