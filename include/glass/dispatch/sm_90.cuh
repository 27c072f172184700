// What was fastest on sm_90: 111 decisions. Written by `glass table --arch sm_90`; do not edit.
// device    cuda sm_90 sm=132 shared=233472/232448 l2=62914560 bus=6016 mig=- integrated=0, limit=700W
// driver    580.159.04 (CUDA 13.0)
// compiler  nvrtc 13.0.88
// measured  2026-11-30, graph
// A line: sizes, options, bytes of the type, batch class, {scope, width, problems a block, home, body, {tunables}},
// ns a problem, ns of the untuned placement.
// clang-format off
#pragma once
#include <glass/dispatch/choose.cuh>
namespace glass::dispatch {
template <>
inline constexpr bool has_table<90> = true;
template <>
struct table<90, op::dot> {  // N; SUM
  template <class F>
  GLASS_CONSTANT static constexpr void each(F& f) {
    constexpr decision lines[] = {
      {{8}, {word::fast}, 4, 1, {word::thread, 1, 32, word::global, word::none}, 945.5, 1062},
      {{8}, {word::fast}, 4, 16384, {word::thread, 1, 64, word::global, word::none}, 0.1493, 0.1752},
      {{16}, {word::fast}, 4, 1, {word::thread, 1, 64, word::global, word::none}, 971.7, 1053},
      {{16}, {word::fast}, 4, 16384, {word::tile8, 8, 16, word::global, word::none}, 0.1755, 0.1894},
      {{32}, {word::fast}, 4, 1, {word::tile8, 8, 4, word::global, word::none}, 1154, 1154},
      {{32}, {word::fast}, 4, 16384, {word::tile8, 8, 16, word::global, word::none}, 0.2157, 0.2157},
      {{64}, {word::fast}, 4, 1, {word::tile16, 16, 2, word::global, word::none}, 1261, 1261},
      {{64}, {word::fast}, 4, 16384, {word::tile16, 16, 8, word::global, word::none}, 0.2418, 0.2418},
      {{128}, {word::fast}, 4, 1, {word::warp, 32, 1, word::global, word::none}, 1203, 1203},
      {{128}, {word::fast}, 4, 16384, {word::warp, 32, 8, word::global, word::none}, 0.2908, 0.31},
      {{8}, {word::fast}, 8, 1, {word::thread, 1, 64, word::global, word::none}, 851.5, 951.3},
      {{8}, {word::fast}, 8, 16384, {word::tile4, 4, 32, word::global, word::none}, 0.1699, 0.1699},
      {{16}, {word::fast}, 8, 1, {word::thread, 1, 32, word::global, word::none}, 897.7, 1163},
      {{16}, {word::fast}, 8, 16384, {word::tile8, 8, 16, word::global, word::none}, 0.186, 0.2194},
      {{32}, {word::fast}, 8, 1, {word::warp, 32, 4, word::global, word::none}, 1220, 1472},
      {{32}, {word::fast}, 8, 16384, {word::tile16, 16, 8, word::global, word::none}, 0.2385, 0.2562},
      {{64}, {word::fast}, 8, 1, {word::warp, 32, 4, word::global, word::none}, 1179, 1452},
      {{64}, {word::fast}, 8, 16384, {word::warp, 32, 4, word::global, word::none}, 0.3037, 0.3266},
      {{128}, {word::fast}, 8, 1, {word::tile16, 16, 2, word::global, word::none}, 1255, 1379},
      {{128}, {word::fast}, 8, 16384, {word::warp, 32, 4, word::global, word::none}, 0.4316, 0.4316},
    };
    f(lines, 20);
  }
};
template <>
struct table<90, op::gemv> {  // M, N; TRANS
  template <class F>
  GLASS_CONSTANT static constexpr void each(F& f) {
    constexpr decision lines[] = {
      {{8, 8}, {word::no}, 4, 1, {word::tile8, 8, 4, word::global, word::fragment}, 1265, 1265},
      {{8, 8}, {word::no}, 4, 16384, {word::tile8, 8, 16, word::global, word::fragment}, 0.1997, 0.2167},
      {{16, 16}, {word::no}, 4, 1, {word::tile16, 16, 2, word::global, word::fragment}, 1217, 1217},
      {{16, 16}, {word::no}, 4, 16384, {word::tile8, 8, 16, word::global, word::fragment}, 0.2972, 0.2972},
      {{32, 32}, {word::no}, 4, 1, {word::warp, 32, 1, word::global, word::fragment}, 1303, 1303},
      {{32, 32}, {word::no}, 4, 16384, {word::warp, 32, 4, word::global, word::fragment}, 0.6715, 0.7077},
      {{64, 64}, {word::no}, 4, 1, {word::block, 256, 1, word::global, word::fragment}, 1504, 1504},
      {{64, 64}, {word::no}, 4, 16384, {word::warp, 32, 2, word::global, word::fragment}, 4.162, 4.162},
      {{128, 128}, {word::no}, 4, 1, {word::block, 512, 1, word::global, word::fragment}, 1861, 1861},
      {{128, 128}, {word::no}, 4, 16384, {word::warp, 32, 2, word::global, word::fragment}, 16.22, 16.22},
      {{8, 8}, {word::no}, 8, 1, {word::tile8, 8, 4, word::global, word::fragment}, 1271, 1271},
      {{8, 8}, {word::no}, 8, 16384, {word::tile8, 8, 16, word::global, word::fragment}, 0.2601, 0.2914},
      {{16, 16}, {word::no}, 8, 1, {word::tile16, 16, 2, word::global, word::fragment}, 1326, 1326},
      {{16, 16}, {word::no}, 8, 16384, {word::tile8, 8, 16, word::global, word::fragment}, 0.4636, 0.4636},
      {{32, 32}, {word::no}, 8, 1, {word::warp, 32, 1, word::global, word::fragment}, 1509, 1509},
      {{32, 32}, {word::no}, 8, 16384, {word::warp, 32, 4, word::global, word::fragment}, 2.258, 2.258},
      {{64, 64}, {word::no}, 8, 1, {word::block, 256, 1, word::global, word::fragment}, 1829, 1829},
      {{64, 64}, {word::no}, 8, 16384, {word::warp, 32, 2, word::global, word::fragment}, 8.001, 8.001},
      {{128, 128}, {word::no}, 8, 1, {word::block, 512, 1, word::global, word::fragment}, 2615, 2615},
      {{128, 128}, {word::no}, 8, 16384, {word::block, 256, 1, word::global, word::fragment}, 31.15, 31.15},
    };
    f(lines, 20);
  }
};
template <>
struct table<90, op::gemm_to> {  // M, N, K; TRANSA, TRANSB
  template <class F>
  GLASS_CONSTANT static constexpr void each(F& f) {
    constexpr decision lines[] = {
      {{8, 8, 8}, {word::no, word::no}, 4, 1, {word::warp, 32, 8, word::global, word::direct, {word::f64, word::m16n8}}, 1170, 1304},
      {{8, 8, 8}, {word::no, word::no}, 4, 16384, {word::warp, 32, 8, word::global, word::direct, {word::f64, word::m16n8}}, 0.2769, 0.3001},
      {{16, 16, 16}, {word::no, word::no}, 4, 1, {word::warp, 32, 1, word::global, word::direct, {word::f64, word::m16n16}}, 1388, 1388},
      {{16, 16, 16}, {word::no, word::no}, 4, 16384, {word::warp, 32, 4, word::global, word::direct, {word::f64, word::m16n16}}, 0.5334, 0.5334},
      {{32, 32, 32}, {word::no, word::no}, 4, 1, {word::block, 128, 1, word::global, word::direct, {word::f64, word::m16n16}}, 1755, 2338},
      {{32, 32, 32}, {word::no, word::no}, 4, 16384, {word::warp, 32, 2, word::global, word::ring, {word::tf32x3, word::m32n32}}, 3.283, 3.611},
      {{64, 64, 64}, {word::no, word::no}, 4, 1, {word::block, 128, 1, word::global, word::ring, {word::tf32x3, word::m32n32}}, 3633, 4361},
      {{64, 64, 64}, {word::no, word::no}, 4, 16384, {word::block, 64, 1, word::global, word::ring, {word::tf32x3, word::m64n32}}, 12.12, 12.12},
      {{128, 128, 128}, {word::no, word::no}, 4, 1, {word::block, 512, 1, word::global, word::direct, {word::tf32x3, word::m32n32}}, 1.067e+04, 1.201e+04},
      {{128, 128, 128}, {word::no, word::no}, 4, 16384, {word::block, 128, 1, word::global, word::ring, {word::tf32x3, word::m64n64}}, 73.66, 73.66},
      {{8, 8, 8}, {word::no, word::no}, 8, 1, {word::warp, 32, 4, word::global, word::direct, {word::f64, word::m16n8}}, 1264, 1264},
      {{8, 8, 8}, {word::no, word::no}, 8, 16384, {word::warp, 32, 4, word::global, word::direct, {word::f64, word::m16n8}}, 0.3543, 0.3543},
      {{16, 16, 16}, {word::no, word::no}, 8, 1, {word::block, 64, 1, word::global, word::direct, {word::f64, word::m16n8}}, 1428, 1428},
      {{16, 16, 16}, {word::no, word::no}, 8, 16384, {word::block, 64, 1, word::global, word::direct, {word::f64, word::m16n8}}, 1.561, 1.561},
      {{32, 32, 32}, {word::no, word::no}, 8, 1, {word::block, 64, 1, word::global, word::direct, {word::f64, word::m16n32}}, 2272, 2534},
      {{32, 32, 32}, {word::no, word::no}, 8, 16384, {word::warp, 32, 1, word::global, word::ring, {word::f64, word::m32n32}}, 6.051, 6.374},
      {{64, 64, 64}, {word::no, word::no}, 8, 1, {word::block, 128, 1, word::global, word::direct, {word::f64, word::m32n32}}, 3825, 5101},
      {{64, 64, 64}, {word::no, word::no}, 8, 16384, {word::block, 128, 1, word::global, word::ring, {word::f64, word::m32n32}}, 23.95, 23.95},
      {{128, 128, 128}, {word::no, word::no}, 8, 1, {word::block, 256, 1, word::global, word::stream, {word::f64, word::m64n32}}, 1.582e+04, 2.35e+04},
      {{128, 128, 128}, {word::no, word::no}, 8, 16384, {word::block, 256, 8, word::global, word::stream, {word::f64, word::m64n32}}, 125.3, 125.3},
    };
    f(lines, 20);
  }
};
template <>
struct table<90, op::trsv> {  // N; FILL, TRANS, DIAG
  template <class F>
  GLASS_CONSTANT static constexpr void each(F& f) {
    constexpr decision lines[] = {
      {{8}, {word::lower, word::no, word::nonunit}, 4, 1, {word::tile8, 8, 4, word::global, word::fragment}, 1300, 1300},
      {{8}, {word::lower, word::no, word::nonunit}, 4, 16384, {word::tile8, 8, 16, word::global, word::fragment}, 0.2316, 0.2316},
      {{16}, {word::lower, word::no, word::nonunit}, 4, 1, {word::tile16, 16, 2, word::global, word::fragment}, 1601, 1601},
      {{16}, {word::lower, word::no, word::nonunit}, 4, 16384, {word::tile16, 16, 8, word::global, word::fragment}, 0.335, 0.335},
      {{32}, {word::lower, word::no, word::nonunit}, 4, 1, {word::warp, 32, 1, word::global, word::fragment}, 1866, 1866},
      {{32}, {word::lower, word::no, word::nonunit}, 4, 16384, {word::tile16, 16, 4, word::global, word::fragment}, 0.6769, 0.6769},
      {{64}, {word::lower, word::no, word::nonunit}, 4, 1, {word::warp, 32, 1, word::global, word::fragment}, 2504, 2504},
      {{64}, {word::lower, word::no, word::nonunit}, 4, 16384, {word::warp, 32, 2, word::global, word::fragment}, 2.917, 2.917},
      {{8}, {word::lower, word::no, word::nonunit}, 8, 1, {word::tile8, 8, 4, word::global, word::fragment}, 1395, 1395},
      {{8}, {word::lower, word::no, word::nonunit}, 8, 16384, {word::tile8, 8, 16, word::global, word::fragment}, 0.2664, 0.2664},
      {{16}, {word::lower, word::no, word::nonunit}, 8, 1, {word::tile16, 16, 2, word::global, word::fragment}, 1659, 1659},
      {{16}, {word::lower, word::no, word::nonunit}, 8, 16384, {word::tile16, 16, 8, word::global, word::fragment}, 0.4402, 0.4402},
      {{32}, {word::lower, word::no, word::nonunit}, 8, 1, {word::warp, 32, 1, word::global, word::fragment}, 1994, 1994},
      {{32}, {word::lower, word::no, word::nonunit}, 8, 16384, {word::tile16, 16, 4, word::global, word::fragment}, 1.454, 1.454},
      {{64}, {word::lower, word::no, word::nonunit}, 8, 1, {word::warp, 32, 1, word::global, word::fragment}, 3264, 3264},
      {{64}, {word::lower, word::no, word::nonunit}, 8, 16384, {word::warp, 32, 2, word::global, word::fragment}, 5.556, 5.556},
    };
    f(lines, 16);
  }
};
template <>
struct table<90, op::potrf> {  // N
  template <class F>
  GLASS_CONSTANT static constexpr void each(F& f) {
    constexpr decision lines[] = {
      {{8}, {}, 4, 1, {word::tile8, 8, 4, word::global, word::rows}, 1405, 1405},
      {{8}, {}, 4, 16384, {word::tile8, 8, 16, word::global, word::rows}, 0.2865, 0.2865},
      {{16}, {}, 4, 1, {word::tile16, 16, 2, word::global, word::rows}, 1740, 1740},
      {{16}, {}, 4, 16384, {word::tile8, 8, 8, word::global, word::rows}, 0.5268, 0.5268},
      {{32}, {}, 4, 1, {word::warp, 32, 1, word::global, word::rows}, 2762, 2762},
      {{32}, {}, 4, 16384, {word::tile16, 16, 2, word::global, word::rows}, 1.54, 1.54},
      {{64}, {}, 4, 1, {word::warp, 32, 1, word::global, word::regs}, 5555, 5555},
      {{64}, {}, 4, 16384, {word::warp, 32, 1, word::global, word::regs}, 8.66, 9.909},
      {{128}, {}, 4, 1, {word::block, 256, 1, word::global, word::regs}, 1.472e+04, 1.472e+04},
      {{128}, {}, 4, 16384, {word::block, 128, 1, word::global, word::regs}, 57.4, 57.4},
      {{8}, {}, 8, 1, {word::tile8, 8, 4, word::global, word::rows}, 1516, 1516},
      {{8}, {}, 8, 16384, {word::tile8, 8, 16, word::global, word::rows}, 0.3287, 0.3287},
      {{16}, {}, 8, 1, {word::tile16, 16, 2, word::global, word::rows}, 2192, 2317},
      {{16}, {}, 8, 16384, {word::tile8, 8, 8, word::global, word::rows}, 0.6556, 0.6556},
      {{32}, {}, 8, 1, {word::warp, 32, 1, word::global, word::rows}, 3857, 3857},
      {{32}, {}, 8, 16384, {word::tile16, 16, 4, word::global, word::rows}, 3.382, 3.669},
      {{64}, {}, 8, 1, {word::warp, 32, 1, word::global, word::regs}, 8193, 8193},
      {{64}, {}, 8, 16384, {word::warp, 32, 1, word::global, word::left}, 15.19, 15.19},
      {{128}, {}, 8, 16384, {word::block, 128, 1, word::global, word::whole}, 93.7, 93.7},
    };
    f(lines, 19);
  }
};
template <>
struct table<90, op::posv> {  // N, NRHS; SHIFT
  template <class F>
  GLASS_CONSTANT static constexpr void each(F& f) {
    constexpr decision lines[] = {
      {{8, 1}, {word::none}, 4, 1, {word::tile8, 8, 4, word::global, word::rows}, 1544, 1544},
      {{8, 1}, {word::none}, 4, 16384, {word::tile8, 8, 16, word::global, word::rows}, 0.3211, 0.3211},
      {{16, 1}, {word::none}, 4, 1, {word::tile16, 16, 2, word::global, word::rows}, 2332, 2332},
      {{16, 1}, {word::none}, 4, 16384, {word::tile8, 8, 8, word::global, word::rows}, 0.5851, 0.5851},
      {{32, 1}, {word::none}, 4, 1, {word::warp, 32, 1, word::global, word::rows}, 3847, 3847},
      {{32, 1}, {word::none}, 4, 16384, {word::tile8, 8, 4, word::global, word::rows}, 1.942, 1.942},
      {{64, 1}, {word::none}, 4, 1, {word::warp, 32, 1, word::global, word::regs}, 7624, 7624},
      {{64, 1}, {word::none}, 4, 16384, {word::warp, 32, 2, word::global, word::left}, 11.05, 11.05},
      {{8, 1}, {word::none}, 8, 1, {word::tile8, 8, 4, word::global, word::rows}, 1831, 1831},
      {{8, 1}, {word::none}, 8, 16384, {word::tile8, 8, 16, word::global, word::rows}, 0.391, 0.391},
      {{16, 1}, {word::none}, 8, 1, {word::tile8, 8, 4, word::global, word::rows}, 2917, 2917},
      {{16, 1}, {word::none}, 8, 16384, {word::tile8, 8, 8, word::global, word::rows}, 0.7963, 0.7963},
      {{32, 1}, {word::none}, 8, 1, {word::warp, 32, 1, word::global, word::regs}, 5162, 5162},
      {{32, 1}, {word::none}, 8, 16384, {word::tile16, 16, 2, word::global, word::rows}, 4.168, 4.168},
      {{64, 1}, {word::none}, 8, 1, {word::warp, 32, 1, word::global, word::regs}, 1.14e+04, 1.14e+04},
      {{64, 1}, {word::none}, 8, 16384, {word::warp, 32, 1, word::global, word::left}, 18, 18},
    };
    f(lines, 16);
  }
};
}  // namespace glass::dispatch
