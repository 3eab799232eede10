/* SPDX-License-Identifier: MIT */
/* The direction of a level: push reads the arcs of the frontier, pull the arcs of the unvisited vertices (Beamer,
 * Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012). All workers decide by this one function:
 * the CPU's threads, the kernels, and threads and devices together. Include it after a portability header.
 *
 * A traversal switches to pull when the frontier has many arcs compared with the unexplored arcs. It continues to pull
 * while the frontier is large compared with the vertices that a level of pull reads. This rule compares numbers of
 * arcs. If arcs cross a bus, a transfer costs more than the arcs that it carries. The view then has the expected cost
 * of both directions, and the cheaper direction wins. */
#ifndef GWS_KERNELS_DIRECTION_H
#define GWS_KERNELS_DIRECTION_H

/* The constants of a kind of worker; all 0: never pull. */
struct direction_rule {
    u32 arcs;       /* switch to pull if arcs * (the frontier's arcs) > the unexplored arcs, and */
    u32 walk;       /* if walk * (the frontier's arcs) > the vertices that pull reads; 0: no such condition */
    u32 size;       /* continue while size * (the frontier's vertices) > the vertices that pull reads */
    bool once;      /* switch by arcs at most once */
    bool size_also; /* also switch by size */
};

/* Threads, and groups with one launch per level: pull reads all vertices. */
#define DIRECTION_THREADS 15, 16, 18, false, false
/* A persistent kernel: pull reads the unvisited vertices, a word of the bitmap at a time. It counts the arcs of the
 * first frontiers only. */
#define DIRECTION_PERSISTENT 16, 0, 32, true, true
/* Rounds of vertices that re-enter: pull reads all vertices and complete rows. */
#define DIRECTION_ROUNDS 0, 0, 4, false, true

/* The position of a traversal before a level. */
struct direction_view {
    u64 size, arcs; /* the frontier's vertices, and their arcs */
    u64 unexplored; /* the arcs of vertices that have not been in a frontier */
    u64 candidates; /* the vertices that a level of pull reads */
    bool pulling;   /* the last level was pull */
    bool pulled;    /* some level was pull */
    /* The expected cost of push and pull, in any common unit; both 0: every arc costs the same. */
    float push_cost, pull_cost;
};

/* Returns whether the next level is pull. */
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
