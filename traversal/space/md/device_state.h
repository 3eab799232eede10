/* SPDX-License-Identifier: MIT */
/* The state of a simulation on a device. */
#ifndef GWS_TRAVERSAL_MD_DEVICE_STATE_H
#define GWS_TRAVERSAL_MD_DEVICE_STATE_H

#include "../../../lib/host_queue.h"
#include "../../engine/device_kernel.h"
#include "../../md_device.h"
#include "state.h"

/* The buffers. The first ones are arguments of the kernel, in its order. */
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
    wanted,
    part,
    control,
    sums,
    stats,
    cursors,
    arrived,
    links,
    buffer_arguments,
    meetings = buffer_arguments, /* where other devices tell this one that they are ready */
    buffers
};

enum { MD_MAX_STEPS = 256 };

/* One launch. begins: it begins with lists and forces, which move the velocities by `kick` times the forces. */
struct gws__md_launch {
    uint32_t steps, begins; /* steps: at most MD_MAX_STEPS */
    float kick;
    uint32_t control[MD_CONTROL];          /* out */
    uint64_t sums[MD_SUMS * MD_MAX_STEPS]; /* out */
};

/* A simulation on one device, or its part on one of several devices. */
struct gws_md_device {
    struct gws__device_kernel kernel;
    struct gws_device_buffer *buffer[buffers];
    struct gws_host_queue *queue; /* NULL unless the schedule is GWS_MD_CENTRAL */
    struct gws__stop stop;        /* ends a kernel that waits for another device; open if the devices are linked */
    struct gws_md *host;          /* the atoms as gws_md_open() got them, and as gws_md_device_fetch() copies them */
    /* Several devices: the first one's object is that of the caller, and its host also is that of the others. */
    struct gws_md_device **all; /* `devices` entries, the first one itself; NULL in the others */
    uint32_t devices, slots;    /* slots: entries of all[] */
    bool peers;                 /* each device reaches the memory of all others */
    bool linked;                /* kernels write atoms to each other's memory, so a launch is many steps */
    uint8_t *computed_by;  /* by task: the device that computes its forces; `host->tasks` entries of the first object */
    uint64_t tasks_before; /* stats.tasks before this step */
    uint32_t from, end;    /* the atoms of which this device has lists */
    struct gws__md_launch at;
    bool torn; /* a launch failed in the middle of a step, so the atoms are lost */
    uint32_t schedule, capacity;
    uint32_t batch; /* steps of the next launch */
    bool begun;     /* the first forces are known */
    double energy, drift;
    uint64_t rebuilds, pairs, steps;
    double potential, kinetic;
    struct gws_md_device_stats stats;
};

/* Makes lists of the current capacity, whose content is undefined. */
gws_status gws__md_device_make_lists(struct gws_md_device *md, struct gws_diagnostic *where);

/* Finds out which memory the open devices reach, and links them if they can write atoms to each other's. */
gws_status gws__md_devices_connect(struct gws_md_device *md, struct gws_diagnostic *where);

/* Runs at most MD_MAX_STEPS steps on one device or on linked ones, or one step on several others. begins: these are the
 * first lists and forces. Longer lists are made as needed. Errors: GWS_CANCELLED (before the first step), GWS_INVALID
 * (an energy is not finite), GWS_NO_MEMORY, GWS_DEVICE. */
gws_status gws__md_device_launch(struct gws_md_device *md, uint32_t steps, bool begins, struct gws_diagnostic *where);
gws_status gws__md_devices_step(struct gws_md_device *md, bool begins, struct gws_diagnostic *where);

/* Returns the number of tasks whose atoms part d has. */
static inline uint64_t gws__md_part_tasks(const struct gws_md_device *md, uint32_t d)
{
    return md->host->tasks * (d + 1) / md->devices - md->host->tasks * d / md->devices;
}

/* Returns whether a launch is one step, after which the host copies atoms between devices. */
static inline bool gws__md_is_apart(const struct gws_md_device *md)
{
    return md->devices > 1 && !md->linked;
}

/* Sets md->at to steps that begin with a drift, or with lists and first forces. */
void gws__md_launch_set(struct gws_md_device *md, uint32_t steps, bool begins);

/* Launches md->at on all devices whose at.steps is not 0, and waits for them, also after an error. Under
 * GWS_MD_CENTRAL, next() gives them tasks. */
gws_status gws__md_launch_all(struct gws_md_device *md, gws_host_queue_next *next, void *context,
                              struct gws_diagnostic *where);

/* Adds to *total what a part has found in its launch. */
void gws__md_launch_add(const struct gws_md_device *part, struct gws__md_launch *total);

/* Takes the energies and the number of steps of a launch. Errors: GWS_INVALID (an energy is not finite). */
gws_status gws__md_launch_take(struct gws_md_device *md, const struct gws__md_launch *at, struct gws_diagnostic *where);

/* Prepares another launch after one that ended because lists, of this device or of a linked one, were too short. */
gws_status gws__md_launch_lengthen(struct gws_md_device *md, struct gws_diagnostic *where);

/* Returns GWS_INVALID if a launch has failed in the middle of a step. */
gws_status gws__md_device_whole(const struct gws_md_device *md, struct gws_diagnostic *where);

/* Copies positions, velocities, forces or numbers (id) of all atoms to the host. */
gws_status gws__md_device_read(struct gws_md_device *md, enum buffer array, void *to, struct gws_diagnostic *where);

#endif
