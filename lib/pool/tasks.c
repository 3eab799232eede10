/* SPDX-License-Identifier: MIT */
/* Calls for immediate tasks: the memory of one call, its start and end, and spawning. tasks_work.c has the workers'
 * part. */
#include "tasks.h"

#include <string.h>

#include "../base/memory.h"

enum { max_bytes = 4096, default_capacity = 4096, first_threshold = 2 };

static uint64_t up_to_line(uint64_t bytes)
{
    return (bytes + gws__job_line - 1) / gws__job_line * gws__job_line;
}

static uint64_t records_bytes(const struct gws__job *job)
{
    return up_to_line((job->batch_size + (uint64_t)1) * job->words * sizeof(uint64_t));
}

/* Allocates one block for the task workers, the records of each, the voters and the queue's state. */
static gws_status allocate(struct gws__pool *pool, struct gws__job *job)
{
    uint64_t voters = pool->vote ? job->workers * sizeof(struct gws__voter) : 0;
    uint64_t state = job->queue ? job->queue->bytes + job->workers * job->queue->worker_bytes : 0;
    job->bytes = job->workers * (sizeof *job->task_worker + records_bytes(job)) + voters + state + gws__job_line;
    job->memory = gws__memory_zero(&pool->services.allocator, job->bytes, 1);
    if (!job->memory) return GWS_NO_MEMORY;
    char *at = (char *)job->memory + (gws__job_line - (uintptr_t)job->memory % gws__job_line);
    job->task_worker = (struct gws_task_worker *)at;
    at += job->workers * sizeof *job->task_worker;
    for (uint32_t w = 0; w < job->workers; w++, at += records_bytes(job)) job->task_worker[w].batch = (uint64_t *)at;
    job->termination.voter = voters ? (struct gws__voter *)at : NULL;
    job->state = at + voters;
    return GWS_OK;
}

static void init_task_worker(struct gws__pool *pool, struct gws__job *job, uint32_t worker)
{
    struct gws_task_worker *self = &job->task_worker[worker];
    self->queue = job->queue;
    self->state = job->state;
    self->pool = pool;
    self->job = job;
    self->worker = worker;
    self->overflow = (struct gws__segmented_list){.allocator = &pool->services.allocator, .words = job->words};
    self->discard = self->batch + (uint64_t)job->batch_size * job->words;
    self->threshold = first_threshold;
}

static uint64_t capacity_for(const struct gws_tasks *tasks)
{
    uint64_t capacity = 2;
    while (capacity < (tasks->capacity ? tasks->capacity : default_capacity) && capacity < UINT32_MAX) capacity *= 2;
    return capacity;
}

static void wake(void *context, uint32_t worker)
{
    gws__idle_set_unpark(context, worker);
}

gws_status gws__job_open(struct gws__pool *pool, const struct gws_tasks *tasks, const struct gws_task_queue *queue,
                         uint32_t workers, struct gws__record *record, struct gws__job *job)
{
    *job = (struct gws__job){.tasks = tasks, .workers = workers, .allocated_workers = workers, .queue = queue};
    job->words = gws__task_words(tasks) + (record ? gws__record_words : 0);
    job->batch_size = tasks->batch ? tasks->batch : 1;
    job->marks_every_run = pool->vote && queue && !pool->victim;
    job->termination.wake = wake;
    job->termination.context = &pool->idle_set;
    gws_status status = allocate(pool, job);
    if (status != GWS_OK) return status;
    for (uint32_t w = 0; w < workers; w++) {
        init_task_worker(pool, job, w);
        job->task_worker[w].record = record;
    }
    if (!queue) return GWS_OK;
    struct gws_task_shape shape = {workers, job->words, capacity_for(tasks), &pool->services.allocator};
    job->is_open = true;
    return queue->init(job->state, &shape);
}

void gws__job_close(struct gws__pool *pool, struct gws__job *job)
{
    for (uint32_t w = 0; job->memory && w < job->allocated_workers; w++)
        gws__segmented_list_clear(&job->task_worker[w].overflow);
    if (job->is_open) job->queue->destroy(job->state);
    gws__memory_free(&pool->services.allocator, job->memory, job->bytes, 1);
}

