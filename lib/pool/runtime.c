/* SPDX-License-Identifier: MIT */
/* Opening and closing a runtime. */
#include "../base/memory.h"
#include "../random.h"
#include "tasks.h"

enum { most_workers = 4096, line = 128 };

/* Are thieves shown the others by nearness? */
static bool looks_near(const struct gws__pool *pool)
{
    return pool->own || pool->victim == gws__victim_nearest;
}

/* The next so many bytes of a block, from a line on; where there is no block yet, they are just counted. */
static void *next(char *block, uint64_t *used, uint64_t bytes)
{
    void *place = block ? block + *used : NULL;
    *used += (bytes + line - 1) / line * line;
    return place;
}

/* Lays out all that must lie on lines of its own in one block. Returns the bytes. */
static uint64_t lay_out(struct gws__pool *pool, uint64_t workers, uint32_t slices, char *block)
{
    const struct gws_container *levels = pool->policy->levels;
    uint64_t used = 0;
    pool->thread = next(block, &used, workers * sizeof *pool->thread);
    pool->slot = next(block, &used, workers * sizeof *pool->slot);
    pool->active = next(block, &used, workers * sizeof *pool->active);
    pool->worker = next(block, &used, workers * sizeof *pool->worker);
    if (levels) pool->container = next(block, &used, levels->bytes + workers * levels->worker_bytes);
    if (!levels) pool->ranges = next(block, &used, sizeof *pool->ranges);
    struct gws_slice *slice = next(block, &used, workers * slices * sizeof *slice);
    pool->team.seat = next(block, &used, workers * sizeof *pool->team.seat);
    if (looks_near(pool)) pool->near = next(block, &used, workers * (workers - 1) * sizeof *pool->near);
    for (uint64_t w = 0; block && w < workers; w++) {
        pool->worker[w].trace.room = slices;
        pool->worker[w].trace.slice = slice + w * slices;
    }
    return used;
}

static bool allocate(struct gws__pool *pool, uint32_t workers, uint32_t slices)
{
    pool->shared_bytes = lay_out(pool, workers, slices, NULL) + line;
    pool->shared = gws__memory_zero(&pool->services.allocator, pool->shared_bytes, 1);
    if (!pool->shared) return false;
    lay_out(pool, workers, slices, (char *)pool->shared + (line - (uintptr_t)pool->shared % line));
    return true;
}

static void pool_free(struct gws__pool *pool)
{
    struct gws_allocator allocator = pool->services.allocator;
    bool limited = pool->limited;
    gws__pool_tracks_free(pool);
    if (pool->shared && pool->ranges) gws__ranges_close(pool, pool->ranges);
    gws__memory_free(&allocator, pool->shared, pool->shared_bytes, 1);
    gws__memory_free(&allocator, pool, 1, sizeof *pool);
    if (limited) gws__limit_close(&allocator);
}

static void services_from(struct gws_runtime *services, const struct gws_options *options, uint32_t workers)
{
    services->progress = options->progress;
    services->unfinished = options->unfinished;
    services->no_sync = options->no_sync;
    services->log = options->log;
    services->context = options->context;
    services->seed = options->seed;
    services->workers = workers;
    atomic_init(&services->label, (uint64_t)GWS_TRACE_NONE << 2);
    services->run = gws__pool_run;
    services->team = gws__pool_team;
}

/* The user's own decisions in place of the policy's, where it leaves them open and no name is given for them. */
static gws_status choose_own(struct gws__pool *pool, const struct gws_options *options)
{
    const struct gws_decisions *own = options->decisions;
    if (own && own->victim) {
        if (options->victim || !pool->policy->victim) return GWS_INVALID;
        pool->victim = pool->own = own->victim;
    }
    if (own && own->amount) {
        if (options->amount || !pool->policy->amount) return GWS_INVALID;
        pool->amount = own->amount;
    }
    return GWS_OK;
}

