/* SPDX-License-Identifier: MIT */
/* The emulated engine with kernels/operator/sssp.cl, with distances in double. */
#include "../harness.h"

#include <math.h>

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
#include "../../kernels/operator/sssp_double.h"
#include "../../kernels/operator/sssp.cl"
/* clang-format on */
#include "rounds.h"

/* A sum for the oracle. */
typedef double length;
#define NO_LENGTH ((double)INFINITY)

static length weight_of(u64 arc)
{
    float weight;
    memcpy(&weight, &run.weight[arc], sizeof weight);
    return (double)weight;
}

static sssp_distance encode(length sum)
{
    u64 bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits;
}

/* word[2] and word[3] for each run; 1023: buckets of width 1. */
static const u32 bucket[][2] = {{1023, 1}, {1023 - 30, 1}, {2045, 1}};

/* Draws weights: thousandths, including 0; or, with `large`, of such different sizes that sums round many away. */
static void weigh(bool large)
{
    u64 random = 3, arcs = graph.offset[vertices];
    ck_assert_uint_le(arcs, max_arcs);
    for (u64 a = 0; a < arcs; a++) {
        u32 drawn = gws_random_below(gws_random_next(&random), 1000);
        float weight = large ? ldexpf(1, (int)(drawn % 120) - 60) : (float)drawn / 1000;
        memcpy(&run.weight[a], &weight, sizeof weight);
    }
}

#include "sssp.h"