gws_status gws__job_run(struct gws__pool *pool, struct gws__job *job,
                        void (*work)(struct gws__pool *pool, uint32_t worker))
{
    double began = gws_clock_ms();
    gws__termination_begin(&job->termination, job->workers);
    if (job->queue->mark_active) job->queue->mark_active(job->state, 0);
    for (uint32_t w = 1; job->queue->mark_idle && w < job->workers; w++) (void)job->queue->mark_idle(job->state, w);
    pool->job = job;
    pool->work = work;
    gws__threads_call(&pool->threads, job->workers);
    work(pool, 0);
    gws__threads_wait(&pool->threads, job->workers, !pool->vote);
    pool->ran_ms += gws_clock_ms() - began;
    return (gws_status)atomic_load_explicit(&job->failed, memory_order_relaxed);
}

static gws_status run_in_queues(struct gws__pool *pool, const struct gws_tasks *tasks,
                                const struct gws_task_queue *queue, const struct gws__peers *peers)
{
    struct gws__job job;
    const bool alone = peers && peers->alone;
    gws_status status =
        gws__job_open(pool, tasks, queue, alone ? 1 : pool->services.workers, peers ? NULL : pool->record, &job);
    job.peers = peers;
    job.uncounted = alone;
    for (uint64_t i = 0; status == GWS_OK && i < tasks->roots; i++)
        gws_spawn(&job.task_worker[0], (const char *)tasks->root + i * gws__task_words(tasks) * sizeof(uint64_t));
    if (status == GWS_OK) job.task_worker[0].made = 0; /* roots do not count as spawned */
    if (status == GWS_OK) status = gws__job_run(pool, &job, gws__job_work);
    gws__job_close(pool, &job);
    return status;
}

static bool is_valid(const struct gws_tasks *tasks)
{
    return tasks->run && tasks->bytes > 0 && tasks->bytes <= max_bytes && tasks->batch <= gws__max_batch &&
           (tasks->root || tasks->roots == 0);
}

gws_status gws__tasks_run(struct gws_runtime *runtime, const struct gws_tasks *tasks,
                          const struct gws_task_queue *otherwise)
{
    struct gws__pool *pool = (struct gws__pool *)runtime;
    if (!is_valid(tasks)) return GWS_INVALID;
    if (tasks->roots == 0) return GWS_OK;
    const struct gws_task_queue *queue = pool->tasks ? pool->tasks : otherwise;
    gws_status status = gws__workers_begin(runtime, true);
    if (status != GWS_OK) return status;
    status = queue ? run_in_queues(pool, tasks, queue, NULL) : gws__rounds_run(pool, tasks);
    gws__workers_end(runtime);
    return status;
}

gws_status gws__tasks_run_with(struct gws_runtime *runtime, const struct gws_tasks *tasks,
                               const struct gws__peers *peers)
{
    struct gws__pool *pool = (struct gws__pool *)runtime;
    const struct gws_task_queue *queue = pool->tasks ? pool->tasks : peers->otherwise;
    if (!is_valid(tasks) || !queue || pool->vote) return GWS_INVALID;
    gws_status status = gws__workers_begin(runtime, true);
    if (status != GWS_OK) return status;
    status = run_in_queues(pool, tasks, queue, peers);
    gws__workers_end(runtime);
    return status;
}

gws_status gws_tasks_run(struct gws_runtime *runtime, const struct gws_tasks *tasks)
{
    return gws__tasks_run(runtime, tasks, NULL);
}

void *gws_spawn_reserve(struct gws_task_worker *self)
{
    uint64_t *slot = self->queue ? self->queue->reserve(self->state, self->worker) : NULL;
    self->in_overflow = slot == NULL;
    if (!slot) {
        slot = gws__segmented_list_reserve(&self->overflow);
        self->lost = slot == NULL;
        if (!slot) return self->discard;
    }
    if (self->record) gws__record_spawn(self, slot);
    return slot;
}

static void commit_overflow(struct gws_task_worker *self)
{
    if (self->lost)
        atomic_store_explicit(&self->job->failed, GWS_NO_MEMORY, memory_order_relaxed);
    else
        self->overflow.count++;
}

void gws_spawn_commit(struct gws_task_worker *self)
{
    self->made++;
    if (self->in_overflow) {
        commit_overflow(self);
        return;
    }
    self->queue->commit(self->state, self->worker);
    gws__idle_set_notify(&self->pool->idle_set, self->worker);
}

void gws_spawn(struct gws_task_worker *self, const void *task)
{
    memcpy(gws_spawn_reserve(self), task, self->job->tasks->bytes);
    gws_spawn_commit(self);
}
