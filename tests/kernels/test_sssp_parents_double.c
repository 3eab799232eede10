/* SPDX-License-Identifier: MIT */
/* The emulated engine with kernels/operator/sssp_parents.cl, for distances in double. */
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
#include "../../kernels/operator/sssp_parents.cl"
/* clang-format on */
#include "rounds.h"

static sssp_distance longer(sssp_distance distance, u64 arc)
{
    float weight;
    double sum;
    memcpy(&weight, &run.weight[arc], sizeof weight);
    memcpy(&sum, &distance, sizeof sum);
    sum += (double)weight;
    memcpy(&distance, &sum, sizeof sum);
    return distance;
}

/* Returns a weight of one of three kinds: more than 0; mostly 0; or of such different sizes that many sums equal the
 * distance to which they add the weight. */
static u32 weight_of(u32 drawn, int kind)
{
    float weight = kind == 0 ? (float)(drawn + 1) / 1000 : kind == 1 ? (float)(drawn / 900) : 1e-20f;
    if (kind == 2 && drawn % 4 == 0) weight = ldexpf(1, (int)(drawn % 120) - 60);
    u32 bits;
    memcpy(&bits, &weight, sizeof bits);
    return bits;
}

#include "sssp_parents.h"
