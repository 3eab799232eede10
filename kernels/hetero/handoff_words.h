/* SPDX-License-Identifier: MIT */
/* Handoff of whole levels: a run passes from the host to a device and back. Only one of them runs it at a time, the
 * device while its kernel runs. So every word has one writer at a time, and the start and the end of a kernel order the
 * writes. lib/hetero/handoff.h is the host's side; engine/state.cl and cuda/handoff.cuh are the device's side.
 *
 * A level should run on the side that takes less time by its cost model, but a handoff costs time too. So each side
 * adds up its losses: the time that its levels cost more than on the other side. The sum never falls below zero. The
 * side hands the run off when the sum exceeds the cost of a handoff there and back. As in the ski rental problem, the
 * total loss is then at most proportional to the loss of an optimal schedule. A run with a few small levels at its
 * beginning and end stays on its side. */
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

/* The position of a run before a level. A run whose vertices re-enter sets only level and size. */
struct gws__handoff_point {
    u32 level, size, reached, pulls; /* the frontier's depth and size, vertices reached, levels that pulled */
    u64 arcs, unseen;                /* arcs of the frontier's rows, and of rows that no level has expanded */
};

/* A launch passes it by value; the host keeps one for its own levels. */
struct gws__handoff_rule {
    struct gws__handoff_point from; /* the position of a run that resumes */
    u32 resumes;                    /* 1: the run resumes with the host's published frontier; 0: it begins */
    u32 max;                        /* maximum number of small levels before the handoff, whatever they cost */
    u32 timed;                      /* run one level as a small level, and time it */
    u32 wide;                       /* a level with more vertices is so much cheaper here that the sum restarts */
    float level_loss, vertex_loss, arc_loss; /* ns that a level costs more here than on the other side: per level, per
                                              * vertex of the frontier, per arc */
    float limit;                             /* loss in ns after which the side hands the run off */
};

/* The host clears it before a launch; the device writes it before its kernel ends. */
struct gws__handoff_state {
    struct gws__handoff_point at;
    u32 handed_off; /* 1: the run continues on the host; 0: it is finished */
    u32 entries;    /* entries in a search's list (below) */
    /* Timing, on devices with clocks: ticks when the kernel began, before and after the level, and at the end; ns by
     * another clock at the beginning and the end. */
    u64 ticks[4], ns[2];
};

/* Decides whether to hand the run off before the next level. *lost: the accumulated loss, 0 at first; levels: the
 * number of small levels since the run came to this side. */
device_inline bool handoff_due(local_mem const struct gws__handoff_rule *rule, float *lost, u32 levels, u32 vertices,
                               u32 arcs)
{
    float loss = *lost + rule->level_loss + rule->vertex_loss * (float)vertices + rule->arc_loss * (float)arcs;
    *lost = loss > 0 ? loss : 0;
    return *lost > rule->limit || levels >= rule->max;
}

/* A search's list of the frontier has two words per entry: a vertex (~0: none) and its parent, which the device leaves
 * out. A frontier handed off to the host has at most this number of arcs, a frontier handed off to the device this
 * number of vertices. */
#define GWS_HANDOFF_CAPACITY 16384u

#endif
