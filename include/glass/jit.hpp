// glass::jit, the host side: compile device source for the GPU that is there, find the fastest placement, keep both,
// launch.
#pragma once
#include "glass/jit/advice.hpp"
#include "glass/jit/cache.hpp"
#include "glass/jit/device.hpp"
#include "glass/jit/error.hpp"
#include "glass/jit/event.hpp"
#include "glass/jit/kernel.hpp"
#include "glass/jit/operand.hpp"
#include "glass/jit/placement.hpp"
#include "glass/jit/problem.hpp"
#include "glass/jit/runtime.hpp"
#include "glass/jit/tuning.hpp"
