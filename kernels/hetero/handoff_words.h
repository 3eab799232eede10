/* SPDX-License-Identifier: MIT */
/* Handoff of whole levels: a run passes from the host to a device and back, and one of them runs it at a time, the
 * device while its kernel runs. So every word has one writer at a time, and the end of a kernel and the start of one
 * order what was written. lib/hetero/handoff.h is the host's part of it; engine/state.cl and cuda/handoff.cuh are the
 * device's.
 *
 * A level belongs to the side that runs it in less time, by what both are known to cost; but a handoff costs something
 * too. So a side sums up what its levels cost more than they would have at the other side, never below zero, and hands
 * the run off once that sum is more than a handoff there and back costs. As with renting or buying skis, the loss is
 * then at most in proportion to what could not have been known, and a run whose few small levels are at its beginning
 * and its end stays where it is. */
#ifndef GWS_KERNELS_HANDOFF_WORDS_H
#define GWS_KERNELS_HANDOFF_WORDS_H

#ifndef device_inline /* the host, without a portability header */
#include <stdbool.h>
#include <stdint.h>
#define device_inline static inline
#define local_mem
typedef uint32_t u32;
typedef uint64_t u64;
#endif

/* Where a run stands, before a level. A run whose vertices re-enter has level and size alone. */
struct gws__handoff_point {
    u32 level, size, reached, pulls; /* the frontier's depth and size, vertices reached, levels that pulled */
    u64 arcs, unseen;                /* of the frontier's rows, and of those that no level has started from */
};

/* Goes with a launch, by value; the host has one for itself. */
struct gws__handoff_rule {
    struct gws__handoff_point from; /* where the run goes on, if it */
    u32 resumes;                    /* with what the host published; 0: it begins */
    u32 max;                        /* small levels that may run before the handoff, whatever they cost */
    u32 timed;                      /* one level is run as a small one, and timed */
    u32 wide;                       /* a level of more vertices is so much cheaper here that the sum starts again */
    float level_loss, vertex_loss, arc_loss; /* ns that a level costs here more than there: for itself, for each vertex
                                              * of the frontier, and for each arc */
    float limit;                             /* ns of loss after which the run is handed off */
};

/* The host clears it before a launch, the device writes it before its kernel ends. */
struct gws__handoff_state {
    struct gws__handoff_point at;
    u32 handed;  /* the run goes on at the host; 0: it is done */
    u32 entries; /* of the list of a search (below) */
    /* Timed, where the device has clocks: ticks when the kernel began, before and after the level, and at the end;
     * another clock, in ns, at the beginning and the end. */
    u64 ticks[4], ns[2];
};

/* Is the run handed off before the level that is next? *lost is what levels have cost too much so far, 0 at first;
 * levels: how many small ones ran since the run came to this side. */
device_inline bool handoff_due(local_mem const struct gws__handoff_rule *rule, float *lost, u32 levels, u32 vertices,
                               u32 arcs)
{
    float loss = *lost + rule->level_loss + rule->vertex_loss * (float)vertices + rule->arc_loss * (float)arcs;
    *lost = loss > 0 ? loss : 0;
    return *lost > rule->limit || levels >= rule->max;
}

/* A search's list of the frontier: two words an entry, a vertex (~0: nothing) and its parent, which the device leaves
 * out. A frontier that is handed to the host has no more arcs than that, and one to the device no more vertices. */
#define GWS_HANDOFF_CAPACITY 16384u

#endif
