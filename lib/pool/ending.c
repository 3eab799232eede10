/* SPDX-License-Identifier: MIT */
/* The counter of busy workers, and the choice between it and the vote. */
#include "ending.h"

void gws__ending_begin(struct gws__ending *ending, uint32_t workers)
{
    ending->workers = workers;
    atomic_store_explicit(&ending->busy, 1, memory_order_relaxed);
    for (uint32_t w = 0; ending->voter && w < workers; w++) {
        atomic_store_explicit(&ending->voter[w].wave, 0, memory_order_relaxed);
        atomic_store_explicit(&ending->voter[w].answer, 0, memory_order_relaxed);
        atomic_store_explicit(&ending->voter[w].black, 0, memory_order_relaxed);
        ending->voter[w].sent = 0;
    }
}

bool gws__ending_idle(struct gws__ending *ending, uint32_t worker)
{
    (void)worker;
    if (ending->voter) return false; /* who asks gws__ending_over() is idle */
    /* acquire: a thief who emptied this worker's queue counted itself before its theft, which is a release
     * (task_container.h) that was read when the queue was found empty. */
    atomic_thread_fence(memory_order_acquire);
    /* acq_rel: what this worker did happens before whoever finds 0, here or by gws__ending_over()'s acquire; the
     * increments in between are read-modify-writes and carry the release on. */
    return atomic_fetch_sub_explicit(&ending->busy, 1, memory_order_acq_rel) == 1;
}

void gws__ending_busy(struct gws__ending *ending, uint32_t worker)
{
    (void)worker;
    /* relaxed: the theft that follows is a release, so the victim that it empties decrements after this. */
    if (!ending->voter) atomic_fetch_add_explicit(&ending->busy, 1, memory_order_relaxed);
}

void gws__ending_robs(struct gws__ending *ending, uint32_t worker, uint32_t victim)
{
    if (ending->voter) gws__vote_robs(ending, worker, victim);
}

bool gws__ending_over(struct gws__ending *ending, uint32_t worker)
{
    if (ending->voter) return gws__vote_over(ending, worker);
    /* acquire: pairs with the release in gws__ending_idle(). */
    return atomic_load_explicit(&ending->busy, memory_order_acquire) == 0;
}
