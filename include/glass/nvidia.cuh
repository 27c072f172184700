// glass::nvidia::{thread,warp,block}::OP: NVIDIA's device libraries under the names, argument orders, layouts and info
// codes of glass's own pointer faces, for static builds: CUB (nvidia/cub.cuh), cuBLASDx (nvidia/blas.cuh), cuSOLVERDx
// (nvidia/factor.cuh, nvidia/spectrum.cuh). Opt-in: include glass/glass.cuh for glass's own. A library that this compile
// cannot use is a sentence where its face is called (nvidia/found.cuh says what each needs), and has_cub, has_cublasdx,
// has_cusolverdx tell.
#pragma once
#include <glass/nvidia/refused.cuh>
// After MathDx: under NVRTC its CUTLASS defines what CCCL defines too, and only CCCL asks whether it is there.
#include <glass/nvidia/reductions.cuh>
