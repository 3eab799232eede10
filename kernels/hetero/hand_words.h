/* SPDX-License-Identifier: MIT */
/* What host and device leave each other at a handoff: a search passes from one to the other (engine/handoff.cl and
 * cuda/hand.cuh are the device's side, traversal/graph/bfs/device/handoff.h the host's). One of them runs a search at a
 * time, the device while its kernel runs. So every word has one writer at a time, and the end of a kernel and the start
 * of one order what was written. The includer defines u32 and u64.
 *
 * A level belongs to the side that runs it in less time, by what both are known to cost; but a handoff costs something
 * too. So a side sums up what its levels cost more than they would have at the other side, never below zero, and hands
 * the search off once that sum is more than a handoff there and back costs. As with renting or buying skis, the loss is
 * then at most in proportion to what could not have been known, and a search whose few small levels are at its
 * beginning and its end stays where it is. */
#ifndef GWS_KERNELS_HAND_WORDS_H
#define GWS_KERNELS_HAND_WORDS_H

/* Goes with a launch, by value. */
struct gws__hand_rule {
    u32 resumes; /* the search goes on with the frontier in the list and the visited vertices in the bitmap; 0: it
                  * begins at its source */
    u32 level, size, reached, bottom_up; /* where it stands: the frontier's depth and size, vertices reached, levels
                                          * that were run bottom-up */
    u32 most;                            /* small levels that may run before the handoff, whatever they cost */
    u32 timed;                           /* one level is run as a small one and timed, and the kernel ends */
    u32 wide;         /* a level of more vertices is so much cheaper here that the sum starts again */
    u64 arcs, unseen; /* of the frontier's rows, and of those that no level has started from */
    float level_loss, vertex_loss, arc_loss; /* ns that a level costs here more than there: for itself, for each vertex
                                              * of the frontier, and for each arc */
    float limit;                             /* ns of loss after which it is handed off */
};

/* The device writes it before its kernel ends. */
struct gws__hand_state {
    u32 handed; /* the search goes on at the host, from the list and the bitmap; 0: it is done */
    u32 level, size, reached, bottom_up; /* as above */
    u32 entries;                         /* of the list */
    u64 arcs, unseen;
    /* Timed, where the device has clocks: ticks when the kernel began, before and after the level, and at the end;
     * another clock, in ns, at the beginning and the end. */
    u64 ticks[4], ns[2];
};

/* Entries of the list: two words each, a vertex (~0: nothing) and its parent, which the device leaves out. A frontier
 * that is handed to the host has no more arcs than that, and one to the device no more vertices. */
#define GWS_HAND_ROOM 16384u

#endif
