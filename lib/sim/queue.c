/* SPDX-License-Identifier: MIT */
/* Queues of simulated workers: their records, which of them thieves may take, and the statistics of their lengths. */
#include <string.h>

#include "sim.h"

static uint64_t *record_at(const struct gws_sim *sim, const struct gws__sim_ring *ring, uint32_t index)
{
    return ring->slot + (uint64_t)((ring->front + index) & (ring->capacity - 1)) * sim->record;
}

/* Moves the records to a buffer of another capacity, a power of two. */
static bool resize(struct gws_sim *sim, struct gws__sim_ring *ring, uint32_t capacity)
{
    struct gws__sim_ring other = {.length = ring->length, .capacity = capacity};
    const uint64_t bytes = sim->record * sizeof *other.slot;
    other.slot = gws__sim_block_take(sim, capacity * bytes);
    if (!other.slot) return false;
    const uint32_t front = ring->capacity ? ring->front & (ring->capacity - 1) : 0, end = ring->capacity - front;
    const uint32_t straight = ring->length < end ? ring->length : end;
    if (straight) memcpy(other.slot, record_at(sim, ring, 0), straight * bytes);
    if (ring->length > straight)
        memcpy(record_at(sim, &other, straight), ring->slot, (ring->length - straight) * bytes);
    gws__sim_ring_clear(sim, ring);
    *ring = other;
    return true;
}

void gws__sim_ring_clear(struct gws_sim *sim, struct gws__sim_ring *ring)
{
    if (ring->capacity) gws__sim_block_give(sim, ring->slot, ring->capacity * sim->record * sizeof *ring->slot);
    *ring = (struct gws__sim_ring){.slot = NULL};
}

/* Makes space for `more` records. */
static bool reserve(struct gws_sim *sim, struct gws__sim_ring *ring, uint32_t more)
{
    enum { first = 4, max = 1 << 30 };
    const uint64_t length = (uint64_t)ring->length + more;
    uint32_t capacity = ring->capacity ? ring->capacity : first;
    while (capacity < length && capacity < max) capacity *= 2;
    if (capacity == ring->capacity) return length <= max;
    if (length <= max && resize(sim, ring, capacity)) return true;
    sim->failed = GWS_NO_MEMORY;
    return false;
}

/* Returns memory of a queue that has become short. */
static void shrink(struct gws_sim *sim, struct gws__sim_ring *ring)
{
    enum { small = 8, sparse = 4 };
    if (ring->length == 0)
        gws__sim_ring_clear(sim, ring);
    else if (ring->capacity > small && ring->length < ring->capacity / sparse && !resize(sim, ring, ring->capacity / 2))
        sim->failed = GWS_NO_MEMORY;
}

uint64_t *gws__sim_push(struct gws_sim *sim, struct gws__sim_ring *ring)
{
    if (ring->length == ring->capacity && !reserve(sim, ring, 1)) return NULL;
    return record_at(sim, ring, ring->length++);
}

void gws__sim_pop(struct gws_sim *sim, struct gws__sim_ring *ring, bool oldest, uint64_t *record)
{
    ring->length--;
    const uint64_t *slot = record_at(sim, ring, oldest ? 0 : ring->length);
    for (uint32_t i = 0; i < sim->record; i++) record[i] = slot[i];
    if (oldest) ring->front++;
    shrink(sim, ring);
}

/* Copies records of one queue to the end of another one, which has space for them. */
static void copy(const struct gws_sim *sim, const struct gws__sim_ring *source, uint32_t first,
                 struct gws__sim_ring *target, uint32_t count)
{
    for (uint32_t run; count > 0; first += run, count -= run) {
        const uint32_t from = source->capacity - ((source->front + first) & (source->capacity - 1));
        const uint32_t to = target->capacity - ((target->front + target->length) & (target->capacity - 1));
        run = count < from ? count : from;
        run = run < to ? run : to;
        memcpy(record_at(sim, target, target->length), record_at(sim, source, first),
               (uint64_t)run * sim->record * sizeof *source->slot);
        target->length += run;
    }
}

