/* SPDX-License-Identifier: MIT */
/* Opening and closing a runtime. */
#include "../base/memory.h"
#include "../random.h"
#include "tasks.h"

enum { max_workers = 4096, line = 128 };

static const double ask_every_ms = 5;

/* Returns whether thieves need the topology order. */
static bool uses_topology_order(const struct gws__pool *pool)
{
    return pool->user_victim || pool->victim == gws__victim_nearest;
}

/* Returns the next bytes of a block, aligned to a cache line. If block is NULL, only adds the bytes to *used. */
static void *next(char *block, uint64_t *used, uint64_t bytes)
{
    void *slot = block ? block + *used : NULL;
    *used += (bytes + line - 1) / line * line;
    return slot;
}

/* Places all arrays that need cache lines of their own in one block. Returns the size of the block in bytes. */
static uint64_t lay_out(struct gws__pool *pool, uint64_t workers, uint32_t slices, char *block)
{
    const struct gws_work_queue *levels = pool->levels;
    uint64_t used = 0;
    pool->thread = next(block, &used, workers * sizeof *pool->thread);
    pool->slot = next(block, &used, workers * sizeof *pool->slot);
    pool->active = next(block, &used, workers * sizeof *pool->active);
    pool->worker = next(block, &used, workers * sizeof *pool->worker);
    if (levels) pool->queue_state = next(block, &used, levels->bytes + workers * levels->worker_bytes);
    if (!levels) pool->ranges = next(block, &used, sizeof *pool->ranges);
    struct gws_slice *slice = next(block, &used, workers * slices * sizeof *slice);
    pool->team.slot = next(block, &used, workers * sizeof *pool->team.slot);
    if (uses_topology_order(pool))
        pool->topology_order = next(block, &used, workers * (workers - 1) * sizeof *pool->topology_order);
    for (uint64_t w = 0; block && w < workers; w++) {
        pool->worker[w].trace.capacity = slices;
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
    gws__record_discard(pool);
    if (pool->shared && pool->ranges) gws__ranges_close(pool, pool->ranges);
    gws__memory_free(&allocator, pool->shared, pool->shared_bytes, 1);
    gws__memory_free(&allocator, pool, 1, sizeof *pool);
    if (limited) gws__limit_close(&allocator);
}

static void services_from(struct gws_runtime *services, const struct gws_options *options, uint32_t workers)
{
    services->progress = options->progress;
    services->unfinished = options->unfinished;
    services->cancel = options->cancel;
    services->ask_every_ms = ask_every_ms;
    services->no_sync = options->no_sync;
    services->log = options->log;
    services->context = options->context;
    services->seed = options->seed;
    services->workers = workers;
    atomic_init(&services->label, (uint64_t)GWS_TRACE_NONE << 2);
    services->run = gws__pool_run;
    services->team = gws__pool_team;
}

/* Applies the user's decisions if the policy accepts them and no option names another function. */
static gws_status choose_own(struct gws__pool *pool, const struct gws_options *options)
{
    const struct gws_decisions *own = options->decisions;
    if (own && own->victim) {
        if (options->victim || !pool->policy->victim) return GWS_INVALID;
        pool->victim = pool->user_victim = own->victim;
    }
    if (own && own->amount) {
        if (options->amount || !pool->policy->amount) return GWS_INVALID;
        pool->amount = own->amount;
    }
    return GWS_OK;
}

/* Selects the policy, and the victim and amount functions. */
static gws_status choose(struct gws__pool *pool, const struct gws_options *options)
{
    pool->policy = gws__policy_named(options->policy);
    if (!pool->policy) return GWS_INVALID;
    pool->levels = gws__work_queue_of(pool->policy->queue);
    pool->tasks = gws__task_queue_of(pool->policy->queue);
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

static void init_workers(struct gws__pool *pool, uint32_t workers)
{
    for (uint32_t w = 0; w < workers; w++) {
        struct gws__worker_state *state = &pool->worker[w];
        state->random = gws_random_at(pool->services.seed, w);
        state->last = state->last_tried = w;
        if (uses_topology_order(pool)) state->topology_order = pool->topology_order + (uint64_t)w * (workers - 1);
    }
    pool->opened_ns = gws__pool_now(pool);
}

static void ask(void *context)
{
    struct gws__pool *pool = context;
    (void)gws_cancelled(&pool->services);
}

/* Allocates memory and starts threads for a pool whose services and policy are set. */
static gws_status allocate_and_start(struct gws__pool *pool, const struct gws_options *options, uint32_t workers)
{
    uint32_t cpus = gws__topology_cpus(); /* before the caller is pinned */
    if (!allocate(pool, workers, options->trace)) return GWS_NO_MEMORY;
    if (uses_topology_order(pool))
        gws__topology_order(workers, options->pin, pool->topology_order); /* before any thread is pinned */
    gws_status status = pool->ranges ? gws__ranges_open(pool, pool->ranges) : GWS_OK;
    if (status == GWS_OK)
        status =
            gws__threads_start(&pool->threads, workers, options->pin, pool->thread, pool->active, gws__pool_work, pool);
    if (status != GWS_OK) return status;
    if (options->cancel) pool->threads.while_waiting = ask;
    gws__idle_set_init(&pool->idle_set, pool->slot, workers, cpus);
    init_workers(pool, workers);
    return GWS_OK;
}

/* Makes an empty pool. Its allocator enforces the limit max_memory, unless that is 0. */
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
    if (workers > max_workers || !allocator->release) return GWS_INVALID;
    struct gws__pool *pool = NULL;
    gws_status status = pool_new(allocator, options->max_memory, &pool);
    if (status != GWS_OK) return status;
    services_from(&pool->services, options, workers);
    status = choose(pool, options);
    if (status == GWS_OK) status = allocate_and_start(pool, options, workers);
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
