/* SPDX-License-Identifier: MIT */
/* Running one loop: fill the container, call as many workers as it is worth, take and steal until all is empty, wait.
 * The flow is that of Abdelmageed's thesis (section 3.2), but that the main thread works too. */
#include "../random.h"
#include "pool.h"

/* Goes round the others, beginning with the victim that the policy names, until a chunk is got or enough were empty.
 * Nothing is put back into a container while a loop runs, so one look at each that says EMPTY is enough. */
static bool steal(struct gws__pool *pool, uint32_t self, struct gws_worker_stats *stats, struct gws_range *range)
{
    struct gws__desk *desk = &pool->desk[self];
    if (!pool->policy->victim || pool->victims < 2) return false;
    struct gws_view view = {self, pool->victims, desk->last, gws_random_next(&desk->random)};
    uint32_t victim = pool->policy->victim(&view);
    uint32_t attempts = self == 0 ? pool->victims - 1 : pool->attempts;
    for (uint32_t tried = 0; tried < attempts;) {
        enum gws_grab grab = pool->policy->container->steal(pool->container, victim, range);
        if (grab == GWS_GRAB_TOOK) {
            desk->last = victim;
            stats->steals++;
            stats->stolen += range->end - range->begin;
            return true;
        }
        stats->failed_steals++;
        if (grab == GWS_GRAB_LOST) continue; /* somebody else got one: there may be more */
        do victim = victim + 1 < pool->victims ? victim + 1 : 0;
        while (victim == self);
        tried++;
    }
    return false;
}

static bool take(struct gws__pool *pool, uint32_t self, struct gws_worker_stats *stats, struct gws_range *range)
{
    return pool->policy->container->pop(pool->container, self, range) == GWS_GRAB_TOOK ||
           steal(pool, self, stats, range);
}

void gws__pool_work(void *context, uint32_t worker)
{
    struct gws__pool *pool = context;
    struct gws__desk *desk = &pool->desk[worker];
    const struct gws_loop *loop = pool->loop;
    struct gws_worker_stats *stats = loop->aside ? &desk->aside : &desk->stats;
    double began = gws_clock_ms();
    for (struct gws_range range; take(pool, worker, stats, &range);) {
        loop->body(loop->context, worker, range.begin, range.end);
        stats->tasks += range.end - range.begin;
    }
    if (loop->finish) loop->finish(loop->context, worker, 0, 0);
    desk->stats.busy_ms += gws_clock_ms() - began;
}

static void run_alone(struct gws__pool *pool, const struct gws_loop *loop)
{
    double began = gws_clock_ms();
    if (loop->count) loop->body(loop->context, 0, 0, loop->count);
    if (loop->finish) loop->finish(loop->context, 0, 0, 0);
    gws_parallel_note(&pool->services, 0, loop->aside ? 0 : loop->count, 0, gws_clock_ms() - began);
}

static uint32_t chunk_for(const struct gws__pool *pool, const struct gws_loop *loop, uint32_t workers)
{
    uint32_t chunk = loop->chunk ? loop->chunk : pool->chunk;
    if (chunk == 0) chunk = gws__decide_chunk(loop->count, workers);
    uint64_t least = loop->count / UINT32_MAX + 1; /* the containers count chunks in 32 bits */
    return chunk > least ? chunk : (uint32_t)least;
}

/* The parts up to the last that is not empty, but at least those of who comes. */
static uint32_t parts_for(const struct gws_loop *loop, uint32_t all, uint32_t workers)
{
    uint32_t parts = all;
    while (parts > workers && loop->part[parts - 1].begin == loop->part[parts - 1].end) parts--;
    return parts;
}

void gws__pool_run(struct gws_runtime *runtime, const struct gws_loop *loop)
{
    struct gws__pool *pool = (struct gws__pool *)runtime;
    uint32_t workers = gws__decide_workers(loop->count, loop->grain, runtime->workers);
    if (workers > loop->count) workers = (uint32_t)loop->count;
    if (workers <= 1) {
        run_alone(pool, loop);
        return;
    }
    double began = gws_clock_ms();
    const struct gws_container *container = pool->policy->container;
    struct gws_cut cut = {
        .count = loop->count,
        .chunk = chunk_for(pool, loop, workers),
        .workers = workers,
        .parts = loop->part ? parts_for(loop, runtime->workers, workers) : 0,
        .part = loop->part,
    };
    pool->loop = loop;
    pool->victims = container->fill(pool->container, &cut);
    pool->attempts = gws__decide_attempts(cut.count, cut.chunk, pool->victims - 1);
    gws__crew_call(&pool->crew, workers);
    gws__pool_work(pool, 0);
    gws__crew_wait(&pool->crew, workers, !container->owner_only);
    pool->ran_ms += gws_clock_ms() - began;
}
