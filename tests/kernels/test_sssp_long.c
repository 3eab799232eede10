/* SPDX-License-Identifier: MIT */
/* The emulated engine with kernels/operator/sssp.cl, with distances of 64 bits. */
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
#include "../../kernels/operator/sssp_long.h"
#include "../../kernels/operator/sssp.cl"
/* clang-format on */
#include "rounds.h"

/* A sum for the oracle. */
typedef u64 length;
#define NO_LENGTH UINT64_MAX

static length weight_of(u64 arc)
{
    return run.weight[arc];
}

static sssp_distance encode(length sum)
{
    return sum;
}

/* word[2] and word[3] for each run. */
static const u32 bucket[][2] = {{0, NONE}, {0, 1}, {6, 1}, {30, 1}};

/* Draws weights: below 1000, including 0; or, with `large`, so large that the distances of far vertices exceed 32
 * bits. */
static void weigh(bool large)
{
    u64 random = 3, arcs = graph.offset[vertices];
    ck_assert_uint_le(arcs, max_arcs);
    for (u64 a = 0; a < arcs; a++)
        run.weight[a] = large ? 0x30000000u : gws_random_below(gws_random_next(&random), 1000);
}

#include "sssp.h"
