/* SPDX-License-Identifier: MIT */
/* The device arrays of octrees by tasks, and kernel launches. */
#include <string.h>

#include "../../../kernels/queue/deque_words.h"
#include "octree_tasks.h"

enum { first_rounds = 8, next_rounds = 4, max_polls = 1 << 28, static_heads = 1 };

/* ---- launching ---- */

/* Describes a launch with the arrays, the parameters, and `more` 32-bit arguments. */
static struct gws_device_launch describe_launch(const struct gws__octree_tasks *tasks, const char *kernel,
                                                const uint32_t *more, uint32_t count,
                                                struct gws_device_argument *argument)
{
    uint32_t n = 0;
    for (; n < gws__octree_arrays; n++) argument[n] = (struct gws_device_argument){.buffer = tasks->array[n]};
    argument[n++] = gws__device_trace_argument(&tasks->trace);
    argument[n++] = (struct gws_device_argument){.value = &tasks->params, .bytes = sizeof tasks->params};
    for (uint32_t i = 0; i < count; i++)
        argument[n++] = (struct gws_device_argument){.value = &more[i], .bytes = sizeof more[i]};
    return (struct gws_device_launch){.program = tasks->program,
                                      .kernel = kernel,
                                      .groups = tasks->groups,
                                      .group_size = tasks->group_size,
                                      .argument = argument,
                                      .arguments = n};
}

static gws_status run(struct gws__octree_tasks *tasks, const char *kernel, const uint32_t *more, uint32_t count,
                      struct gws_diagnostic *where)
{
    struct gws_device_argument argument[gws__octree_arrays + 16];
    struct gws_device_launch launch = describe_launch(tasks, kernel, more, count, argument);
    return gws_device_run(tasks->device, &launch, where);
}

gws_status gws__octree_tasks_resident(const struct gws__octree_tasks *tasks, uint64_t *groups,
                                      struct gws_diagnostic *where)
{
    struct gws_device_argument argument[gws__octree_arrays + 16];
    const uint32_t more[2] = {0, 0};
    const char *kernel = tasks->steals ? "octree_steal" : "octree_round";
    struct gws_device_launch launch = describe_launch(tasks, kernel, more, tasks->steals ? 2 : 1, argument);
    return gws_device_resident(tasks->device, &launch, groups, where);
}

gws_status gws__octree_tasks_read_control(struct gws__octree_tasks *tasks, struct gws_diagnostic *where)
{
    return gws_device_read(tasks->array[gws__octree_control], 0, tasks->control, sizeof tasks->control, where);
}

gws_status gws__octree_tasks_start(struct gws__octree_tasks *tasks, struct gws_diagnostic *where)
{
    struct gws_device_argument argument[gws__octree_arrays + 16];
    const uint32_t more[2] = {gws__octree_tasks_workers(tasks), max_polls};
    struct gws_device_launch launch = describe_launch(tasks, "octree_begin", NULL, 0, argument);
    argument[launch.arguments++] = (struct gws_device_argument){.buffer = tasks->octant};
    argument[launch.arguments++] =
        (struct gws_device_argument){.value = &tasks->octants, .bytes = sizeof tasks->octants};
    gws_status status = gws_device_run(tasks->device, &launch, where);
    /* CPU workers may read the results of this kernel only after the kernel has ended. */
    if (status == GWS_OK && tasks->shares) status = gws_device_wait(tasks->device, where);
    return status == GWS_OK && tasks->steals ? run(tasks, "octree_steal", more, 2, where) : status;
}

/* ---- CPU workers on the same arrays ---- */

struct octree_deques {
    struct gws__shared_deques shared;
    struct gws__octree_tasks *tasks;
};

static void work(struct gws__shared_deques *shared, uint32_t self)
{
    struct gws__octree_tasks *tasks = ((struct octree_deques *)shared)->tasks;
    tasks->worker(tasks, shared, self);
}

static uint64_t progress(const struct gws__shared_deques *shared)
{
    _Atomic uint64_t *control = ((const struct octree_deques *)shared)->tasks->host[gws__octree_control];
    return atomic_load_explicit(&control[CONTROL_FINALISED], memory_order_relaxed);
}

static gws_status run_beside(struct gws__octree_tasks *tasks, struct gws_diagnostic *where)
{
    struct octree_deques deques = {.shared = {.runtime = tasks->runtime,
                                              .device = tasks->device,
                                              .work = work,
                                              .progress = progress,
                                              .first = tasks->groups,
                                              .threads = tasks->threads},
                                   .tasks = tasks};
    return gws__shared_deques_run(&deques.shared, where);
}

/* Launches several rounds, then reads their progress. An octant takes at most two rounds per level, because a round for
 * its pieces may come first. */
static gws_status all_rounds(struct gws__octree_tasks *tasks, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    uint32_t round = 0, ahead = first_rounds, max_rounds = 2 * (tasks->params.depth + 1) + first_rounds;
    do {
        for (uint32_t i = 0; i < ahead && status == GWS_OK; i++) {
            round++;
            status = run(tasks, "octree_round", &round, 1, where);
        }
        if (status == GWS_OK) status = gws__octree_tasks_read_control(tasks, where);
        ahead = next_rounds;
    } while (status == GWS_OK && tasks->control[CONTROL_STATE] == RUN_ON &&
             tasks->control[CONTROL_FINALISED] < tasks->params.points && round < max_rounds);
    return status;
}

