/* SPDX-License-Identifier: MIT */
/* Immediate tasks on a work queue, in rounds. Each worker appends the tasks that it spawns to a list of its own. The
 * next round is a loop over these lists, divided by index without copying. Cederman and Tsigas have two arrays for this
 * purpose (GPU Computing Gems 2011, section 35.3.1), Abdelmageed's thesis has frontiers (section 3.2). */
#include "../base/memory.h"
#include "tasks.h"

struct rounds {
    struct gws__pool *pool;
    struct gws__job job;
    struct gws__segmented_list *now; /* the tasks of this round, in `workers` lists */
    struct gws_range *part;          /* each list's indexes in the round's loop */
};

/* Runs indexes begin .. end - 1 of one list. The records of a segment are contiguous. */
static void run_list(struct gws_task_worker *self, const struct gws__segmented_list *list, uint64_t begin, uint64_t end)
{
    while (begin < end) {
        uint64_t stop = begin + self->job->batch_size;
        uint64_t block_end = begin / gws__segment_records * gws__segment_records + gws__segment_records;
        if (stop > block_end) stop = block_end;
        if (stop > end) stop = end;
        gws__job_call(self, gws__segmented_list_at(list, begin), (uint32_t)(stop - begin));
        begin = stop;
    }
}

static void run_indexes(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct rounds *rounds = context;
    for (uint32_t w = 0; w < rounds->job.workers && begin < end; w++) {
        struct gws_range part = rounds->part[w];
        if (begin >= part.end) continue;
        uint64_t stop = end < part.end ? end : part.end;
        run_list(&rounds->job.task_worker[worker], &rounds->now[w], begin - part.begin, stop - part.begin);
        begin = stop;
    }
}

/* Makes the new tasks the tasks to run. Returns the number of tasks to run. */
static uint64_t next_round(struct rounds *rounds)
{
    uint64_t count = 0;
    for (uint32_t w = 0; w < rounds->job.workers; w++) {
        struct gws__segmented_list *more = &rounds->job.task_worker[w].overflow, old = rounds->now[w];
        struct gws_worker_stats *stats = &rounds->pool->worker[w].stats;
        if (old.count + more->count > stats->high_water) stats->high_water = old.count + more->count;
        rounds->now[w] = *more;
        *more = old;
        more->count = 0;
        rounds->part[w] = (struct gws_range){count, count + rounds->now[w].count};
        count = rounds->part[w].end;
    }
    return count;
}

static uint32_t chunk_for(const struct gws__pool *pool, uint64_t count)
{
    enum { chunks_a_worker = 32, max = 8192 };
    if (pool->chunk) return pool->chunk;
    uint64_t chunk = count / ((uint64_t)pool->services.workers * chunks_a_worker);
    return chunk < 1 ? 1 : chunk > max ? max : (uint32_t)chunk;
}

static gws_status run(struct rounds *rounds)
{
    for (uint64_t count; (count = next_round(rounds)) > 0;) {
        struct gws_loop loop = {.count = count,
                                .part = rounds->part,
                                .chunk = chunk_for(rounds->pool, count),
                                .body = run_indexes,
                                .context = rounds};
        gws__pool_run(&rounds->pool->services, &loop); /* gws__tasks_run() has reserved the workers */
        gws_status failed = (gws_status)atomic_load_explicit(&rounds->job.failed, memory_order_relaxed);
        if (failed != GWS_OK) return failed;
        if (gws__pool_cut(rounds->pool, 0)) return GWS_CANCELLED; /* the loop may have skipped chunks */
    }
    return GWS_OK;
}

static gws_status begin(struct rounds *rounds, const struct gws_tasks *tasks)
{
    struct gws__pool *pool = rounds->pool;
    uint32_t workers = pool->services.workers;
    gws_status status = gws__job_open(pool, tasks, NULL, workers, pool->record, &rounds->job);
    if (status != GWS_OK) return status;
    rounds->now = gws__memory_zero(&pool->services.allocator, workers, sizeof *rounds->now);
    rounds->part = gws__memory_zero(&pool->services.allocator, workers, sizeof *rounds->part);
    if (!rounds->now || !rounds->part) return GWS_NO_MEMORY;
    for (uint32_t w = 0; w < workers; w++) rounds->now[w] = rounds->job.task_worker[w].overflow;
    for (uint64_t i = 0; i < tasks->roots; i++)
        gws_spawn(&rounds->job.task_worker[0],
                  (const char *)tasks->root + i * gws__task_words(tasks) * sizeof(uint64_t));
    rounds->job.task_worker[0].made = 0;
    return rounds->job.task_worker[0].lost ? GWS_NO_MEMORY : GWS_OK;
}

static void end(struct rounds *rounds)
{
    struct gws__pool *pool = rounds->pool;
    for (uint32_t w = 0; rounds->now && w < rounds->job.workers; w++) gws__segmented_list_clear(&rounds->now[w]);
    for (uint32_t w = 0; rounds->job.task_worker && w < rounds->job.workers; w++)
        pool->worker[w].stats.made += rounds->job.task_worker[w].made;
    gws__memory_free(&pool->services.allocator, rounds->now, pool->services.workers, sizeof *rounds->now);
    gws__memory_free(&pool->services.allocator, rounds->part, pool->services.workers, sizeof *rounds->part);
    gws__job_close(pool, &rounds->job);
}

gws_status gws__rounds_run(struct gws__pool *pool, const struct gws_tasks *tasks)
{
    struct rounds rounds = {.pool = pool};
    gws_status status = begin(&rounds, tasks);
    if (status == GWS_OK) status = run(&rounds);
    end(&rounds);
    return status;
}
