/* SPDX-License-Identifier: MIT */
/* The direction of a level: push, over the arcs of the frontier, or pull, from the vertices that are not visited
 * (Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012). All workers decide by this one
 * function: the CPU's threads, the kernels, and threads and devices together. It comes behind a portability header.
 *
 * A traversal goes over to pull when the arcs of the frontier become many beside the unexplored ones. It pulls as long
 * as the frontier is large beside the vertices that a level of pull looks at. That weighs arcs against arcs. Where they
 * come over a bus, in pieces that cost more than what is in them, the view says what either direction is expected to
 * take, and the quicker one is it. */
#ifndef GWS_KERNELS_DIRECTION_H
#define GWS_KERNELS_DIRECTION_H

/* The constants of a kind of worker; all 0: never pull. */
struct direction_rule {
    u32 arcs;       /* go over when the frontier's arcs, times this, exceed the unexplored arcs, and */
    u32 walk;       /* when they, times this, exceed the vertices that pull looks at; 0: whatever these are */
    u32 size;       /* stay while the frontier's vertices, times this, exceed the vertices that pull looks at */
    bool once;      /* go over by arcs at most once */
    bool size_also; /* go over by size, too */
};

/* Threads, and groups that get a launch a level: pull walks over all vertices. */
#define DIRECTION_THREADS 15, 16, 18, false, false
/* A persistent kernel: pull looks at what is not visited, a bitmap's word at a time. It counts arcs of the first
 * frontiers only. */
#define DIRECTION_PERSISTENT 16, 0, 32, true, true
/* Where vertices re-enter, pull looks at all of them, and reads whole rows. */
#define DIRECTION_ROUNDS 0, 0, 4, false, true

/* Where a traversal stands. */
struct direction_view {
    u64 size, arcs; /* the frontier's vertices, and their arcs */
    u64 unexplored; /* the arcs of vertices that no frontier has had yet */
    u64 candidates; /* the vertices that a level of pull looks at */
    bool pulling;   /* the last level was pull */
    bool pulled;    /* some level was */
    /* What push and pull are expected to take, in any unit; both 0: as much an arc, wherever it lies. */
    float push_cost, pull_cost;
};

/* Whether the next level is pull. */
device_inline bool direction_pulls(const struct direction_rule *rule, const struct direction_view *at)
{
    if (at->push_cost > 0 || at->pull_cost > 0) return at->pull_cost < at->push_cost;
    bool wide = at->size * rule->size > at->candidates;
    bool dense = at->arcs * rule->arcs > at->unexplored;
    if (rule->walk > 0) dense = dense && at->arcs * rule->walk > at->candidates;
    if (at->candidates == 0) return false;
    if (at->pulling) return wide;
    return (dense && !(rule->once && at->pulled)) || (rule->size_also && wide);
}

#endif
