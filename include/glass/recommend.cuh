// glass::recommend: the launch shape of a static kernel. What it answers and takes is told in dispatch/recommend.cuh.
#pragma once
#include <glass/dispatch/recommend.cuh>
