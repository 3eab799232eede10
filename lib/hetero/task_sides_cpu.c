/* SPDX-License-Identifier: MIT */
/* The CPU's workers as a side: they run the tasks that the side took from the pool in the runtime's own queues. A
 * worker that sees that another side waits gives the older half of its queue, whose tasks are the larger ones, and goes
 * on with the tasks at hand. So each gift leaves the worker something to do. */
#include <string.h>

#include "task_sides.h"

enum {
    line = 128,
    min_gift = 4,
    max_gift = 4096,    /* tasks that a worker looks at */
    max_children = 1024 /* of a task that a worker runs */
};

gws_status gws__cpu_side_open(struct gws__cpu_side *cpu, struct gws_runtime *runtime)
{
    cpu->bytes = gws_runtime_workers(runtime) * sizeof *cpu->counts + line;
    cpu->memory = gws_allocate(runtime, cpu->bytes, 1);
    if (!cpu->memory) return GWS_NO_MEMORY;
    memset(cpu->memory, 0, cpu->bytes);
    cpu->counts = (struct gws__cpu_counts *)((char *)cpu->memory + (line - (uintptr_t)cpu->memory % line));
    return GWS_OK;
}

void gws__cpu_side_close(struct gws__cpu_side *cpu, struct gws_runtime *runtime)
{
    gws_release(runtime, cpu->memory, cpu->bytes, 1);
    cpu->memory = NULL;
}

/* ---- giving ---- */

/* Gives the older half of the worker's own tasks. */
static void give(struct gws__cpu_side *cpu, struct gws_task_worker *self)
{
    struct gws__task_pool *pool = cpu->side.pool;
    const uint64_t length = self->queue->length(self->state, self->worker);
    const uint32_t words = self->job->words, max = length < max_gift ? (uint32_t)length : max_gift;
    if (length < min_gift) return;
    uint64_t *task = gws_allocate(pool->runtime, max, words * sizeof *task);
    if (!task) {
        gws__task_pool_end(pool, GWS_NO_MEMORY, NULL);
        return;
    }
    const uint64_t *older;
    const uint32_t gift = gws__job_split(self, task, max, max, &older);
    (void)gws__task_pool_give(pool, &cpu->side, (const uint32_t *)older, gift);
    gws_release(pool->runtime, task, max, words * sizeof *task);
}

/* ---- running ---- */

/* Gives all tasks at hand, and those of the queue. */
static void pass_on(struct gws__cpu_side *cpu, struct gws_task_worker *self, const void *task, uint32_t count)
{
    struct gws__task_pool *pool = cpu->side.pool;
    const uint64_t words = self->job->words;
    gws__cpu_side_keep(cpu, self);
    const uint64_t all = self->queue->length(self->state, self->worker) + count;
    uint64_t *gift = gws_allocate(pool->runtime, all, words * sizeof *gift), given = count;
    if (!gift) {
        gws__task_pool_end(pool, GWS_NO_MEMORY, NULL);
        return;
    }
    memcpy(gift, task, count * words * sizeof *gift);
    for (uint32_t got = 1; got > 0 && given < all; given += got) {
        const uint64_t max = gws_smaller(all - given, gws__max_batch);
        got = self->queue->pop(self->state, self->worker, (uint32_t)max, gift + given * words);
    }
    (void)gws__task_pool_give(pool, &cpu->side, (const uint32_t *)(const void *)gift, given);
    gws_release(pool->runtime, gift, all, words * sizeof *gift);
}

static uint32_t children_left(const struct gws__cpu_side *cpu, const uint32_t *task)
{
    return task[cpu->length + TASK_RANGE_END] - task[cpu->length + TASK_RANGE_FIRST];
}

/* Spawns two halves of a task, each with half of its children. So all workers and sides get children of a task with
 * very many, as on a device (kernels/task/stack.cl). The halves count as one task. */
static void divide(const struct gws__cpu_side *cpu, struct gws_task_worker *self, const uint32_t *task,
                   struct gws__cpu_counts *counts)
{
    uint32_t half[GWS_DEVICE_TASK_WORDS + TASK_RANGE + 1];
    memcpy(half, task, cpu->side.pool->entry * sizeof *half);
    uint32_t *first = &half[cpu->length + TASK_RANGE_FIRST], *end = &half[cpu->length + TASK_RANGE_END], all = *end;
    *end = *first + children_left(cpu, task) / 2;
    gws_spawn(self, half);
    *first = *end;
    *end = all;
    gws_spawn(self, half);
    counts->run--;
}

/* Runs tasks, each with at most max_children children. */
static void run_whole(struct gws__cpu_side *cpu, struct gws_task_worker *self, uint32_t worker, const uint32_t *task,
                      uint32_t count)
{
    struct gws__cpu_counts *counts = &cpu->counts[worker];
    for (uint32_t i = 0; i < count; i++) counts->created += children_left(cpu, task + i * cpu->side.pool->entry);
    counts->run += count;
    if (count > 0) cpu->from->run(cpu->from->context, self, worker, task, count);
}

static void run(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    struct gws__cpu_side *cpu = context;
    const uint32_t *words = task, entry = cpu->side.pool->entry;
    uint32_t first = 0;
    if (gws__task_pool_over(cpu->side.pool)) return; /* a side has failed */
    if (!cpu->from) {
        pass_on(cpu, self, task, count);
        return;
    }
    if (gws__task_pool_hungry(cpu->side.pool)) give(cpu, self);
    for (uint32_t i = 0; i < count; i++) {
        if (children_left(cpu, words + i * entry) <= max_children) continue;
        run_whole(cpu, self, worker, words + first * entry, i - first);
        divide(cpu, self, words + i * entry, &cpu->counts[worker]);
        first = i + 1;
    }
    run_whole(cpu, self, worker, words + first * entry, count - first);
}

void gws__cpu_side_run(struct gws__cpu_side *cpu)
{
    struct gws__task_pool *pool = cpu->side.pool;
    struct gws_tasks tasks = {.bytes = pool->entry * (uint32_t)sizeof(uint32_t),
                              .batch = cpu->from ? cpu->from->batch : 0,
                              .run = run,
                              .context = cpu};
    uint32_t *root = NULL;
    if (cpu->ranks) {
        gws__cpu_side_run_on_ranks(cpu, &tasks);
        return;
    }
    while ((tasks.roots = gws__task_pool_take(pool, &cpu->side, &root)) > 0) {
        tasks.root = root;
        gws_status status = gws__tasks_run(pool->runtime, &tasks, &gws__task_queue_chaselev);
        gws_release(pool->runtime, root, tasks.roots, tasks.bytes);
        if (status != GWS_OK) gws__task_pool_end(pool, status, NULL);
    }
}

void gws__cpu_side_result(const struct gws__cpu_side *cpu, struct gws_device_task_side_result *result)
{
    const uint32_t workers = gws_runtime_workers(cpu->side.pool->runtime);
    uint64_t run = 0;
    for (uint32_t w = 0; w < workers; w++) {
        result->created += cpu->counts[w].created;
        run += cpu->counts[w].run;
    }
    /* The side's tasks were taken, or spawned by a parent; they were run, or given. */
    result->parents = run + cpu->side.given - cpu->side.taken;
}
