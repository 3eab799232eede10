/* SPDX-License-Identifier: MIT */
/* Every task container and what it promises beyond the contract (lib/queue/task_container.h), and tasks that show
 * whether they are whole. A new container is one line below. */
#ifndef GWS_TESTS_TASK_KINDS_H
#define GWS_TESTS_TASK_KINDS_H

#include "../../harness.h"

#include <stdint.h>

#include "../../../lib/queue/task_container.h"
#include "../../../lib/random.h"

enum task_end { END_OLDEST, END_NEWEST, END_NONE };

static const struct task_kind {
    const char *name;
    const struct gws_task_container *container;
    enum task_end pops, steals; /* from which end of a queue; within it */
    bool grows;
    bool keeps;  /* some of a queue's tasks from thieves, so that they find none where length() says that there are */
    bool shared; /* one queue for all */
    bool amount; /* thieves are asked how many they take; else it is one */
} task_kinds[] = {
    {"abp", &gws__tasks_abp, END_NEWEST, END_OLDEST, false, false, false, false},
    {"chaselev", &gws__tasks_chaselev, END_NEWEST, END_OLDEST, true, false, false, false},
    {"split", &gws__tasks_split, END_NEWEST, END_OLDEST, true, true, false, true},
    {"workpile", &gws__tasks_workpile, END_OLDEST, END_NEWEST, true, false, false, true},
    {"global", &gws__tasks_global, END_OLDEST, END_NONE, true, true, true, false},
};

enum { task_kind_count = sizeof task_kinds / sizeof task_kinds[0] };

/* ---- a container's state ---- */

struct task_state {
    const struct gws_task_container *container;
    struct gws_allocator allocator;
    void *memory, *state;
    uint32_t words;
};

static inline gws_status task_state_make(struct task_state *state, const struct gws_task_container *container,
                                         struct gws_test_memory *memory, uint32_t workers, uint32_t words,
                                         uint64_t room)
{
    enum { line = 128 };
    size_t bytes = container->bytes + workers * container->worker_bytes;
    *state = (struct task_state){.container = container, .allocator = gws_test_allocator(memory), .words = words};
    state->memory = malloc(bytes + line);
    state->state = (char *)state->memory + (line - (uintptr_t)state->memory % line);
    memset(state->state, 0, bytes);
    struct gws_task_shape shape = {workers, words, room, &state->allocator};
    return container->make(state->state, &shape);
}

static inline void task_state_strip(struct task_state *state)
{
    state->container->strip(state->state);
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

/* False when the queue is full. */
static inline bool task_push(struct task_state *s, uint32_t worker, uint64_t id)
{
    uint64_t *place = s->container->place(s->state, worker);
    if (!place) return false;
    task_write(place, id, s->words);
    s->container->publish(s->state, worker);
    return true;
}

/* What thieves ask for: all, half, or as many as chunk says. */
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

static inline struct gws_theft task_theft(uint32_t thief, uint32_t victim, uint64_t draw)
{
    static uint64_t (*const amount[])(uint64_t, uint64_t) = {task_amount_all, task_amount_half, task_amount_chunk};
    return (struct gws_theft){thief, victim, amount[draw % 3], 1 + draw / 3 % 3, draw & 64};
}

#endif
