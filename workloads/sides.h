/* SPDX-License-Identifier: MIT */
/* Shared by the workloads that run on several sides (lib/device_tasks.h): the arrays of a run. */
#ifndef GWS_SIDES_H
#define GWS_SIDES_H

#include <string.h>

#include "../lib/device_tasks.h"
#include "../lib/parallel.h"

/* The sides of a run: the devices, then the workers. */
struct gws__sides {
    struct gws_runtime *runtime;
    const struct gws_ranks *ranks; /* NULL: one process */
    uint32_t devices;
    bool workers; /* the workers are a side */
    struct gws_device_task_side *side;
    struct gws_device_task_side_result *found;
};

static inline uint32_t gws__sides_count(const struct gws__sides *sides)
{
    return sides->devices + sides->workers;
}

static inline struct gws_transport *gws__sides_transport(const struct gws__sides *sides)
{
    return sides->ranks ? sides->ranks->transport : NULL;
}

/* Returns whether this is the process that has the first task. */
static inline bool gws__sides_have_root(const struct gws__sides *sides)
{
    return gws_transport_rank(gws__sides_transport(sides)) == 0;
}

/* Collective. Returns the highest status of all ranks. */
static inline gws_status gws__sides_agree(const struct gws__sides *sides, gws_status own, struct gws_diagnostic *where)
{
    const gws_status status = gws_transport_agree(gws__sides_transport(sides), own);
    return own == GWS_OK && status != GWS_OK ? gws_diagnostic_status(where, status) : status;
}

/* Allocates zeroed arrays. Collective. Errors: GWS_NO_MEMORY. The caller closes the sides, also after an error. */
static inline gws_status gws__sides_open(struct gws__sides *sides, struct gws_diagnostic *where)
{
    const uint64_t count = gws__sides_count(sides), each = sizeof *sides->side + sizeof *sides->found;
    gws_status status = GWS_OK;
    sides->found = gws_allocate(sides->runtime, count, each);
    if (sides->found) {
        memset(sides->found, 0, count * each);
        sides->side = (struct gws_device_task_side *)(sides->found + count);
    } else {
        status = gws_diagnostic_status(where, GWS_NO_MEMORY);
    }
    return gws__sides_agree(sides, status, where);
}

/* Runs the tasks on the sides of all ranks, unless this rank's status `ready` is an error. Collective. */
static inline gws_status gws__sides_run(const struct gws__sides *sides, const struct gws_device_task_roots *roots,
                                        gws_status ready, struct gws_diagnostic *where)
{
    const gws_status status = gws__sides_agree(sides, ready, where);
    if (status != GWS_OK) return status;
    return gws_device_tasks_run_ranks(sides->runtime, sides->ranks, roots, sides->side, gws__sides_count(sides),
                                      sides->found, where);
}

/* Frees the arrays. After success copies what the sides did to copy, unless that is NULL. Returns status. */
static inline gws_status gws__sides_close(struct gws__sides *sides, gws_status status,
                                          struct gws_device_task_side_result *copy)
{
    const uint64_t count = gws__sides_count(sides), each = sizeof *sides->side + sizeof *sides->found;
    if (status == GWS_OK && copy) memcpy(copy, sides->found, count * sizeof *copy);
    gws_release(sides->runtime, sides->found, count, each);
    return status;
}

/* Frees the devices' data buffers. */
static inline void gws__sides_free_data(struct gws__sides *sides)
{
    for (uint32_t i = 0; i < sides->devices && sides->side; i++) {
        gws_device_buffer_free(sides->side[i].data);
        gws_device_buffer_free(sides->side[i].more);
        sides->side[i].data = sides->side[i].more = NULL;
    }
}

#endif
