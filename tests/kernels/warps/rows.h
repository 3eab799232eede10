/* SPDX-License-Identifier: MIT */
/* Graphs for the tests of emulated warps, made from lists of arcs (x: source, y: target). */
#ifndef GWS_TESTS_WARPS_ROWS_H
#define GWS_TESTS_WARPS_ROWS_H

#include <numeric>
#include <utility>
#include <vector>

#include "warps.h"

struct rows {
    std::vector<u64> offset;
    std::vector<u32> target;

    rows(u32 vertices, const std::vector<uint2> &arcs) : offset(vertices + 1), target(arcs.size() + 1)
    {
        for (uint2 arc : arcs) offset[arc.x + 1]++;
        std::partial_sum(offset.begin(), offset.end(), offset.begin());
        std::vector<u64> at = offset;
        for (uint2 arc : arcs) target[at[arc.x]++] = arc.y;
    }
};

static std::vector<uint2> reversed(std::vector<uint2> arcs)
{
    for (uint2 &arc : arcs) std::swap(arc.x, arc.y);
    return arcs;
}

#endif
