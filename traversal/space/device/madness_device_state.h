/* SPDX-License-Identifier: MIT */
/* Shared declarations of the builder of MADNESS trees on a device. */
#ifndef GWS_SPACE_MADNESS_DEVICE_STATE_H
#define GWS_SPACE_MADNESS_DEVICE_STATE_H

#include "../../../kernels/madness/madness_words.h"
#include "../../madness_device.h"
#include "../../madness_ranks.h"
#include "../madness_state.h"

/* The buffers, in the order of the kernel's parameters. */
enum {
    madness_task,
    madness_state,
    madness_control,
    madness_family,
    madness_number,
    madness_coefficient,
    madness_table,
    madness_body,
    madness_special,
    madness_stats,
    madness_scratch, /* the groups' arrays in global memory, after the values */
    madness_buffers
};

/* The maximum group size on a CPU device. A group is one thread on a CPU device. PoCL's compiler copies the kernel for
 * each item between barriers, and took more than 20 GB of memory for 16 items. */
enum { MADNESS_MAX_SERIAL = 8 };

struct gws_madness_device {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_madness_device_options options; /* gws_madness_device_open() has chosen groups and group_size */
    struct gws_device_program *program;
    struct gws_device_buffer *buffer[madness_buffers];
    char kernel[24];
    uint32_t order;
    uint64_t entries;         /* coefficients of a family: 8 order^3 */
    bool cuda, global_arrays; /* global_arrays: the groups' arrays are in global memory */
    uint64_t task_capacity;   /* capacity for tasks */
    uint64_t family_capacity; /* capacity for families */
    uint64_t slots;           /* capacity for families of the next launch */
    uint64_t held;            /* families of earlier launches on the device, which the host has not fetched */
    uint64_t filled;          /* the maximum of these */
    struct gws_madness_device_stats stats;
    /* The tree under construction. */
    const struct gws_madness_problem *problem;
    const struct gws_ranks *ranks; /* NULL: one process */
    struct gws__madness_owner *owner;
    uint32_t *task; /* tasks of the next launch: tasks * MADNESS_TASK_WORDS words */
    uint64_t tasks, allocated;
    uint32_t control[MADNESS_CONTROL_WORDS]; /* the host reads this copy after a launch */
    double launched_ms;
    struct gws_diagnostic *where;
};

/* Returns the smallest capacity for families: every group reserves one before its first box. */
static inline uint64_t gws__madness_min_families(const struct gws_madness_device *builder)
{
    return UINT64_C(2) * builder->options.groups;
}

/* Returns the number of families on the device at which the next launch ends. */
static inline uint64_t gws__madness_limit(const struct gws_madness_device *builder)
{
    const uint64_t limit = builder->held + builder->slots;
    return limit < builder->family_capacity ? limit : builder->family_capacity;
}

/* Ensures that the buffer holds at least `bytes`. The buffer may lose its contents. */
gws_status gws__madness_device_reserve(struct gws_madness_device *builder, uint32_t which, uint64_t bytes,
                                       struct gws_diagnostic *where);

/* ---- madness_device_run.c ---- */

/* Functions for gws__madness_run(), whose context is the builder: they run the tasks on CPU workers and the device, or
 * on the devices of ranks; and on the device only. */
gws_status gws__madness_device_run_batches(void *context, const struct gws_tasks *tasks);
gws_status gws__madness_device_run_alone(void *context, const struct gws_tasks *tasks);

/* Allocates space for the tasks of the next launch, and frees the previous tasks. */
gws_status gws__madness_device_tasks(struct gws_madness_device *builder, uint64_t tasks, struct gws_diagnostic *where);

/* ---- madness_device_data.c ---- */

/* Writes the problem to the device, which has tables, bodies and special points. */
gws_status gws__madness_device_upload(struct gws_madness_device *builder, const struct gws_madness_problem *problem,
                                      struct gws_diagnostic *where);

/* Returns the bytes of the tables of an order. */
uint64_t gws__madness_device_table_bytes(uint32_t order);

/* Waits for the launch, and adds up the groups' counters. If the device ran out of capacity, sets *again, and makes the
 * remaining boxes the tasks of the next launch, for which it fetches the families if they left no space. */
gws_status gws__madness_device_finish(struct gws_madness_device *builder, bool *again, struct gws_diagnostic *where);

/* Copies the families that the device holds to a slab of the owner. */
gws_status gws__madness_device_fetch(struct gws_madness_device *builder, struct gws_diagnostic *where);

/* ---- madness_device_program.c ---- */

/* Chooses the kernel, the groups and their size. */
gws_status gws__madness_device_program(struct gws_madness_device *builder, struct gws_diagnostic *where);

/* Launches the kernel, which runs the tasks and the tasks that they create while capacity lasts. The function does not
 * wait. */
gws_status gws__madness_device_launch(struct gws_madness_device *builder, struct gws_diagnostic *where);

#endif
