/* SPDX-License-Identifier: MIT */
/* Queues of simulated workers: their tasks, which of them thieves may take, and the statistics of their lengths.
 *
 * A slot holds a record and, if the tasks often repeat, how many equal tasks in a row it stands for. So the consumers
 * of a producer, which are millions at once, take a slot for each queue that has some. */
#include <string.h>

#include "sim.h"

enum { max_length = 1 << 30 };

static uint64_t *slot_at(const struct gws_sim *sim, const struct gws__sim_ring *ring, uint32_t index)
{
    return ring->slot + (uint64_t)((ring->front + index) & (ring->capacity - 1)) * sim->slot_words;
}

/* Moves the slots to a buffer of another capacity, a power of two. */
static bool resize(struct gws_sim *sim, struct gws__sim_ring *ring, uint32_t capacity)
{
    struct gws__sim_ring other = {.slots = ring->slots, .length = ring->length, .capacity = capacity};
    const uint64_t bytes = sim->slot_words * sizeof *other.slot;
    other.slot = gws__sim_block_take(sim, capacity * bytes);
    if (!other.slot) return false;
    const uint32_t front = ring->capacity ? ring->front & (ring->capacity - 1) : 0, end = ring->capacity - front;
    const uint32_t straight = ring->slots < end ? ring->slots : end;
    if (straight) memcpy(other.slot, slot_at(sim, ring, 0), straight * bytes);
    if (ring->slots > straight) memcpy(slot_at(sim, &other, straight), ring->slot, (ring->slots - straight) * bytes);
    gws__sim_ring_clear(sim, ring);
    *ring = other;
    return true;
}

void gws__sim_ring_clear(struct gws_sim *sim, struct gws__sim_ring *ring)
{
    if (ring->capacity) gws__sim_block_give(sim, ring->slot, ring->capacity * sim->slot_words * sizeof *ring->slot);
    *ring = (struct gws__sim_ring){.slot = NULL};
}

/* Makes space for `more` slots. */
static bool reserve(struct gws_sim *sim, struct gws__sim_ring *ring, uint32_t more)
{
    enum { first = 4 };
    const uint64_t slots = (uint64_t)ring->slots + more;
    uint32_t capacity = ring->capacity ? ring->capacity : first;
    while (capacity < slots && capacity < max_length) capacity *= 2;
    if (capacity == ring->capacity) return true;
    if (slots <= max_length && resize(sim, ring, capacity)) return true;
    sim->failed = GWS_NO_MEMORY;
    return false;
}

/* Returns memory of a queue that has become short. */
static void shrink(struct gws_sim *sim, struct gws__sim_ring *ring)
{
    enum { small = 8, sparse = 4 };
    if (ring->slots == 0)
        gws__sim_ring_clear(sim, ring);
    else if (ring->capacity > small && ring->slots < ring->capacity / sparse && !resize(sim, ring, ring->capacity / 2))
        sim->failed = GWS_NO_MEMORY;
}

static bool is_equal(const struct gws_sim *sim, const uint64_t *slot, uint64_t maker, const void *task)
{
    return (!sim->maker || slot[0] == maker) && memcmp(slot + sim->maker, task, sim->tasks->bytes) == 0;
}

bool gws__sim_push(struct gws_sim *sim, struct gws__sim_ring *ring, uint64_t maker, const void *task)
{
    if (ring->length == max_length) sim->failed = GWS_NO_MEMORY;
    uint64_t *slot = sim->repeats && ring->slots > 0 ? slot_at(sim, ring, ring->slots - 1) : NULL;
    if (slot && is_equal(sim, slot, maker, task)) {
        slot[sim->record]++;
    } else {
        if (ring->slots == ring->capacity && !reserve(sim, ring, 1)) return false;
        slot = slot_at(sim, ring, ring->slots++);
        if (sim->maker) slot[0] = maker;
        memcpy(slot + sim->maker, task, sim->tasks->bytes);
        if (sim->repeats) slot[sim->record] = 1;
    }
    ring->length++;
    return sim->failed == GWS_OK;
}

void gws__sim_pop(struct gws_sim *sim, struct gws__sim_ring *ring, bool oldest, uint64_t *record)
{
    uint64_t *slot = slot_at(sim, ring, oldest ? 0 : ring->slots - 1);
    for (uint32_t i = 0; i < sim->record; i++) record[i] = slot[i];
    ring->length--;
    if (sim->repeats && --slot[sim->record] > 0) return;
    ring->slots--;
    if (oldest) ring->front++;
    shrink(sim, ring);
}

void gws__sim_prefetch(const struct gws_sim *sim, const struct gws__sim_ring *ring)
{
    if (ring->slots > 0) __builtin_prefetch(slot_at(sim, ring, ring->slots - 1));
}

/* Copies slots of one queue to the end of another one, which has space for them. */
static void copy(const struct gws_sim *sim, const struct gws__sim_ring *source, uint32_t first,
                 struct gws__sim_ring *target, uint32_t count)
{
    for (uint32_t run; count > 0; first += run, count -= run) {
        const uint32_t from = source->capacity - ((source->front + first) & (source->capacity - 1));
        const uint32_t to = target->capacity - ((target->front + target->slots) & (target->capacity - 1));
        run = count < from ? count : from;
        run = run < to ? run : to;
        memcpy(slot_at(sim, target, target->slots), slot_at(sim, source, first),
               (uint64_t)run * sim->slot_words * sizeof *source->slot);
        target->slots += run;
    }
}

/* Returns the number of slots with the oldest or the newest tasks. remainder: tasks of the last of these slots beyond
 * count. */
static uint32_t slots_of(const struct gws_sim *sim, const struct gws__sim_ring *ring, uint32_t count, bool oldest,
                         uint64_t *remainder)
{
    uint32_t slots = 0;
    uint64_t tasks = 0;
    *remainder = 0;
    if (!sim->repeats) return count;
    for (; tasks < count; slots++) tasks += slot_at(sim, ring, oldest ? slots : ring->slots - 1 - slots)[sim->record];
    *remainder = tasks - count;
    return slots;
}

void gws__sim_move(struct gws_sim *sim, uint32_t from, uint32_t to, uint32_t count, bool oldest)
{
    struct gws__sim_ring *source = &sim->worker[from].queue, *target = &sim->worker[to].queue;
    const uint32_t had = source->length, target_had = target->length;
    uint64_t remainder;
    const uint32_t slots = slots_of(sim, source, count, oldest, &remainder), whole = slots - (remainder > 0);
    if (!reserve(sim, target, slots)) return;
    copy(sim, source, oldest ? 0 : source->slots - slots, target, slots);
    source->slots -= whole;
    if (oldest) source->front += whole;
    if (remainder > 0) { /* the tasks of a slot are divided */
        slot_at(sim, source, oldest ? 0 : source->slots - 1)[sim->record] = remainder;
        slot_at(sim, target, target->slots - (oldest ? 1 : slots))[sim->record] -= remainder;
    }
    source->length -= count;
    target->length += count;
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
