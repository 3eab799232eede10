/* SPDX-License-Identifier: MIT */
/* The state of a simulation on a device. */
#ifndef GWS_TRAVERSAL_MD_DEVICE_STATE_H
#define GWS_TRAVERSAL_MD_DEVICE_STATE_H

#include "../../../lib/host_queue.h"
#include "../../engine/device_kernel.h"
#include "../../md_device.h"
#include "state.h"

/* The buffers, in the order of the kernel's arguments. */
enum buffer {
    position,
    velocity,
    force,
    built_at,
    sorted,
    id,
    next_id,
    cell,
    begin,
    member,
    length,
    list,
    part,
    control,
    sums,
    stats,
    cursors,
    arrived,
    buffers
};

struct gws_md_device {
    struct gws__device_kernel kernel;
    struct gws_device_buffer *buffer[buffers];
    struct gws_host_queue *queue; /* NULL unless the schedule is GWS_MD_CENTRAL */
    struct gws_md *host;          /* the atoms as gws_md_open() got them, and as gws_md_device_fetch() copies them */
    bool torn;                    /* a launch failed in the middle of a step, so the atoms are lost */
    uint32_t schedule, capacity;
    uint32_t batch; /* steps of the next launch */
    double energy, drift;
    uint64_t rebuilds, pairs, steps;
    double potential, kinetic;
    struct gws_md_device_stats stats;
};

/* Makes lists of the current capacity, whose content is undefined. */
gws_status gws__md_device_make_lists(struct gws_md_device *md, struct gws_diagnostic *where);

/* Runs `steps` steps, at most MD_MAX_STEPS. begins: the first one begins with lists and forces, which move the
 * velocities by `kick` times the forces. Longer lists are made as needed. */
enum { MD_MAX_STEPS = 256 };
gws_status gws__md_device_launch(struct gws_md_device *md, uint32_t steps, bool begins, float kick,
                                 struct gws_diagnostic *where);

/* Returns GWS_INVALID if a launch has failed in the middle of a step. */
gws_status gws__md_device_whole(const struct gws_md_device *md, struct gws_diagnostic *where);

/* Copies the atoms to md->host. */
gws_status gws__md_device_download(struct gws_md_device *md, struct gws_diagnostic *where);

#endif
