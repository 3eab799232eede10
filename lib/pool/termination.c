/* SPDX-License-Identifier: MIT */
/* The counter of busy workers, and the vote.
 *
 * The vote goes through a binary tree of workers (Dinan et al., SC 2009, section 4; after Francez and Rodeh, 1982).
 * Worker w's parent is (w - 1) / 2.
 *
 * The root sends a wave down; every idle worker passes it on and, when both subtrees have answered, answers for itself
 * and them: white if all were white and it neither stole nor was robbed since its last answer, else black. A busy
 * worker lets the wave wait. After a white wave all is over; after a black one the root sends the next.
 *
 * Why white is right. Say that all answered a wave white and there still is a task. Its holder answered while idle and
 * got it, through thefts, from somebody who had it before he answered; look at the first theft, in time, whose thief
 * had answered this wave and whose victim had not. Its thief blackened the victim before it took anything, and the
 * victim answers after it has found its queue empty, so it answers black. A worker that answers white and black again
 * in one wave does not exist: it answers each once. tests/models/vote.pml checks this in every interleaving.
 *
 * Orders: waves and answers are released and acquired along the tree's edges, so the end carries what everybody did. */
#include "termination.h"

/* ---- the vote ---- */

static const uint32_t over = UINT32_MAX; /* as a wave; waves count from 1 */

static void vote_marks(struct gws__termination *termination, uint32_t worker, uint32_t victim)
{
    /* Where tasks move by theft only, one of the marks would do: whoever holds tasks was a thief since its last answer.
     * Balancing gives tasks to workers who were not.
     * relaxed: the theft that follows is a release, and the victim's acquire fence in answer() follows its look at the
     * emptied queue. */
    atomic_store_explicit(&termination->voter[victim].black, 1, memory_order_relaxed);
    atomic_store_explicit(&termination->voter[worker].black, 1, memory_order_relaxed);
}

/* Tells both children, who may sleep. */
static void send(struct gws__termination *termination, uint32_t worker, uint32_t wave)
{
    termination->voter[worker].sent = wave;
    for (uint32_t child = 2 * worker + 1; child <= 2 * worker + 2 && child < termination->workers; child++) {
        /* release: pairs with the acquire in wave_for(). */
        atomic_store_explicit(&termination->voter[child].wave, wave, memory_order_release);
        termination->wake(termination->context, child);
    }
}

static uint32_t wave_for(const struct gws__termination *termination, uint32_t worker)
{
    /* acquire: pairs with the release in send(); for the end, of which everybody is told by his parent. */
    return atomic_load_explicit(&termination->voter[worker].wave, memory_order_acquire);
}

/* True if both subtrees have answered the wave; *black becomes 1 if one was black. */
static bool children_answered(const struct gws__termination *termination, uint32_t worker, uint32_t wave,
                              uint32_t *black)
{
    for (uint32_t child = 2 * worker + 1; child <= 2 * worker + 2 && child < termination->workers; child++) {
        /* acquire: pairs with the release in answer(). The fence in answer() would do; ThreadSanitizer knows none. */
        uint32_t answer = atomic_load_explicit(&termination->voter[child].answer, memory_order_acquire);
        if (answer >> 1 != wave) return false;
        *black |= answer & 1;
    }
    return true;
}

/* Answers the parent, or, at the root, ends the vote or sends the next wave. */
static void answer(struct gws__termination *termination, uint32_t worker, uint32_t wave, uint32_t black)
{
    struct gws__voter *me = &termination->voter[worker];
    atomic_thread_fence(memory_order_acquire); /* pairs with the release of a theft; see vote_marks() */
    black |= atomic_exchange_explicit(&me->black, 0, memory_order_relaxed);
    if (worker > 0) {
        /* release: pairs with the acquire in children_answered(). */
        atomic_store_explicit(&me->answer, wave << 1 | black, memory_order_release);
        termination->wake(termination->context, (worker - 1) / 2);
    } else {
        atomic_store_explicit(&me->wave, black ? wave + 1 : over, memory_order_relaxed); /* read by itself */
    }
}

/* Passes the wave on, and answers it when that is due; true if it did and so, at the root, made the next one. */
static bool vote(struct gws__termination *termination, uint32_t worker, uint32_t wave)
{
    struct gws__voter *me = &termination->voter[worker];
    if (me->sent != wave) send(termination, worker, wave);
    if (wave == 0 || wave == over) return false;
    uint32_t black = 0;
    if (worker > 0 && atomic_load_explicit(&me->answer, memory_order_relaxed) >> 1 == wave) return false;
    if (!children_answered(termination, worker, wave, &black)) return false;
    answer(termination, worker, wave, black);
    return true;
}

static bool vote_over(struct gws__termination *termination, uint32_t worker)
{
    if (worker == 0 && wave_for(termination, 0) == 0)
        atomic_store_explicit(&termination->voter[0].wave, 1, memory_order_relaxed); /* the first wave */
    uint32_t wave;
    do wave = wave_for(termination, worker);
    while (vote(termination, worker, wave) && worker == 0); /* else the root might rest on what it is to send */
    return wave == over;
}

/* ---- either ---- */

void gws__termination_begin(struct gws__termination *termination, uint32_t workers)
{
    termination->workers = workers;
    atomic_store_explicit(&termination->busy, 1, memory_order_relaxed);
    for (uint32_t w = 0; termination->voter && w < workers; w++) {
        atomic_store_explicit(&termination->voter[w].wave, 0, memory_order_relaxed);
        atomic_store_explicit(&termination->voter[w].answer, 0, memory_order_relaxed);
        atomic_store_explicit(&termination->voter[w].black, 0, memory_order_relaxed);
        termination->voter[w].sent = 0;
    }
}

bool gws__termination_idle(struct gws__termination *termination, uint32_t worker)
{
    (void)worker;
    if (termination->voter) return false; /* who asks gws__termination_over() is idle */
    /* acquire: a thief who emptied this worker's queue counted itself before its theft, which is a release
     * (task_container.h) that was read when the queue was found empty. */
    atomic_thread_fence(memory_order_acquire);
    /* acq_rel: what this worker did happens before whoever finds 0, here or by gws__termination_over()'s acquire; the
     * increments in between are read-modify-writes and carry the release on. */
    return atomic_fetch_sub_explicit(&termination->busy, 1, memory_order_acq_rel) == 1;
}

void gws__termination_busy(struct gws__termination *termination, uint32_t worker)
{
    (void)worker;
    /* relaxed: the theft that follows is a release, so the victim that it empties decrements after this. */
    if (!termination->voter) atomic_fetch_add_explicit(&termination->busy, 1, memory_order_relaxed);
}

void gws__termination_robs(struct gws__termination *termination, uint32_t worker, uint32_t victim)
{
    if (termination->voter) vote_marks(termination, worker, victim);
}

bool gws__termination_over(struct gws__termination *termination, uint32_t worker)
{
    if (termination->voter) return vote_over(termination, worker);
    /* acquire: pairs with the release in gws__termination_idle(). */
    return atomic_load_explicit(&termination->busy, memory_order_acquire) == 0;
}
