/* SPDX-License-Identifier: MIT */
/* Immediate tasks run by CPU workers and a device together, each task exactly once. An algorithm says what runs; how
 * tasks get from one side to the other is decided here, by what the machine can do:
 *
 *     deques     atomics of both sides hold against each other: work-groups and CPU workers are thieves of the same
 *                deques (kernels/queue/deque_*.cl) in shared memory, and run the same kernel source
 *     batches    they do not: the CPU's workers keep their tasks in the runtime's queues, and whoever begins a task
 *                while the device takes more leaves it to the device, which gets such tasks by the batch */
#ifndef GWS_LIB_HETERO_TASKS_H
#define GWS_LIB_HETERO_TASKS_H

#include <stdatomic.h>

#include "../device.h"
#include "../hetero.h"
#include "../tasks.h"

enum gws__sharing { gws__sharing_deques, gws__sharing_batches };

static inline enum gws__sharing gws__sharing_of(const struct gws_device *device)
{
    return gws_device_sharing(device, NULL).atomics ? gws__sharing_deques : gws__sharing_batches;
}

/* ---- deques ---- */

/* The CPU's workers beside a persistent kernel. */
struct gws__shared_deques {
    struct gws_runtime *runtime;
    struct gws_device *device;
    /* Worker self, first .. first + threads - 1, until all tasks have been run on both sides, or it is stopped. No
     * worker waits for another, so one thread may play several, one after the other. */
    void (*work)(struct gws__shared_deques *deques, uint32_t self);
    uint64_t (*progress)(
        const struct gws__shared_deques *deques); /* a count that stands still only where nothing runs */
    uint32_t first, threads;
    /* ---- private ---- */
    atomic_flag polled;
    uint64_t seen;
    double until_ms;
    gws_status status;
    struct gws_where *where;
};

/* Runs the workers, and waits for the kernel, which has been launched before. Errors: GWS_DEVICE. */
gws_status gws__shared_deques_run(struct gws__shared_deques *deques, struct gws_where *where);

/* For a worker that has looked for tasks in vain for a while: true if what is missing will never come, as the device
 * has failed or nothing has happened for as long as it may take for anything. The algorithm then stops all workers. */
bool gws__shared_deques_lost(struct gws__shared_deques *deques);

/* ---- batches ---- */

struct gws__batches {
    struct gws_tasks cpu; /* the first tasks, and what runs one on the CPU (.batch: 0) */
    uint32_t tasks;       /* of a batch, at most */
    uint64_t min_work;    /* the work that is worth a launch */
    void *context;        /* of what follows */
    /* How much work a task is, in units of the algorithm's; 0: the device cannot have it. Any worker calls. */
    uint64_t (*work)(const void *context, const void *task);
    /* One worker at a time calls what follows. left(): how much work is not done yet, that of a batch on the device
     * included. NULL: nobody knows; then the work of each task is 1, and batches are as large as
     * the device runs in some milliseconds. */
    uint64_t (*left)(const void *context);
    /* start() copies what these tasks need to the device and launches kernels. It
     * does not wait; task is free again when it returns. merge() is called when the device is done, and brings the
     * results to those of the CPU. It may have launched kernels anew for the same batch: *again. */
    gws_status (*start)(void *context, const void *task, uint32_t count, struct gws_where *where);
    gws_status (*merge)(void *context, bool *again, struct gws_where *where);
};

struct gws__batch_stats {
    struct gws_side_stats cpu, device; /* of the device: steals are batches; what its groups did, the algorithm knows */
    uint64_t launches;                 /* calls of start() */
};

/* Runs all tasks, and what they spawn on the CPU. With a policy without queues of tasks the CPU's are those of
 * chaselev. Errors: those of gws_tasks_run(), start() and merge(). */
gws_status gws__batches_run(struct gws_runtime *runtime, struct gws_device *device, const struct gws__batches *batches,
                            struct gws__batch_stats *stats, struct gws_where *where);

#endif
