// error: glass: a tile has 2, 4, 8, 16 or 32 lanes.
#include <glass/core/scope.cuh>
#ifdef GLASS_RIGHT
int f() { return glass::scope::tile<4>{}.size(); }
#else
int f() { return glass::scope::tile<3>{}.size(); }
#endif
