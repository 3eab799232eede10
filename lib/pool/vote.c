/* SPDX-License-Identifier: MIT */
/* Termination by a vote in a binary tree of workers (Dinan et al., SC 2009, section 4; after Francez and Rodeh, 1982).
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
#include "ending.h"

static const uint32_t vote_over = UINT32_MAX; /* as a wave; waves count from 1 */

void gws__vote_robs(struct gws__ending *ending, uint32_t worker, uint32_t victim)
{
    /* Where tasks move by theft only, one of the marks would do: whoever holds tasks was a thief since its last answer.
     * Balancing gives tasks to workers who were not.
     * relaxed: the theft that follows is a release, and the victim's acquire fence in answer() follows its look at the
     * emptied queue. */
    atomic_store_explicit(&ending->voter[victim].black, 1, memory_order_relaxed);
    atomic_store_explicit(&ending->voter[worker].black, 1, memory_order_relaxed);
}

/* Tells both children, who may sleep. */
static void send(struct gws__ending *ending, uint32_t worker, uint32_t wave)
{
    ending->voter[worker].sent = wave;
    for (uint32_t child = 2 * worker + 1; child <= 2 * worker + 2 && child < ending->workers; child++) {
        /* release: pairs with the acquire in wave_for(). */
        atomic_store_explicit(&ending->voter[child].wave, wave, memory_order_release);
        ending->wake(ending->context, child);
    }
}

static uint32_t wave_for(const struct gws__ending *ending, uint32_t worker)
{
    /* acquire: pairs with the release in send(); for the end, of which everybody is told by his parent. */
    return atomic_load_explicit(&ending->voter[worker].wave, memory_order_acquire);
}

/* True if both subtrees have answered the wave; *black becomes 1 if one was black. */
static bool children_answered(const struct gws__ending *ending, uint32_t worker, uint32_t wave, uint32_t *black)
{
    for (uint32_t child = 2 * worker + 1; child <= 2 * worker + 2 && child < ending->workers; child++) {
        /* acquire: pairs with the release in answer(). The fence in answer() would do; ThreadSanitizer knows none. */
        uint32_t answer = atomic_load_explicit(&ending->voter[child].answer, memory_order_acquire);
        if (answer >> 1 != wave) return false;
        *black |= answer & 1;
    }
    return true;
}

/* Answers the parent, or, at the root, ends the vote or sends the next wave. */
static void answer(struct gws__ending *ending, uint32_t worker, uint32_t wave, uint32_t black)
{
    struct gws__voter *me = &ending->voter[worker];
    atomic_thread_fence(memory_order_acquire); /* pairs with the release of a theft; see gws__vote_robs() */
    black |= atomic_exchange_explicit(&me->black, 0, memory_order_relaxed);
    if (worker > 0) {
        /* release: pairs with the acquire in children_answered(). */
        atomic_store_explicit(&me->answer, wave << 1 | black, memory_order_release);
        ending->wake(ending->context, (worker - 1) / 2);
    } else {
        atomic_store_explicit(&me->wave, black ? wave + 1 : vote_over, memory_order_relaxed); /* read by itself */
    }
}

/* Passes the wave on, and answers it when that is due; true if it did and so, at the root, made the next one. */
static bool vote(struct gws__ending *ending, uint32_t worker, uint32_t wave)
{
    struct gws__voter *me = &ending->voter[worker];
    if (me->sent != wave) send(ending, worker, wave);
    if (wave == 0 || wave == vote_over) return false;
    uint32_t black = 0;
    if (worker > 0 && atomic_load_explicit(&me->answer, memory_order_relaxed) >> 1 == wave) return false;
    if (!children_answered(ending, worker, wave, &black)) return false;
    answer(ending, worker, wave, black);
    return true;
}

bool gws__vote_over(struct gws__ending *ending, uint32_t worker)
{
    if (worker == 0 && wave_for(ending, 0) == 0)
        atomic_store_explicit(&ending->voter[0].wave, 1, memory_order_relaxed); /* the first wave */
    uint32_t wave;
    do wave = wave_for(ending, worker);
    while (vote(ending, worker, wave) && worker == 0); /* else the root might rest on what it is to send */
    return wave == vote_over;
}
