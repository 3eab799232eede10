/* SPDX-License-Identifier: MIT */
/* The counter of busy workers, and the vote.
 *
 * The vote goes through a binary tree of workers (Dinan et al., SC 2009, section 4; after Francez and Rodeh, 1982).
 * Worker w's parent is (w - 1) / 2.
 *
 * The root sends a wave down, and every idle worker passes it on. When both subtrees of a worker have answered, the
 * worker answers for itself and them. The answer is white if both subtrees were white and the worker neither stole nor
 * was a victim since its last answer. Otherwise it is black. A busy worker does not answer. After a white wave, all
 * tasks have ended. After a black wave, the root sends the next wave.
 *
 * Why white is correct. Suppose that all workers answered a wave white and a task still exists. The holder of the task
 * answered while idle. Then it got the task, through steals, from a worker that held the task before that worker
 * answered. Consider the first steal, in time, whose thief had answered this wave and whose victim had not. The thief
 * blackened the victim before it took a task. The victim answers after it has found its queue empty. So it answers
 * black, which is a contradiction. No worker answers white and then black in one wave, because each answers once.
 * tests/models/vote.pml checks this in every interleaving.
 *
 * Orders: workers release and acquire waves and answers along the edges of the tree. So a worker that learns of the end
 * sees the writes of all workers. */
#include "termination.h"

/* ---- the vote ---- */

static const uint32_t over = UINT32_MAX; /* the value of `wave` at the end; waves count from 1 */

static void vote_marks(struct gws__termination *termination, uint32_t worker, uint32_t victim)
{
    /* If tasks moved by steals only, one of the marks would suffice, because the holder of tasks was a thief since its
     * last answer. Balancing gives tasks to workers that were not thieves. relaxed: the steal that follows is a
     * release. The victim's acquire fence in answer() follows its read of the emptied queue. */
    atomic_store_explicit(&termination->voter[victim].black, 1, memory_order_relaxed);
    atomic_store_explicit(&termination->voter[worker].black, 1, memory_order_relaxed);
}

/* Sends a wave to both children, which may be asleep. */
static void send_wave(struct gws__termination *termination, uint32_t worker, uint32_t wave)
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
    /* acquire: pairs with the release in send_wave(). The wave may be the end, which every worker learns from its
     * parent. */
    return atomic_load_explicit(&termination->voter[worker].wave, memory_order_acquire);
}

/* Returns whether both subtrees have answered the wave. Sets *black to 1 if an answer was black. */
static bool children_answered(const struct gws__termination *termination, uint32_t worker, uint32_t wave,
                              uint32_t *black)
{
    for (uint32_t child = 2 * worker + 1; child <= 2 * worker + 2 && child < termination->workers; child++) {
        /* acquire: pairs with the release in answer(). The fence in answer() would suffice, but ThreadSanitizer does
         * not support fences. */
        uint32_t answer = atomic_load_explicit(&termination->voter[child].answer, memory_order_acquire);
        if (answer >> 1 != wave) return false;
        *black |= answer & 1;
    }
    return true;
}

/* Answers the parent. The root ends the vote or starts the next wave. */
static void answer(struct gws__termination *termination, uint32_t worker, uint32_t wave, uint32_t black)
{
    struct gws__voter *me = &termination->voter[worker];
    atomic_thread_fence(memory_order_acquire); /* pairs with the release of a steal; see vote_marks() */
    black |= atomic_exchange_explicit(&me->black, 0, memory_order_relaxed);
    if (worker > 0) {
        /* release: pairs with the acquire in children_answered(). */
        atomic_store_explicit(&me->answer, wave << 1 | black, memory_order_release);
        termination->wake(termination->context, (worker - 1) / 2);
    } else {
        atomic_store_explicit(&me->wave, black ? wave + 1 : over, memory_order_relaxed); /* only the root reads it */
    }
}

/* Passes the wave on, and answers the wave if both children have answered. Returns true if the worker answered. The
 * root has then ended the vote or started the next wave. */
static bool vote(struct gws__termination *termination, uint32_t worker, uint32_t wave)
{
    struct gws__voter *me = &termination->voter[worker];
    if (me->sent != wave) send_wave(termination, worker, wave);
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
    while (vote(termination, worker, wave) &&
           worker == 0); /* without the repetition, the root might sleep on a wave that it has not sent */
    return wave == over;
}

/* ---- both methods ---- */

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
    if (termination->voter) return false; /* in the vote, a worker is idle when it calls gws__termination_over() */
    /* acquire: a thief that emptied this worker's queue incremented the count before its steal. The steal is a release
     * (task_queue.h), and the worker read it when it found the queue empty. */
    atomic_thread_fence(memory_order_acquire);
    /* acq_rel: the worker that finds 0, here or through the acquire in gws__termination_over(), sees this worker's
     * writes. The increments in between are read-modify-writes and continue the release sequence. */
    return atomic_fetch_sub_explicit(&termination->busy, 1, memory_order_acq_rel) == 1;
}

void gws__termination_busy(struct gws__termination *termination, uint32_t worker)
{
    (void)worker;
    /* relaxed: the steal that follows is a release. A victim whose queue it empties thus decrements after this
     * increment. */
    if (!termination->voter) atomic_fetch_add_explicit(&termination->busy, 1, memory_order_relaxed);
}

bool gws__termination_alone(const struct gws__termination *termination)
{
    /* acquire: pairs with the release in gws__termination_idle(). */
    return atomic_load_explicit(&termination->busy, memory_order_acquire) == 1;
}

void gws__termination_mark_steal(struct gws__termination *termination, uint32_t worker, uint32_t victim)
{
    if (termination->voter) vote_marks(termination, worker, victim);
}

bool gws__termination_over(struct gws__termination *termination, uint32_t worker)
{
    if (termination->voter) return vote_over(termination, worker);
    /* acquire: pairs with the release in gws__termination_idle(). */
    return atomic_load_explicit(&termination->busy, memory_order_acquire) == 0;
}
