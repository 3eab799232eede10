/* SPDX-License-Identifier: MIT */
/* Distances whose words have no space for the parent. The highest bit of a word locks the vertex. The worker that sets
 * the bit, by compare-and-swap, writes the parent and then the new distance. The header defines functions for struct
 * gws__sssp_loops. The source that includes this header must define NO_PATH, plus(), bucket_of() and prefetch_weight()
 * first. */
#include <sched.h>

#include "one_process.h"

#define LOCKED ((uint64_t)1 << 63)

/* A locked vertex still has its old distance. */
static inline uint64_t distance_at(const struct sssp *search, uint64_t vertex)
{
    return atomic_load_explicit(&search->word[vertex], memory_order_relaxed) & ~LOCKED;
}

static inline uint32_t tag_of(uint64_t distance)
{
    return (uint32_t)(distance ^ distance >> 32);
}

static inline bool too_far(const struct sssp *search, uint64_t distance)
{
    (void)search;
    (void)distance;
    return false;
}

static inline bool improve(struct sssp *search, const struct gws__sssp_worker *me, uint32_t vertex, uint64_t distance,
                           uint32_t from)
{
    (void)me;
    uint64_t word = atomic_load_explicit(&search->word[vertex], memory_order_relaxed);
    while (distance < (word & ~LOCKED)) {
        if (word & LOCKED) {
            sched_yield(); /* the worker that holds the lock needs a few instructions, unless the system has preempted
                              it */
            word = atomic_load_explicit(&search->word[vertex], memory_order_relaxed);
            continue;
        }
        /* acquire: pairs with the release below, so that the parents are written in the order of the locks. */
        if (!atomic_compare_exchange_weak_explicit(&search->word[vertex], &word, word | LOCKED, memory_order_acquire,
                                                   memory_order_relaxed))
            continue;
        search->parent[vertex] = from;
        atomic_store_explicit(&search->word[vertex], distance, memory_order_release);
        return true;
    }
    return false;
}

static inline bool write_result(const struct sssp *search, uint64_t vertex, uint64_t *distance)
{
    if (*distance != NO_PATH) return true;
    *distance = NO_DISTANCE;
    search->parent[vertex] = GWS_NO_VERTEX;
    return false;
}

#include "relax_body.h"

static void fill(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct sssp *search = context;
    for (uint64_t v = begin; v < end; v++) atomic_store_explicit(&search->word[v], NO_PATH, memory_order_relaxed);
}

static void start(struct sssp *search)
{
    search->parent[search->source] = search->source;
    atomic_store_explicit(&search->word[search->source], 0, memory_order_relaxed);
}
