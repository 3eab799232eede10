/* SPDX-License-Identifier: MIT */
/* Loops on a task queue. A task is a range of indexes and its home, the worker whose share contains the range. A worker
 * that runs a range longer than a chunk splits it repeatedly and spawns the upper halves. So a queue holds a
 * logarithmic number of tasks. A thief takes the oldest task, which is the largest. A loop cannot fail: if a queue is
 * full, its owner does not split. */
#include "tasks.h"

#include "../base/memory.h"

enum { min_capacity = 64 };

struct range_task {
    uint64_t begin, end, home;
};

static bool spawn_range(struct gws_task_worker *self, struct range_task task)
{
    uint64_t *slot = self->queue->reserve(self->state, self->worker);
    if (!slot) return false;
    slot[0] = task.begin;
    slot[1] = task.end;
    slot[2] = task.home;
    self->queue->commit(self->state, self->worker);
    gws__idle_set_notify(&self->pool->idle_set, self->worker);
    return true;
}

static void run_range(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    (void)count; /* always 1 */
    const struct gws__ranges *ranges = context;
    const struct gws_loop *loop = self->pool->loop;
    struct range_task range = *(const struct range_task *)task;
    if (gws__pool_cut(self->pool, worker)) return;
    while (range.end - range.begin > ranges->chunk) {
        uint64_t middle = range.begin + (range.end - range.begin) / 2;
        if (!spawn_range(self, (struct range_task){middle, range.end, range.home})) break;
        range.end = middle;
    }
    loop->body(loop->context, worker, range.begin, range.end);
    self->stats->tasks += range.end - range.begin;
    if (range.home != worker && self->pool->victim) self->stats->stolen += range.end - range.begin;
}

gws_status gws__ranges_open(struct gws__pool *pool, struct gws__ranges *ranges)
{
    uint32_t workers = pool->services.workers;
    ranges->tasks = (struct gws_tasks){.bytes = sizeof(struct range_task),
                                       .capacity = (uint64_t)workers + min_capacity, /* for distribute()'s tasks */
                                       .run = run_range,
                                       .context = ranges};
    return gws__job_open(pool, &ranges->tasks, pool->tasks, workers, NULL, &ranges->job);
}

void gws__ranges_close(struct gws__pool *pool, struct gws__ranges *ranges)
{
    gws__job_close(pool, &ranges->job);
}

/* Spawns every worker's share into worker 0's queue. The share is the given part, or an equal part if the loop gives
 * none. Every worker that joins the loop steals its own share or another share. The caller does not wait for late
 * workers. */
static void distribute(struct gws__job *job, const struct gws_loop *loop, uint32_t all)
{
    uint32_t parts = loop->part ? all : job->workers;
    uint64_t each = loop->count / parts, longer = loop->count % parts, end = loop->count;
    for (uint32_t w = parts; w-- > 0;) {
        struct gws_range part = {end - each - (w < longer), end};
        end = part.begin;
        if (loop->part) part = loop->part[w];
        if (part.begin < part.end)
            (void)spawn_range(&job->task_worker[0], (struct range_task){part.begin, part.end, w});
    }
}

static void work(struct gws__pool *pool, uint32_t worker)
{
    gws__job_work(pool, worker);
    if (pool->loop->finish) pool->loop->finish(pool->loop->context, worker, 0, 0);
}

void gws__ranges_run(struct gws__pool *pool, const struct gws_loop *loop, uint32_t workers)
{
    struct gws__ranges *ranges = pool->ranges;
    ranges->chunk = gws__pool_chunk(pool, loop, workers);
    ranges->job.workers = workers;
    ranges->job.ranges = true;
    ranges->job.uncounted = loop->uncounted;
    pool->loop = loop;
    distribute(&ranges->job, loop, pool->services.workers);
    (void)gws__job_run(pool, &ranges->job, work); /* cannot fail: the tasks fit the initial capacity */
}