/* Decides by the policy and what the options put in its place. */
static gws_status choose(struct gws__pool *pool, const struct gws_options *options)
{
    pool->policy = gws__policy_named(options->policy);
    if (!pool->policy) return GWS_INVALID;
    pool->victim = options->victim ? gws__victim_named(options->victim) : pool->policy->victim;
    pool->amount = options->amount ? gws__amount_named(options->amount) : pool->policy->amount;
    if (options->victim && !(pool->victim && pool->policy->victim)) return GWS_INVALID;
    if (options->amount && !(pool->amount && pool->policy->amount)) return GWS_INVALID;
    pool->chunk = options->chunk;
    pool->sample = options->sample;
    pool->wait = options->wait;
    pool->vote = options->vote;
    return choose_own(pool, options);
}

static void furnish(struct gws__pool *pool, uint32_t workers)
{
    for (uint32_t w = 0; w < workers; w++) {
        struct gws__worker_state *state = &pool->worker[w];
        state->random = gws_random_at(pool->services.seed, w);
        state->last = state->turn = w;
        if (looks_near(pool)) state->near = pool->near + (uint64_t)w * (workers - 1);
    }
    pool->opened_ns = gws__pool_now(pool);
}

/* The memory and the threads of a pool whose services and policy are there. */
static gws_status fit_out(struct gws__pool *pool, const struct gws_options *options, uint32_t workers)
{
    uint32_t cpus = gws__topology_cpus(); /* before the caller is pinned to one */
    if (!allocate(pool, workers, options->trace)) return GWS_NO_MEMORY;
    if (looks_near(pool)) gws__topology_order(workers, options->pin, pool->near); /* before any is pinned */
    gws_status status = pool->ranges ? gws__ranges_open(pool, pool->ranges) : GWS_OK;
    if (status == GWS_OK)
        status =
            gws__threads_start(&pool->threads, workers, options->pin, pool->thread, pool->active, gws__pool_work, pool);
    if (status != GWS_OK) return status;
    gws__idle_set_init(&pool->idle_set, pool->slot, workers, cpus);
    furnish(pool, workers);
    return GWS_OK;
}

/* An empty pool whose allocator keeps to the limit, if there is one. */
static gws_status pool_new(const struct gws_allocator *allocator, uint64_t max_memory, struct gws__pool **pool)
{
    struct gws_allocator limited = *allocator;
    gws_status status = max_memory ? gws__limit_open(allocator, max_memory, &limited) : GWS_OK;
    if (status != GWS_OK) return status;
    *pool = gws__memory_zero(&limited, 1, sizeof **pool);
    if (*pool) {
        (*pool)->services.allocator = limited;
        (*pool)->limited = max_memory > 0;
        return GWS_OK;
    }
    if (max_memory) gws__limit_close(&limited);
    return GWS_NO_MEMORY;
}

gws_status gws_runtime_open(const struct gws_options *options, struct gws_runtime **runtime)
{
    static const struct gws_options defaults;
    if (!options) options = &defaults;
    const struct gws_allocator *allocator = options->allocator.allocate ? &options->allocator : &gws__memory_default;
    uint32_t workers = options->threads ? options->threads : gws__topology_cpus();
    if (workers > most_workers || !allocator->release) return GWS_INVALID;
    struct gws__pool *pool = NULL;
    gws_status status = pool_new(allocator, options->max_memory, &pool);
    if (status != GWS_OK) return status;
    services_from(&pool->services, options, workers);
    status = choose(pool, options);
    if (status == GWS_OK) status = fit_out(pool, options, workers);
    if (status == GWS_OK)
        *runtime = &pool->services;
    else
        pool_free(pool);
    return status;
}

void gws_runtime_close(struct gws_runtime *runtime)
{
    if (!runtime) return;
    struct gws__pool *pool = (struct gws__pool *)runtime;
    gws__threads_stop(&pool->threads);
    if (!gws__threads_are_gone(&pool->threads)) gws__idle_set_destroy(&pool->idle_set);
    pool_free(pool);
}

const char *gws_runtime_policy(const struct gws_runtime *runtime)
{
    return ((const struct gws__pool *)runtime)->policy->name;
}

uint32_t gws_runtime_chunk(const struct gws_runtime *runtime)
{
    return ((const struct gws__pool *)runtime)->chunk;
}
