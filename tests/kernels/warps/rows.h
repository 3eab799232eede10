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

/* Makes random arcs, and hubs with rows of all lengths. */
static std::vector<uint2> make_arcs(u32 vertices, u32 count, u32 hubs)
{
    u32 random = 1;
    auto below = [&](u32 bound) { return (random = random * 1664525 + 1013904223), (random >> 8) % bound; };
    std::vector<uint2> arcs;
    for (u32 i = 0; i < count; i++) arcs.push_back({below(vertices), below(vertices)});
    for (u32 hub = 0; hub < hubs; hub++)
        for (u32 i = 0; i < 25 * (hub + 1); i++) {
            const uint2 arc = {hub * 7, below(vertices)};
            arcs.push_back(arc);
            if (hub % 2) arcs.push_back({arc.y, arc.x});
        }
    return arcs;
}

#endif
