/* SPDX-License-Identifier: MIT */
/* Queues of simulated workers: their records, which of them thieves may take, and the statistics of their lengths. */
#include <string.h>

#include "../base/memory.h"
#include "sim.h"

static uint64_t *record_at(const struct gws_sim *sim, const struct gws__sim_ring *ring, uint32_t index)
{
    return ring->slot + (uint64_t)((ring->front + index) & (ring->capacity - 1)) * sim->record;
}

static bool grow(struct gws_sim *sim, struct gws__sim_ring *ring)
{
    enum { first = 4, max = 1 << 30 };
    struct gws__sim_ring wider = {.length = ring->length, .capacity = ring->capacity ? 2 * ring->capacity : first};
    if (ring->capacity >= max) return false;
    const uint64_t bytes = sim->record * sizeof *wider.slot;
    wider.slot = gws__memory_new(&sim->runtime->allocator, wider.capacity, bytes);
    if (!wider.slot) return false;
    const uint32_t front = ring->capacity ? ring->front & (ring->capacity - 1) : 0, end = ring->capacity - front;
    const uint32_t straight = ring->length < end ? ring->length : end;
    if (straight) memcpy(wider.slot, record_at(sim, ring, 0), straight * bytes);
    if (ring->length > straight)
        memcpy(record_at(sim, &wider, straight), ring->slot, (ring->length - straight) * bytes);
    gws__sim_ring_clear(sim, ring);
    *ring = wider;
    return true;
}

void gws__sim_ring_clear(struct gws_sim *sim, struct gws__sim_ring *ring)
{
    gws__memory_free(&sim->runtime->allocator, ring->slot, ring->capacity, sim->record * sizeof *ring->slot);
    *ring = (struct gws__sim_ring){.slot = NULL};
}

uint64_t *gws__sim_push(struct gws_sim *sim, struct gws__sim_ring *ring)
{
    if (ring->length == ring->capacity && !grow(sim, ring)) {
        sim->failed = GWS_NO_MEMORY;
        return NULL;
    }
    return record_at(sim, ring, ring->length++);
}

const uint64_t *gws__sim_newest(const struct gws_sim *sim, struct gws__sim_ring *ring)
{
    return record_at(sim, ring, --ring->length);
}

const uint64_t *gws__sim_oldest(const struct gws_sim *sim, struct gws__sim_ring *ring)
{
    const uint64_t *record = record_at(sim, ring, 0);
    ring->length--;
    ring->front++;
    return record;
}

void gws__sim_move(struct gws_sim *sim, uint32_t from, uint32_t to, uint32_t count, bool oldest)
{
    struct gws__sim_ring *source = &sim->worker[from].queue, *target = &sim->worker[to].queue;
    const uint32_t had = source->length, target_had = target->length, first = oldest ? 0 : had - count;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t *slot = gws__sim_push(sim, target);
        if (slot) memcpy(slot, record_at(sim, source, first + i), sim->record * sizeof *slot);
    }
    source->length -= count;
    if (oldest) source->front += count;
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
    sim->spread += since * ((double)sim->squares * sim->share - mean * mean);
    sim->length += since * mean;
    sim->accounted = sim->wheel.now;
}

void gws__sim_changed(struct gws_sim *sim, uint32_t worker, uint32_t before)
{
    const uint32_t length = sim->worker[worker].queue.length;
    if (sim->wheel.now > sim->accounted) gws__sim_account(sim);
    sim->lengths += (uint64_t)length - before;
    sim->squares += (uint64_t)length * length - (uint64_t)before * before;
    if (length > sim->result.queue_high_water) sim->result.queue_high_water = length;
    const bool has = gws__sim_available(sim, worker) > 0, had = gws__sim_bit(sim->stealable, worker);
    if (has != had) sim->stealable[worker / 64] ^= UINT64_C(1) << (worker % 64);
    if (has != had) sim->stealables += has ? 1U : UINT32_MAX;
    if (sim->parkeds == 0 || !has) return;
    if (sim->policy->queue == GWS__QUEUE_GLOBAL)
        gws__sim_unpark(sim, length > before ? length - before : 0);
    else if (!had)
        gws__sim_unpark(sim, sim->parkeds);
}

void gws__sim_release(struct gws_sim *sim, uint32_t worker)
{
    struct gws__sim_worker *of = &sim->worker[worker];
    const uint32_t length = of->queue.length, own = length - of->shared;
    if (sim->policy->queue != GWS__QUEUE_SPLIT || own <= 2 * of->shared) return;
    /* Parked and starved thieves would look at every queue again and again. */
    if (own < 2 && sim->parkeds == 0 && !gws__sim_is_starved(sim) && !gws__sim_bit(sim->hungry, worker)) return;
    of->shared = length - length / 2;
    sim->hungry[worker / 64] &= ~(UINT64_C(1) << (worker % 64));
}
