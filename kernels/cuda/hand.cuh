/* SPDX-License-Identifier: MIT */
/* The handoff of a search to the host and back (hand_words.h), for the kernels for meshes. */
#ifndef GWS_KERNELS_CUDA_HAND_CUH
#define GWS_KERNELS_CUDA_HAND_CUH

typedef unsigned int u32;
typedef unsigned long long u64;

#include "../hetero/hand_words.h"

/* What a kernel that may pass its search on is given; a kernel that may not has none. */
struct hand {
    const gws__hand_rule *rule;
    gws__hand_state *state;
    uint2 *list;
    unsigned *visited; /* a bit a vertex, in memory of both */
};

/* Whether the search is passed on before the level that is next; lost is what levels have cost too much so far. */
static __device__ __forceinline__ bool hand_due(const hand *h, float *lost, unsigned levels, unsigned vertices, unsigned arcs)
{
    const gws__hand_rule *rule = h->rule;
    *lost = fmaxf(0, *lost + rule->level_loss + rule->vertex_loss * (float)vertices + rule->arc_loss * (float)arcs);
    return *lost > rule->limit || levels >= rule->most;
}

/* What one thread notes of the time, if it is wanted: number which of the ticks, and at the ends the other clock. */
static __device__ __forceinline__ void hand_clock(const hand *h, unsigned which)
{
    if (!h->rule->timed) return;
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    h->state->ticks[which] = clock64();
    if (which % 3 == 0) h->state->ns[which / 3] = now;
}

#endif
