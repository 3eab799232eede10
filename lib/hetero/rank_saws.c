/* SPDX-License-Identifier: MIT */
/* SAWS: one atomic addition finds and claims tasks (Cartier, Dinan, Larkins: "Optimizing Work Stealing Communication
 * with Structured Atomic Operations", ICPP 2021, section 4), in windows.
 *
 * Words: claims and copied. claims has, from its highest bits: attempts (24 bits), the number of published tasks (20),
 * and the slot of the first (20). A thief adds one attempt. The old value alone tells what the thief has claimed: the
 * first attempt half of the published tasks, rounded up, the next one half of the rest, and so on; after the last task
 * nothing. Attempts beyond 2^24 fall off the word, but a thief that reads before it adds makes none if nothing is left.
 *
 * The owner swaps the word for one without tasks, and so learns exactly what thieves have claimed. The rest is its own
 * until it publishes tasks again. Thieves add what they have copied to `copied`. The owner overwrites a slot only when
 * all claimed tasks up to some later moment have been copied. */
#include "../policy/decide.h"
#include "rank_queue.h"

enum { claims_word, copied_word, field_bits = 20 };

static const uint64_t one_attempt = UINT64_C(1) << (2 * field_bits);

struct claims {
    uint64_t attempts, published, slot;
};

static struct claims unpack(uint64_t word)
{
    const uint64_t field = (UINT64_C(1) << field_bits) - 1;
    return (struct claims){word >> (2 * field_bits), word >> field_bits & field, word & field};
}

/* Returns how many tasks `attempts` attempts leave. */
static uint64_t rest_of(uint64_t published, uint64_t attempts)
{
    uint64_t rest = published;
    for (uint64_t i = 0; i < attempts && rest > 0; i++) rest -= gws__amount_half(rest, 0);
    return rest;
}

/* ---- the owner ---- */

static uint64_t own_word(struct gws__rank_queue *queue, uint64_t word)
{
    uint64_t value;
    queue->link->load(queue->memory, queue->self, word, 1, &value);
    return value;
}

static uint64_t length(struct gws__rank_queue *queue)
{
    const struct claims claims = unpack(own_word(queue, claims_word));
    return rest_of(claims.published, claims.attempts);
}

/* Withdraws all tasks that thieves have not claimed, and moves the tail to the first of them. */
static void withdraw(struct gws__rank_queue *queue)
{
    const struct claims claims = unpack(queue->link->swap(queue->memory, queue->self, claims_word, 0));
    queue->tail = queue->split - rest_of(claims.published, claims.attempts);
    if (own_word(queue, copied_word) == queue->tail) queue->free = queue->tail;
}

static void publish(struct gws__rank_queue *queue)
{
    const uint64_t count = queue->split - queue->tail, slot = queue->tail % queue->capacity;
    (void)queue->link->swap(queue->memory, queue->self, claims_word, count << field_bits | slot);
}

static uint64_t release(struct gws__rank_queue *queue, const uint64_t *task, uint64_t count)
{
    withdraw(queue);
    const uint64_t space = queue->capacity - (queue->split - queue->free);
    if (count > space) count = space;
    gws__rank_queue_put(queue, queue->split, count, task);
    queue->split += count;
    publish(queue);
    return count;
}

static uint64_t reacquire(struct gws__rank_queue *queue, uint64_t max, uint64_t *task)
{
    if (length(queue) == 0) return 0;
    withdraw(queue);
    const uint64_t half = gws__amount_half(queue->split - queue->tail, 0), count = half < max ? half : max;
    queue->split -= count;
    publish(queue);
    gws__rank_queue_get(queue, queue->self, queue->split, count, task); /* only release() writes these slots */
    return count;
}

static uint64_t taken(struct gws__rank_queue *queue)
{
    return queue->split - length(queue);
}

/* ---- thieves ---- */

static enum gws_acquire steal(struct gws__rank_queue *queue, uint32_t victim, bool wait, uint64_t max, uint64_t *task,
                              uint64_t *stolen)
{
    uint64_t word;
    (void)wait;
    (void)max; /* half of a queue, which has at most as many tasks */
    queue->link->load(queue->memory, victim, claims_word, 1, &word);
    struct claims claims = unpack(word);
    if (rest_of(claims.published, claims.attempts) == 0) return GWS_ACQUIRE_EMPTY;
    claims = unpack(queue->link->add(queue->memory, victim, claims_word, one_attempt));
    const uint64_t rest = rest_of(claims.published, claims.attempts);
    if (rest == 0) return GWS_ACQUIRE_LOST;
    *stolen = gws__amount_half(rest, 0);
    gws__rank_queue_get(queue, victim, claims.slot + (claims.published - rest), *stolen, task);
    (void)queue->link->add(queue->memory, victim, copied_word, *stolen);
    return GWS_ACQUIRED;
}

const struct gws__rank_protocol gws__rank_saws = {"saws", length, release, reacquire, taken, steal};
