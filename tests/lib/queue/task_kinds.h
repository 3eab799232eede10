/* SPDX-License-Identifier: MIT */
/* Every task queue and its properties beyond the contract (lib/queue/task_queue.h), and tasks that show whether they
 * are whole. Each line of the table describes one queue. */
#ifndef GWS_TESTS_TASK_KINDS_H
#define GWS_TESTS_TASK_KINDS_H

#include "../../harness.h"

#include <stdint.h>

#include "../../../lib/queue/task_queue.h"
#include "../../../lib/random.h"

enum task_end { END_OLDEST, END_NEWEST, END_NONE };

static const struct task_kind {
    const char *name;
    const struct gws_task_queue *ops;
    enum task_end pops, steals; /* the ends of the queue at which pop() and steal() take tasks */
    bool grows;
    bool keeps;  /* some tasks stay private, so thieves may find none although length() is not 0 */
    bool shared; /* all workers share one queue */
    bool amount; /* a steal uses the amount, rather than taking one task */
} task_kinds[] = {
    {"abp", &gws__task_queue_abp, END_NEWEST, END_OLDEST, false, false, false, false},
    {"chaselev", &gws__task_queue_chaselev, END_NEWEST, END_OLDEST, true, false, false, false},
    {"split", &gws__task_queue_split, END_NEWEST, END_OLDEST, true, true, false, true},
    {"workpile", &gws__task_queue_workpile, END_OLDEST, END_NEWEST, true, false, false, true},
    {"global", &gws__task_queue_global, END_OLDEST, END_NONE, true, true, true, false},
};

enum { task_kind_count = sizeof task_kinds / sizeof task_kinds[0] };

/* ---- a queue's state ---- */

struct task_state {
    const struct gws_task_queue *ops;
    struct gws_allocator allocator;
    void *memory, *state;
    uint32_t words;
};

static inline gws_status task_state_init(struct task_state *state, const struct gws_task_queue *ops,
                                         struct gws_test_memory *memory, uint32_t workers, uint32_t words,
                                         uint64_t capacity)
{
    enum { line = 128 };
    size_t bytes = ops->bytes + workers * ops->worker_bytes;
    *state = (struct task_state){.ops = ops, .allocator = gws_test_allocator(memory), .words = words};
    state->memory = malloc(bytes + line);
    state->state = (char *)state->memory + (line - (uintptr_t)state->memory % line);
    memset(state->state, 0, bytes);
    struct gws_task_shape shape = {workers, words, capacity, &state->allocator};
    return ops->init(state->state, &shape);
}

static inline void task_state_destroy(struct task_state *state)
{
    state->ops->destroy(state->state);
    free(state->memory);
}

/* ---- tasks ---- */

static inline void task_write(uint64_t *task, uint64_t id, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++) task[i] = i == 0 ? id : id * 0x9e3779b97f4a7c15 + i;
}

static inline bool task_is_whole(const uint64_t *task, uint32_t words)
{
    for (uint32_t i = 1; i < words; i++)
        if (task[i] != task[0] * 0x9e3779b97f4a7c15 + i) return false;
    return true;
}

/* Pushes a task. Returns false when the queue is full. */
static inline bool task_push(struct task_state *s, uint32_t worker, uint64_t id)
{
    uint64_t *slot = s->ops->reserve(s->state, worker);
    if (!slot) return false;
    task_write(slot, id, s->words);
    s->ops->commit(s->state, worker);
    return true;
}

/* The tests' amounts are all, half, or a chunk. */
static inline uint64_t task_amount_all(uint64_t length, uint64_t chunk)
{
    (void)chunk;
    return length;
}

static inline uint64_t task_amount_half(uint64_t length, uint64_t chunk)
{
    (void)chunk;
    return (length + 1) / 2;
}

static inline uint64_t task_amount_chunk(uint64_t length, uint64_t chunk)
{
    return length < chunk ? length : chunk;
}

static inline struct gws_steal_request task_request(uint32_t thief, uint32_t victim, uint64_t draw)
{
    static uint64_t (*const amount[])(uint64_t, uint64_t) = {task_amount_all, task_amount_half, task_amount_chunk};
    return (struct gws_steal_request){thief, victim, amount[draw % 3], 1 + draw / 3 % 3, draw & 64};
}

#endif
