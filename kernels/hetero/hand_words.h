/* SPDX-License-Identifier: MIT */
/* What host and device leave each other when a search passes from one to the other (kernels/cuda/hand.cuh is the
 * device's side, traversal/graph/bfs/device/handoff.h the host's): one of them runs a search at a time, the device
 * while its kernel runs. So every word has one writer at a time, and the end of a kernel and the start of one order
 * what was written.
 *
 * A level belongs to the side that runs it in less time, by what both are known to cost; but passing a search on costs
 * something too. So a side sums up what its levels cost more than they would have at the other side, never below zero,
 * and passes the search on once that sum is more than passing it on and back again costs. As with renting or buying
 * skis, what is lost is then at most in proportion to what could not have been known, and a search whose few small
 * levels are at its beginning and its end stays where it is. */
#ifndef GWS_KERNELS_HAND_WORDS_H
#define GWS_KERNELS_HAND_WORDS_H

/* Goes with a launch, by value. */
struct gws__hand_rule {
    unsigned resumes; /* the search goes on with the frontier in the list and the visited vertices in the bitmap;
                       * 0: it begins at its source */
    unsigned level, size, reached, bottom_up; /* where it stands: the frontier's depth and size, vertices reached,
                                               * levels that were run bottom-up */
    unsigned most;                   /* small levels that may be run before it is passed on, whatever they cost */
    unsigned timed;                  /* one level is run as a small one and timed, and the kernel ends */
    unsigned long long arcs, unseen; /* of the frontier's rows, and of those that no level has started from */
    float level_loss, vertex_loss, arc_loss; /* ns that a level costs here more than there: for itself, for each vertex
                                              * of the frontier, and for each arc */
    float limit;                             /* ns of loss after which it is passed on */
    unsigned wide; /* a level of more vertices is so much cheaper here that the sum starts again */
};

/* In memory of both; the device writes it before its kernel ends. */
struct gws__hand_state {
    unsigned handed; /* the search goes on at the host, from the list and the bitmap; 0: it is done */
    unsigned level, size, reached, bottom_up; /* as above */
    unsigned entries;                         /* of the list */
    unsigned long long arcs, unseen;
    /* Timed: the device's clock when the kernel began, before and after the level, and at the end; another clock, in
     * ns, at the beginning and the end. */
    unsigned long long ticks[4], ns[2];
};

/* Entries of the list: two words each, a vertex (~0: nothing) and its parent, which the device leaves out. A frontier
 * that is passed on to the host has no more arcs than that, and one to the device no more vertices. */
#define GWS_HAND_ROOM 16384u

#endif