void gws__sim_move(struct gws_sim *sim, uint32_t from, uint32_t to, uint32_t count, bool oldest)
{
    struct gws__sim_ring *source = &sim->worker[from].queue, *target = &sim->worker[to].queue;
    const uint32_t had = source->length, target_had = target->length;
    if (!reserve(sim, target, count)) return;
    copy(sim, source, oldest ? 0 : had - count, target, count);
    source->length -= count;
    if (oldest) source->front += count;
    shrink(sim, source);
    gws__sim_changed(sim, from, had);
    gws__sim_changed(sim, to, target_had);
}

uint32_t gws__sim_available(const struct gws_sim *sim, uint32_t worker)
{
    const struct gws__sim_worker *of = &sim->worker[worker];
    /* Stolen tasks that have not arrived are in the thief's queue already. */
    if (of->state == GWS__SIM_UNLOCK || of->state == GWS__SIM_ARRIVE) return 0;
    return sim->policy->queue == GWS__QUEUE_SPLIT ? of->shared : of->queue.length;
}

void gws__sim_account(struct gws_sim *sim)
{
    const double since = (double)(sim->wheel.now - sim->accounted);
    const double mean = (double)sim->lengths * sim->share;
    const struct gws_sim_observer *observer = sim->options->observer;
    if (observer)
        observer->queued(observer->context, sim->lengths, sim->accounted / GWS__SIM_NS, sim->wheel.now / GWS__SIM_NS);
    sim->spread += since * ((double)sim->squares * sim->share - mean * mean);
    sim->length += since * mean;
    sim->accounted = sim->wheel.now;
}

static void set_stealable(struct gws_sim *sim, uint32_t worker, bool has)
{
    const uint32_t word = worker / 64;
    gws__sim_pool_changes(sim);
    sim->stealable[word] ^= UINT64_C(1) << (worker % 64);
    const uint64_t bit = UINT64_C(1) << (word % 64);
    sim->stealable_words[word / 64] = (sim->stealable_words[word / 64] & ~bit) | (sim->stealable[word] ? bit : 0);
    sim->stealables += has ? 1U : UINT32_MAX;
    gws__sim_pool_changed(sim);
}

void gws__sim_changed(struct gws_sim *sim, uint32_t worker, uint32_t before)
{
    const uint32_t length = sim->worker[worker].queue.length;
    if (sim->wheel.now > sim->accounted) gws__sim_account(sim);
    sim->lengths += (uint64_t)length - before;
    sim->squares += (uint64_t)length * length - (uint64_t)before * before;
    if (length > sim->result.queue_high_water) sim->result.queue_high_water = length;
    const bool has = gws__sim_available(sim, worker) > 0, had = gws__sim_bit(sim->stealable, worker);
    if (has != had) set_stealable(sim, worker, has);
    if (sim->idles == 0 || !has || sim->pools) return;
    if (sim->policy->queue == GWS__QUEUE_GLOBAL)
        gws__sim_unpark(sim, length > before ? length - before : 0);
    else if (!had)
        gws__sim_unpark(sim, sim->idles);
}

void gws__sim_release(struct gws_sim *sim, uint32_t worker)
{
    struct gws__sim_worker *of = &sim->worker[worker];
    const uint32_t length = of->queue.length, own = length - of->shared;
    if (sim->policy->queue != GWS__QUEUE_SPLIT || own <= 2 * of->shared) return;
    /* Parked and starved thieves would look at every queue again and again. */
    if (own < 2 && sim->idles == 0 && !gws__sim_is_starved(sim) && !gws__sim_bit(sim->hungry, worker)) return;
    of->shared = length - length / 2;
    sim->hungry[worker / 64] &= ~(UINT64_C(1) << (worker % 64));
}
