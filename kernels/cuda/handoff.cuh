/* SPDX-License-Identifier: MIT */
/* The handoff of a search to the host and back (handoff_words.h, handoff_rule.h), for the kernels for meshes. */
#ifndef GWS_KERNELS_CUDA_HANDOFF_CUH
#define GWS_KERNELS_CUDA_HANDOFF_CUH

typedef unsigned int u32;
typedef unsigned long long u64;

#define device_inline static __device__ __forceinline__
#define local_mem
#define global_mem
#include "../hetero/handoff_words.h"

#include "../hetero/handoff_rule.h"
#include "../hetero/trace_words.h"

#define word_add(at, value) atomicAdd(at, value)

device_inline u64 clock_ns()
{
    u64 now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

#include "../hetero/trace.cl"

/* The parameters of a kernel that may hand off its search. Other kernels pass NULL. */
struct mesh_handoff {
    const gws__handoff_rule *rule;
    gws__handoff_state *state;
    uint2 *list;
    unsigned *visited; /* a bit for each vertex, in memory that host and device share */
};

/* Records the time if the rule requires it. One thread calls this function. It stores tick number `which` and, at the
 * first and the last tick, also the global timer. */
device_inline void handoff_clock(const mesh_handoff *h, unsigned which)
{
    if (!h->rule->timed) return;
    h->state->ticks[which] = clock64();
    if (which % 3 == 0) h->state->ns[which / 3] = clock_ns();
}

#endif
