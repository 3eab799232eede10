/* SPDX-License-Identifier: MIT */
/* Calls for immediate tasks: the memory of one call, its beginning and its end, and spawning. What the workers do in
 * between is in tasks_work.c. */
#include "tasks.h"

#include <string.h>

#include "../base/memory.h"

enum { most_bytes = 4096, default_room = 4096, first_threshold = 2 };

static uint64_t up_to_line(uint64_t bytes)
{
    return (bytes + gws__job_line - 1) / gws__job_line * gws__job_line;
}

static uint64_t records_bytes(const struct gws__job *job)
{
    return up_to_line((job->batch + (uint64_t)1) * job->words * sizeof(uint64_t));
}

/* One block: taskers, each one's records, voters, the container's state. */
static gws_status allocate(struct gws__pool *pool, struct gws__job *job)
{
    uint64_t voters = pool->vote ? job->workers * sizeof(struct gws__voter) : 0;
    uint64_t state = job->container ? job->container->bytes + job->workers * job->container->worker_bytes : 0;
    job->bytes = job->workers * (sizeof *job->tasker + records_bytes(job)) + voters + state + gws__job_line;
    job->memory = gws__memory_zero(&pool->services.allocator, job->bytes, 1);
    if (!job->memory) return GWS_NO_MEMORY;
    char *at = (char *)job->memory + (gws__job_line - (uintptr_t)job->memory % gws__job_line);
    job->tasker = (struct gws_task_worker *)at;
    at += job->workers * sizeof *job->tasker;
    for (uint32_t w = 0; w < job->workers; w++, at += records_bytes(job)) job->tasker[w].taken = (uint64_t *)at;
    job->termination.voter = voters ? (struct gws__voter *)at : NULL;
    job->state = at + voters;
    return GWS_OK;
}

static void make_tasker(struct gws__pool *pool, struct gws__job *job, uint32_t worker)
{
    struct gws_task_worker *self = &job->tasker[worker];
    self->container = job->container;
    self->state = job->state;
    self->pool = pool;
    self->job = job;
    self->worker = worker;
    self->more = (struct gws__records){.allocator = &pool->services.allocator, .words = job->words};
    self->spare = self->taken + (uint64_t)job->batch * job->words;
    self->threshold = first_threshold;
}

static uint64_t room_for(const struct gws_tasks *tasks)
{
    uint64_t room = 2;
    while (room < (tasks->room ? tasks->room : default_room) && room < UINT32_MAX) room *= 2;
    return room;
}

static void wake(void *context, uint32_t worker)
{
    gws__idle_set_unpark(context, worker);
}

gws_status gws__job_open(struct gws__pool *pool, const struct gws_tasks *tasks,
                         const struct gws_task_container *container, uint32_t workers, struct gws__job *job)
{
    *job = (struct gws__job){.tasks = tasks, .workers = workers, .made_for = workers, .container = container};
    job->words = (tasks->bytes + 7) / 8;
    job->batch = tasks->batch ? tasks->batch : 1;
    job->marks = pool->vote && container && !pool->victim;
    job->termination.wake = wake;
    job->termination.context = &pool->idle_set;
    gws_status status = allocate(pool, job);
    if (status != GWS_OK) return status;
    for (uint32_t w = 0; w < workers; w++) make_tasker(pool, job, w);
    if (!container) return GWS_OK;
    struct gws_task_shape shape = {workers, job->words, room_for(tasks), &pool->services.allocator};
    job->is_open = true;
    return container->make(job->state, &shape);
}

void gws__job_close(struct gws__pool *pool, struct gws__job *job)
{
    for (uint32_t w = 0; job->memory && w < job->made_for; w++) gws__records_clear(&job->tasker[w].more);
    if (job->is_open) job->container->strip(job->state);
    gws__memory_free(&pool->services.allocator, job->memory, job->bytes, 1);
}

gws_status gws__job_run(struct gws__pool *pool, struct gws__job *job,
                        void (*work)(struct gws__pool *pool, uint32_t worker))
{
    double began = gws_clock_ms();
    gws__termination_begin(&job->termination, job->workers);
    if (job->container->enlist) job->container->enlist(job->state, 0);
    for (uint32_t w = 1; job->container->retire && w < job->workers; w++) (void)job->container->retire(job->state, w);
    pool->job = job;
    pool->work = work;
    gws__threads_call(&pool->threads, job->workers);
    work(pool, 0);
    gws__threads_wait(&pool->threads, job->workers, !pool->vote);
    pool->ran_ms += gws_clock_ms() - began;
    return atomic_load_explicit(&job->failed, memory_order_relaxed) ? GWS_NO_MEMORY : GWS_OK;
}

static gws_status run_in_queues(struct gws__pool *pool, const struct gws_tasks *tasks,
                                const struct gws_task_container *container)
{
    struct gws__job job;
    gws_status status = gws__job_open(pool, tasks, container, pool->services.workers, &job);
    for (uint64_t i = 0; status == GWS_OK && i < tasks->roots; i++)
        gws_spawn(&job.tasker[0], (const char *)tasks->root + i * job.words * sizeof(uint64_t));
    if (status == GWS_OK) job.tasker[0].made = 0; /* the roots were there */
    if (status == GWS_OK) status = gws__job_run(pool, &job, gws__job_work);
    gws__job_close(pool, &job);
    return status;
}

gws_status gws__tasks_run(struct gws_runtime *runtime, const struct gws_tasks *tasks,
                          const struct gws_task_container *otherwise)
{
    struct gws__pool *pool = (struct gws__pool *)runtime;
    if (!tasks->run || tasks->bytes == 0 || tasks->bytes > most_bytes || tasks->batch > gws__most_batch ||
        (tasks->roots && !tasks->root))
        return GWS_INVALID;
    if (tasks->roots == 0) return GWS_OK;
    const struct gws_task_container *container = pool->policy->tasks ? pool->policy->tasks : otherwise;
    runtime->running = true;
    gws_status status = container ? run_in_queues(pool, tasks, container) : gws__rounds_run(pool, tasks);
    runtime->running = false;
    return status;
}

gws_status gws_tasks_run(struct gws_runtime *runtime, const struct gws_tasks *tasks)
{
    return gws__tasks_run(runtime, tasks, NULL);
}

void *gws_spawn_reserve(struct gws_task_worker *self)
{
    uint64_t *place = self->container ? self->container->place(self->state, self->worker) : NULL;
    self->in_more = place == NULL;
    if (place) return place;
    place = gws__records_place(&self->more);
    self->lost = place == NULL;
    return place ? place : self->spare;
}

static void placed_in_more(struct gws_task_worker *self)
{
    if (self->lost)
        atomic_store_explicit(&self->job->failed, 1, memory_order_relaxed);
    else
        self->more.count++;
}

void gws_spawn_commit(struct gws_task_worker *self)
{
    self->made++;
    if (self->in_more) {
        placed_in_more(self);
        return;
    }
    self->container->publish(self->state, self->worker);
    gws__idle_set_notify(&self->pool->idle_set, self->worker);
}

void gws_spawn(struct gws_task_worker *self, const void *task)
{
    memcpy(gws_spawn_reserve(self), task, self->job->tasks->bytes);
    gws_spawn_commit(self);
}
