/* SPDX-License-Identifier: MIT */
/* The handoff of a search to the host and back (handoff_words.h), for the kernels for meshes. */
#ifndef GWS_KERNELS_CUDA_HANDOFF_CUH
#define GWS_KERNELS_CUDA_HANDOFF_CUH

typedef unsigned int u32;
typedef unsigned long long u64;

#define device_inline static __device__ __forceinline__
#define local_mem
#include "../hetero/handoff_words.h"

/* What a kernel that may hand its search off is given; a kernel that may not has none. */
struct handoff {
    const gws__handoff_rule *rule;
    gws__handoff_state *state;
    uint2 *list;
    unsigned *visited; /* a bit a vertex, in memory of both */
};

/* One thread notes the time where it is asked for: number which of the ticks, and at the ends the other clock. */
device_inline void handoff_clock(const handoff *h, unsigned which)
{
    if (!h->rule->timed) return;
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    h->state->ticks[which] = clock64();
    if (which % 3 == 0) h->state->ns[which / 3] = now;
}

#endif