gws_status gws__octree_tasks_divide(struct gws__octree_tasks *tasks, struct gws_diagnostic *where)
{
    gws_status status = gws__octree_tasks_start(tasks, where);
    if (status == GWS_OK && !tasks->steals) return all_rounds(tasks, where);
    if (status == GWS_OK && tasks->shares) status = run_beside(tasks, where);
    return status == GWS_OK ? gws__octree_tasks_read_control(tasks, where) : status;
}

/* ---- arrays ---- */

/* Computes the size of each array. */
static void need(const struct gws__octree_tasks *tasks, uint64_t bytes[gws__octree_arrays])
{
    const struct gws__octree_params *params = &tasks->params;
    uint64_t points = params->points, slots = points / params->piece + 2, slot = TASK_WORDS * UINT64_C(8);
    uint64_t workers = gws__octree_tasks_workers(tasks), deques = tasks->steals ? workers : static_heads;
    for (int i = gws__octree_key; i <= gws__octree_other_key; i++) bytes[i] = points * 8;
    for (int i = gws__octree_number; i <= gws__octree_out; i++) bytes[i] = points * 4;
    bytes[gws__octree_entry] = slots * 32;
    bytes[gws__octree_done] = slots * 4;
    bytes[gws__octree_inner] = params->inner_words * 8;
    bytes[gws__octree_control] = CONTROL_WORDS * UINT64_C(8);
    bytes[gws__octree_deques] = deques * (DEQUE_HEAD * UINT64_C(8) + params->queue_capacity * slot);
    bytes[gws__octree_counts] = workers * STATS_STRIDE * 8;
}

/* Ensures the size of an array. */
static gws_status reserve_array(struct gws__octree_tasks *tasks, int which, uint64_t bytes,
                                struct gws_diagnostic *where)
{
    struct gws_device_buffer **array = &tasks->array[which];
    if (!tasks->shares) return gws__octree_buffer_reserve(tasks->device, array, bytes, where);
    if (*array && gws_device_buffer_bytes(*array) >= bytes) return GWS_OK;
    gws_device_buffer_free(*array);
    *array = NULL;
    return gws_device_shared_new(tasks->device, bytes, array, &tasks->host[which], where);
}

/* Ensures the size of all arrays. */
static gws_status reserve_arrays(struct gws__octree_tasks *tasks, struct gws_diagnostic *where)
{
    uint64_t bytes[gws__octree_arrays];
    gws_status status = GWS_OK;
    gws__octree_tasks_release_record(tasks);
    need(tasks, bytes);
    for (int i = 0; i < gws__octree_arrays && status == GWS_OK; i++) status = reserve_array(tasks, i, bytes[i], where);
    if (status != GWS_OK) return status;
    tasks->inner = gws_allocate(tasks->runtime, tasks->params.inner_words, sizeof *tasks->inner);
    if (!tasks->inner) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    tasks->params.base = (uint64_t)(uintptr_t)tasks->inner;
    return GWS_OK;
}

gws_status gws__octree_tasks_ready(struct gws__octree_tasks *tasks, const uint32_t *octant, uint32_t octants,
                                   struct gws_diagnostic *where)
{
    uint64_t bytes = 3 * octants * sizeof *octant;
    static const enum gws__octree_array cleared[] = {gws__octree_done, gws__octree_control, gws__octree_deques,
                                                     gws__octree_counts};
    gws_status status = reserve_arrays(tasks, where);
    if (status == GWS_OK) status = gws__octree_buffer_reserve(tasks->device, &tasks->octant, bytes, where);
    if (status == GWS_OK) status = gws_device_write(tasks->octant, 0, octant, bytes, where);
    tasks->octants = octants;
    for (size_t i = 0; i < sizeof cleared / sizeof *cleared && status == GWS_OK; i++) {
        struct gws_device_buffer *array = tasks->array[cleared[i]];
        status = gws_device_fill(array, 0, 0, gws_device_buffer_bytes(array) / 4, where);
    }
    return status;
}

gws_status gws__octree_tasks_count(struct gws__octree_tasks *tasks, struct gws_diagnostic *where)
{
    uint64_t words = (uint64_t)gws__octree_tasks_workers(tasks) * STATS_STRIDE;
    uint64_t *found = gws_allocate(tasks->runtime, words, sizeof *found);
    if (!found) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    gws_status status = gws_device_read(tasks->array[gws__octree_counts], 0, found, words * sizeof *found, where);
    for (uint64_t i = 0; i < words && status == GWS_OK; i++) {
        uint64_t *sum = &tasks->stats[i], high = found[i] > *sum ? found[i] : *sum;
        *sum = i % STATS_STRIDE == STATS_HIGH ? high : *sum + found[i];
    }
    gws_release(tasks->runtime, found, words, sizeof *found);
    return status;
}

uint64_t gws__octree_tasks_bytes(const struct gws__octree_tasks *tasks)
{
    uint64_t bytes = 0;
    for (int i = 0; i < gws__octree_arrays; i++)
        if (tasks->array[i]) bytes += gws_device_buffer_bytes(tasks->array[i]);
    return bytes;
}

void gws__octree_tasks_release_record(struct gws__octree_tasks *tasks)
{
    gws_release(tasks->runtime, tasks->inner, tasks->params.inner_words, sizeof *tasks->inner);
    tasks->inner = NULL;
}
