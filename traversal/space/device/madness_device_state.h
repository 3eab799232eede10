/* SPDX-License-Identifier: MIT */
/* What the parts of the builder of MADNESS trees on a device share. */
#ifndef GWS_SPACE_MADNESS_DEVICE_STATE_H
#define GWS_SPACE_MADNESS_DEVICE_STATE_H

#include "../../../kernels/madness/madness_words.h"
#include "../../madness_device.h"
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
    madness_scratch, /* behind the values; groups' arrays where they are far */
    madness_buffers
};

/* Items of a group of a CPU: its group is one thread, and PoCL's compiler, which copies the kernel for each item
 * between barriers, took more than 20 GB for 16 of them. */
enum { MADNESS_MAX_SERIAL = 8 };

struct gws_madness_device {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_madness_device_options options; /* groups and group_size are chosen when it is open */
    struct gws_device_program *program;
    struct gws_device_buffer *buffer[madness_buffers];
    char kernel[24];
    uint32_t order;
    uint64_t entries;         /* of a family: 8 order^3 */
    bool cuda, global_arrays; /* far: the groups' arrays lie in global memory */
    uint64_t task_capacity;   /* for so many tasks */
    uint64_t family_capacity; /* and for so many families */
    uint64_t filled;          /* the most that a launch has filled of them */
    struct gws_madness_device_stats stats;
    /* One tree in the making. */
    const struct gws_madness_problem *problem;
    struct gws__madness_owner *owner;
    uint32_t *task; /* those to be computed by the next launch: tasks times MADNESS_TASK_WORDS */
    uint64_t tasks, allocated;
    uint32_t control[MADNESS_CONTROL_WORDS]; /* after a launch */
    double launched_ms;
    struct gws_where *where;
};

static inline gws_status gws__madness_device_no_memory(struct gws_where *where)
{
    (void)gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s", gws_status_text(GWS_NO_MEMORY));
    return GWS_NO_MEMORY;
}

/* Makes *buffer hold at least bytes; what it held may be lost. */
gws_status gws__madness_device_reserve(struct gws_madness_device *builder, uint32_t which, uint64_t bytes,
                                       struct gws_where *where);

/* Room for so many tasks that are to be computed; those before are lost. */
gws_status gws__madness_device_tasks(struct gws_madness_device *builder, uint64_t tasks, struct gws_where *where);

/* ---- madness_device_data.c ---- */

/* Puts the problem's numbers on the device: tables, bodies, special points. */
gws_status gws__madness_device_upload(struct gws_madness_device *builder, const struct gws_madness_problem *problem,
                                      struct gws_where *where);

/* Bytes of the tables of an order. */
uint64_t gws__madness_device_table_bytes(uint32_t order);

/* Waits for the launch and brings its families to the host, into a slab of the owner's, and adds up what the groups
 * have counted. Where the device had too little room, what is left to compute becomes the tasks: *again. */
gws_status gws__madness_device_fetch(struct gws_madness_device *builder, bool *again, struct gws_where *where);

/* ---- madness_device_program.c ---- */

/* Chooses the kernel, the groups and their size. */
gws_status gws__madness_device_program(struct gws_madness_device *builder, struct gws_where *where);

/* Starts computing the tasks and what comes of them, as far as there is room. It does not wait. */
gws_status gws__madness_device_launch(struct gws_madness_device *builder, struct gws_where *where);

#endif
