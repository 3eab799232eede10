/* SPDX-License-Identifier: MIT */
/* The host's side of host queues. kernels/hetero/host_queue.cl explains the queue. */
#define _POSIX_C_SOURCE 200809L
#include "../host_queue.h"

#include <sched.h>
#include <time.h>

#include "../../kernels/kernels.h"
#include "../parallel.h"
#include "host_ring.h"

enum { batch = 256, eager_passes = 64, yielding_passes = 1024, passes_a_poll = 32 };

struct gws_host_queue {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_device_buffer *shared, *state;
    struct gws__host_ring ring;
    bool complete, over; /* gws_host_queue_serve(): it gets no more tasks; its kernel has ended */
    double until;        /* gws_host_queue_serve(): the time by which the kernel must take a task */
};

/* ---- the kernel's source ---- */

/* The first part of host_queue_words.h and host_queue.cl in the program md (kernels/programs). */
enum { first_part = 3, own_parts = 2 };

uint32_t gws_host_queue_source(const char *source, const char **part)
{
    const char *const *all = gws__kernel_program_find("md")->part;
    part[0] = all[0]; /* the portability header */
    for (uint32_t i = 0; i < own_parts; i++) part[1 + i] = all[first_part + i];
    part[1 + own_parts] = source;
    return 1 + own_parts + 1;
}

/* ---- one queue ---- */

static gws_status open_queue(struct gws_host_queue *queue, struct gws_diagnostic *where)
{
    void *word = NULL;
    const struct gws_device_info *info = gws_device_describe(queue->device);
    if (info->max_shared == 0)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0,
                                  "%s: shares no memory with the host, so it has no host queue", info->address);
    gws_status status = gws_device_shared_new(queue->device, 8 * (HOST_QUEUE_SLOTS + queue->ring.capacity),
                                              &queue->shared, &word, where);
    queue->ring.word = word;
    if (status == GWS_OK)
        status =
            gws_device_buffer_new(queue->device, 8 * (HOST_QUEUE_BATCH + queue->ring.capacity), &queue->state, where);
    return status == GWS_OK ? gws_host_queue_reset(queue, where) : status;
}

gws_status gws_host_queue_open(struct gws_runtime *runtime, struct gws_device *device, uint64_t capacity,
                               struct gws_host_queue **queue, struct gws_diagnostic *where)
{
    if (capacity == 0 || capacity >> 31)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "a queue of %llu tasks",
                                  (unsigned long long)capacity);
    struct gws_host_queue *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_host_queue){.runtime = runtime, .device = device, .ring.capacity = capacity};
    gws_status status = open_queue(made, where);
    if (status == GWS_OK)
        *queue = made;
    else
        gws_host_queue_close(made);
    return status;
}

void gws_host_queue_close(struct gws_host_queue *queue)
{
    if (!queue) return;
    gws_device_buffer_free(queue->shared);
    gws_device_buffer_free(queue->state);
    gws_release(queue->runtime, queue, 1, sizeof *queue);
}

void gws_host_queue_arguments(const struct gws_host_queue *queue,
                              struct gws_device_argument argument[GWS_HOST_QUEUE_ARGUMENTS])
{
    argument[0] = (struct gws_device_argument){.buffer = queue->shared};
    argument[1] = (struct gws_device_argument){.buffer = queue->state};
    argument[2] = (struct gws_device_argument){.value = &queue->ring.capacity, .bytes = sizeof queue->ring.capacity};
}

gws_status gws_host_queue_reset(struct gws_host_queue *queue, struct gws_diagnostic *where)
{
    queue->ring.written = 0;
    /* relaxed: the launch of the kernel publishes the words. */
    for (uint64_t w = 0; w < HOST_QUEUE_SLOTS; w++)
        atomic_store_explicit(&queue->ring.word[w], 0, memory_order_relaxed);
    return gws_device_fill(queue->state, 0, 0, (uint64_t)2 * HOST_QUEUE_BATCH, where);
}

uint64_t gws_host_queue_space(const struct gws_host_queue *queue)
{
    return gws__host_ring_space(&queue->ring);
}

uint64_t gws_host_queue_enqueue(struct gws_host_queue *queue, const uint64_t *task, uint64_t count)
{
    return gws__host_ring_enqueue(&queue->ring, task, count);
}

