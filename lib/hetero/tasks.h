/* SPDX-License-Identifier: MIT */
/* Immediate tasks that CPU workers and a device run together, each task exactly once. The algorithm provides the code
 * of a task. The machine's capabilities decide how tasks move between the sides:
 *
 *     deques     if both sides can use atomics on shared memory: work-groups and CPU workers steal from the same
 *                deques (kernels/queue/deque_*.cl) in shared memory, and run the same kernel source
 *     batches    otherwise: the CPU's workers keep their tasks in the runtime's queues. A worker that starts a task
 *                while the device accepts more adds it to the device's next batch instead */
#ifndef GWS_LIB_HETERO_TASKS_H
#define GWS_LIB_HETERO_TASKS_H

#include <stdatomic.h>

#include "../device.h"
#include "../hetero.h"
#include "../rank_tasks.h"

enum gws__sharing { gws__sharing_deques, gws__sharing_batches };

static inline enum gws__sharing gws__sharing_of(const struct gws_device *device)
{
    return gws_device_sharing(device, NULL).atomics ? gws__sharing_deques : gws__sharing_batches;
}

/* ---- deques ---- */

/* The CPU workers that run concurrently with a persistent kernel. */
struct gws__shared_deques {
    struct gws_runtime *runtime;
    struct gws_device *device;
    /* Runs worker number self (first .. first + threads - 1) until both sides have run all tasks, or the run stops.
     * Workers never wait for each other, so one thread may run several of them in turn. */
    void (*work)(struct gws__shared_deques *deques, uint32_t self);
    uint64_t (*progress)(const struct gws__shared_deques *deques); /* a counter that changes as long as tasks run */
    uint32_t first, threads;
    /* ---- private ---- */
    atomic_flag polled;
    uint64_t seen;
    double until_ms;
    gws_status status;
    struct gws_diagnostic *where;
};

/* Runs the workers and waits for the kernel, which the caller has launched. Errors: GWS_DEVICE. */
gws_status gws__shared_deques_run(struct gws__shared_deques *deques, struct gws_diagnostic *where);

/* A worker calls this function when it has found no task for a while. Returns true if the device has failed, or if no
 * task ran within the device's time limit. The algorithm then stops all workers. */
bool gws__shared_deques_stalled(struct gws__shared_deques *deques);

/* ---- batches ---- */

struct gws__batches {
    struct gws_tasks cpu; /* the first tasks, and the CPU's function for one task (.batch: 0) */
    uint32_t tasks;       /* the maximum number of tasks in a batch */
    uint64_t min_work;    /* the smallest work worth a launch */
    void *context;        /* the first argument of the functions below */
    /* Returns the work of a task in the algorithm's units, or 0 if the task is not for the device. Any worker may call
     * work(). */
    uint64_t (*work)(const void *context, const void *task);
    /* One worker at a time calls the functions below. left() returns the remaining work, including a batch on the
     * device. If left is NULL, the remaining work is unknown. Each task then counts as 1, and batches grow to some
     * milliseconds of the device's time. */
    uint64_t (*left)(const void *context);
    /* start() copies the tasks' data to the device and launches kernels without waiting. The caller may reuse task when
     * start() returns. When the device is done, the agent calls merge(), which merges the device's results into the
     * CPU's results. merge() sets *again if it has launched more kernels for the same batch. */
    gws_status (*start)(void *context, const void *task, uint32_t count, struct gws_diagnostic *where);
    gws_status (*merge)(void *context, struct gws_task_worker *self, bool *again, struct gws_diagnostic *where);
    /* On several ranks. The tasks that a device has left after a batch are spawned by merge() on the worker self, which
     * is NULL in one process, so that all ranks can steal them. The roots of rank 0 run, or of all with all_roots. */
    const struct gws_ranks *ranks; /* NULL: one process */
    bool device_only;              /* no CPU worker runs tasks: worker 0 makes batches of all tasks */
    uint32_t at_once;              /* of device_only: number of tasks that the device runs at once */
};

struct gws__batch_stats {
    struct gws_side_stats cpu,
        device;        /* device.steals counts batches. The algorithm has the statistics of the device's groups. */
    uint64_t launches; /* number of start() calls */
};

/* Runs all tasks and the tasks that they spawn on the CPU. If the policy has no task queues, the CPU uses the queues of
 * policy chaselev. On several ranks the call is collective. Errors: those of gws_tasks_run(), start() and merge(), and
 * of gws_rank_tasks_run(). */
gws_status gws__batches_run(struct gws_runtime *runtime, struct gws_device *device, const struct gws__batches *batches,
                            struct gws__batch_stats *stats, struct gws_diagnostic *where);

#endif
