/* SPDX-License-Identifier: MIT */
/* The common part of the tests of single task queues: a queue with its state, and tasks. A task is one number spread
 * over its words, so the tests detect torn or misplaced tasks. Include after tests/harness.h. */
#ifndef GWS_TESTS_ONE_QUEUE_H
#define GWS_TESTS_ONE_QUEUE_H

#include <stdint.h>

#include "../../../lib/queue/task_queue.h"

enum { queue_max_words = 8, queue_max_batch = 64, queue_nothing = -1 };

struct queue {
    const struct gws_task_queue *ops;
    void *state;
    uint32_t words;
    struct gws_test_memory memory;
    struct gws_allocator allocator;
};

static inline gws_status queue_init(struct queue *queue, const struct gws_task_queue *ops, uint32_t workers,
                                    uint32_t words, uint64_t capacity)
{
    size_t bytes = (ops->bytes + workers * ops->worker_bytes + 127) / 128 * 128;
    queue->ops = ops;
    queue->words = words;
    queue->state = memset(aligned_alloc(128, bytes), 0, bytes);
    queue->allocator = gws_test_allocator(&queue->memory);
    struct gws_task_shape shape = {workers, words, capacity, &queue->allocator};
    return ops->init(queue->state, &shape);
}

static inline void queue_destroy(struct queue *queue)
{
    queue->ops->destroy(queue->state);
    free(queue->state);
    gws_test_memory_check(&queue->memory);
}

static inline uint64_t queue_word(uint64_t task, uint32_t i)
{
    return i == 0 ? task : (task + i) * 0x9e3779b97f4a7c15;
}

static inline void queue_write(const struct queue *queue, uint64_t *slot, uint64_t task)
{
    for (uint32_t i = 0; i < queue->words; i++) slot[i] = queue_word(task, i);
}

/* Returns the task's number. Aborts the test if the task is not whole. */
static inline int64_t queue_read(const struct queue *queue, const uint64_t *task)
{
    for (uint32_t i = 0; i < queue->words; i++)
        if (task[i] != queue_word(task[0], i)) ck_abort_msg("task %lld is torn", (long long)task[0]);
    return (int64_t)task[0];
}

/* Pushes a task. Returns false when the queue is full. */
static inline bool queue_push(struct queue *queue, uint32_t worker, uint64_t task)
{
    uint64_t *slot = queue->ops->reserve(queue->state, worker);
    if (!slot) return false;
    queue_write(queue, slot, task);
    queue->ops->commit(queue->state, worker);
    return true;
}

/* Pushes tasks first .. first + count - 1. */
static inline void queue_push_all(struct queue *queue, uint32_t worker, uint64_t first, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) ck_assert(queue_push(queue, worker, first + i));
}

static inline int64_t queue_pop(struct queue *queue, uint32_t worker)
{
    uint64_t task[queue_max_words];
    return queue->ops->pop(queue->state, worker, 1, task) ? queue_read(queue, task) : queue_nothing;
}

/* Pops count tasks and compares them with first, first + step, ... The queue must then be empty. */
static inline void queue_expect(struct queue *queue, uint32_t worker, int64_t first, int step, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        int64_t task = queue_pop(queue, worker);
        if (task != first + step * (int64_t)i)
            ck_abort_msg("got %lld, not %lld", (long long)task, (long long)(first + step * (int64_t)i));
    }
    ck_assert_int_eq(queue_pop(queue, worker), queue_nothing);
    ck_assert_uint_eq(queue->ops->length(queue->state, worker), 0);
}

static inline uint64_t queue_length(const struct queue *queue, uint32_t worker)
{
    return queue->ops->length(queue->state, worker);
}

struct queue_stolen {
    enum gws_acquire acquired;
    int64_t first;
    uint64_t taken;
};

static inline struct queue_stolen queue_steal(struct queue *queue, const struct gws_steal_request *request)
{
    uint64_t task[queue_max_words];
    memset(task, 0x5a, sizeof task);
    struct queue_stolen stolen = {.first = queue_nothing, .taken = UINT64_MAX};
    stolen.acquired = queue->ops->steal(queue->state, request, task, &stolen.taken);
    if (stolen.acquired == GWS_ACQUIRED)
        stolen.first = queue_read(queue, task);
    else
        ck_assert(stolen.taken == UINT64_MAX && task[0] == 0x5a5a5a5a5a5a5a5a); /* unchanged on failure */
    return stolen;
}

static inline uint64_t queue_half(uint64_t length, uint64_t chunk)
{
    (void)chunk;
    return (length + 1) / 2;
}

static inline uint64_t queue_whole(uint64_t length, uint64_t chunk)
{
    (void)chunk;
    return length;
}

static inline uint64_t queue_chunk(uint64_t length, uint64_t chunk)
{
    return length < chunk ? length : chunk;
}

#endif