void gws_host_queue_stop(struct gws_host_queue *queue)
{
    gws__host_ring_stop(&queue->ring);
}

/* ---- serving ---- */

struct server {
    struct gws_host_queue *const *queue;
    uint32_t queues;
    gws_host_queue_next *next;
    void *context;
    bool cancellable;
};

/* Refills a queue if half of its slots are free. Returns whether it got tasks. */
static bool refill(const struct server *server, uint32_t f)
{
    struct gws_host_queue *queue = server->queue[f];
    uint64_t task[batch], space = queue->complete || queue->over ? 0 : gws_host_queue_space(queue);
    if (space == 0 || space < queue->ring.capacity / 2) return false;
    uint64_t count = server->next(server->context, f, task, space < batch ? space : batch);
    queue->complete = count == 0;
    if (count == 0) return false;
    (void)gws_host_queue_enqueue(queue, task, count);
    queue->until = gws_clock_ms() + gws_device_limit_ms(queue->device);
    return true;
}

/* Polls a kernel. Sets queue->over. */
static gws_status poll_kernel(struct gws_host_queue *queue, struct gws_diagnostic *where)
{
    if (queue->over) return GWS_OK;
    gws_status status = gws_device_poll(queue->device, &queue->over, where);
    if (status != GWS_OK || queue->over || gws_clock_ms() < queue->until) return status;
    gws_host_queue_stop(queue);
    status = gws_device_wait(queue->device, where);
    if (status != GWS_OK) return status;
    return gws_diagnostic_set(where, GWS_DEVICE, NULL, 0, 0, "%s: the kernel took no task in %g ms",
                              gws_device_describe(queue->device)->address, gws_device_limit_ms(queue->device));
}

static gws_status poll_all(const struct server *server, bool *over, struct gws_diagnostic *where)
{
    const bool cancelled = server->cancellable && gws_cancelled(server->queue[0]->runtime);
    gws_status status = cancelled ? gws_diagnostic_status(where, GWS_CANCELLED) : GWS_OK;
    *over = true;
    for (uint32_t f = 0; f < server->queues && status == GWS_OK; f++) {
        status = poll_kernel(server->queue[f], where);
        *over &= server->queue[f]->over;
    }
    return status;
}

static void pause_after(uint64_t passes)
{
    const struct timespec pause = {.tv_nsec = 20000};
    if (passes >= yielding_passes)
        (void)nanosleep(&pause, NULL);
    else if (passes >= eager_passes)
        (void)sched_yield();
}

static gws_status serve(const struct server *server, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    bool over = false;
    for (uint64_t passes = 1, idle = 0; status == GWS_OK && !over; passes++) {
        bool some = false;
        for (uint32_t f = 0; f < server->queues; f++) some |= refill(server, f);
        idle = some ? 0 : idle + 1;
        if (passes % passes_a_poll == 0 || idle >= yielding_passes) status = poll_all(server, &over, where);
        pause_after(idle);
    }
    return status;
}

static gws_status serve_and_wait(const struct server *server, struct gws_diagnostic *where)
{
    struct gws_host_queue *const *queue = server->queue;
    const uint32_t queues = server->queues;
    for (uint32_t f = 0; f < queues; f++) {
        queue[f]->complete = queue[f]->over = false;
        queue[f]->until = gws_clock_ms() + gws_device_limit_ms(queue[f]->device);
    }
    gws_status status = serve(server, where);
    for (uint32_t f = 0; f < queues && status != GWS_OK; f++) gws_host_queue_stop(queue[f]);
    for (uint32_t f = 0; f < queues; f++) {
        gws_status waited = gws_device_wait(queue[f]->device, status == GWS_OK ? where : NULL);
        if (status == GWS_OK) status = waited;
    }
    return status;
}

gws_status gws_host_queue_serve(struct gws_host_queue *const *queue, uint32_t queues, gws_host_queue_next *next,
                                void *context, bool cancellable, struct gws_diagnostic *where)
{
    const struct server server = {queue, queues, next, context, cancellable};
    return queues > 0 ? GWS_CALL(queue[0]->runtime, where, serve_and_wait(&server, where)) : GWS_OK;
}
