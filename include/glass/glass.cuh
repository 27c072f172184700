// Everything device code needs: the core and every operation. A built-in operation's own header alone is enough for
// that operation.
#pragma once
#include <glass/core/copy.cuh>
#include <glass/core/each.cuh>
#include <glass/core/faces.cuh>
#include <glass/core/fragment.cuh>
#include <glass/core/math.cuh>
#include <glass/core/options.cuh>
#include <glass/core/scope.cuh>
#include <glass/core/view.cuh>
#include <glass/factor/laswp.cuh>
#include <glass/factor/posv.cuh>
#include <glass/factor/potrf.cuh>
#include <glass/factor/potrs.cuh>
#include <glass/factor/trsv.cuh>
#include <glass/matrix/add_identity.cuh>
#include <glass/matrix/gemm.cuh>
#include <glass/matrix/gemv.cuh>
#include <glass/matrix/syrk.cuh>
#include <glass/vector/axpy.cuh>
#include <glass/vector/dot.cuh>
