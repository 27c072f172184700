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
