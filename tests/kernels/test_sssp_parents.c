/* SPDX-License-Identifier: MIT */
/* The emulated engine with kernels/operator/sssp_parents.cl, for distances of 32 bits. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1

/* clang-format off */
#include "../../kernels/portability/host.h"
#include "../../kernels/operator/operator.h"
#include "../../kernels/engine/direction.h"
#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/record_words.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/hetero/trace_words.h"
#include "../../kernels/hetero/trace.cl"
#include "../../kernels/hetero/handoff_words.h"
#include "../../kernels/hetero/handoff_rule.h"
#include "../../kernels/engine/state.cl"
#include "../../kernels/operator/sssp_word.h"
#include "../../kernels/operator/sssp_parents.cl"
/* clang-format on */
#include "rounds.h"

static sssp_distance longer(sssp_distance distance, u64 arc)
{
    u64 sum = (u64)distance + run.weight[arc];
    return sum < NONE ? (u32)sum : NONE;
}

/* Returns a weight of one of three kinds: at least 1; mostly 0; or so large that distances exceed a word. */
static u32 weight_of(u32 drawn, int kind)
{
    return kind == 0 ? drawn + 1 : kind == 1 ? drawn / 900 : 0x30000000u;
}

#include "sssp_parents.h"
