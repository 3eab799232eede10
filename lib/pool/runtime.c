/* SPDX-License-Identifier: MIT */
/* Opening and closing a runtime. */
#include "../base/memory.h"
#include "../random.h"
#include "pool.h"

enum { most_workers = 4096, line = 128 };

/* All that must lie on lines of its own: mates, desks, container, in one block with room to align it. */
static uint64_t shared_bytes(const struct gws__pool *pool, uint32_t workers)
{
    return workers * (sizeof *pool->mate + sizeof *pool->desk) + pool->policy->container->bytes(workers) + line;
}

static bool pool_allocate(struct gws__pool *pool, uint32_t workers)
{
    pool->shared = gws__memory_zero(&pool->services.allocator, shared_bytes(pool, workers), 1);
    if (!pool->shared) return false;
    char *aligned = (char *)pool->shared + (line - (uintptr_t)pool->shared % line);
    pool->mate = (struct gws__mate *)aligned;
    pool->desk = (struct gws__desk *)(pool->mate + workers);
    pool->container = pool->desk + workers;
    return true;
}

static void pool_free(struct gws__pool *pool)
{
    struct gws_allocator allocator = pool->services.allocator;
    gws__memory_free(&allocator, pool->shared, shared_bytes(pool, pool->services.workers), 1);
    gws__memory_free(&allocator, pool, 1, sizeof *pool);
}

static void services_from(struct gws_runtime *services, const struct gws_options *options, uint32_t workers)
{
    services->progress = options->progress;
    services->log = options->log;
    services->context = options->context;
    services->seed = options->seed;
    services->workers = workers;
    services->run = gws__pool_run;
}

gws_status gws_runtime_open(const struct gws_options *options, struct gws_runtime **runtime)
{
    static const struct gws_options defaults;
    if (!options) options = &defaults;
    const struct gws_policy *policy = gws__policy_named(options->policy);
    const struct gws_allocator *allocator = options->allocator.allocate ? &options->allocator : &gws__memory_default;
    uint32_t workers = options->threads ? options->threads : gws__affinity_cpus();
    if (!policy || workers > most_workers || !allocator->release) return GWS_INVALID;

    struct gws__pool *pool = gws__memory_zero(allocator, 1, sizeof *pool);
    if (!pool) return GWS_NO_MEMORY;
    pool->services.allocator = *allocator;
    services_from(&pool->services, options, workers);
    pool->policy = policy;
    pool->chunk = options->chunk;
    gws_status status = pool_allocate(pool, workers) ? GWS_OK : GWS_NO_MEMORY;
    if (status == GWS_OK)
        status = gws__crew_start(&pool->crew, workers, options->pin, pool->mate, gws__pool_work, pool);
    if (status != GWS_OK) {
        pool_free(pool);
        return status;
    }
    for (uint32_t w = 0; w < workers; w++) {
        pool->desk[w].random = gws_random_at(options->seed, w);
        pool->desk[w].last = w;
    }
    *runtime = &pool->services;
    return GWS_OK;
}

void gws_runtime_close(struct gws_runtime *runtime)
{
    if (!runtime) return;
    struct gws__pool *pool = (struct gws__pool *)runtime;
    gws__crew_stop(&pool->crew);
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
