/* SPDX-License-Identifier: MIT */
/* Real distances: a word is the bits of a double. Bits of doubles that are not negative have the order of the
 * doubles. Rounded sums are monotone, so the order of the relaxations affects distances and parents no more than
 * with integers. */
#ifndef GWS_TRAVERSAL_SSSP_REAL_SUM_H
#define GWS_TRAVERSAL_SSSP_REAL_SUM_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "state.h"

#define NO_PATH UINT64_C(0x7ff0000000000000) /* INFINITY */

static inline double real_of(uint64_t bits)
{
    double real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

static inline uint64_t plus(const struct sssp *search, struct gws__sssp_worker *me, uint64_t distance, uint64_t arc)
{
    float weight = search->graph->real_weight[arc];
    if (!(weight >= 0 && weight <= FLT_MAX)) {
        me->bad_weight = true;
        return NO_PATH;
    }
    double sum = real_of(distance) + (double)weight;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits;
}

static inline void prefetch_weight(const struct gws_graph *graph, uint64_t arc)
{
    __builtin_prefetch(&graph->real_weight[arc]);
}

static inline uint64_t bucket_of(const struct sssp *search, uint64_t distance)
{
    const double max = 0x1p62;
    double bucket = real_of(distance) * search->factor;
    return bucket < max ? (uint64_t)bucket : (uint64_t)max;
}

#endif
