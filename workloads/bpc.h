/* SPDX-License-Identifier: MIT */
/* The bouncing producer-consumer benchmark (Dinan, Larkins, Sadayappan, Krishnamoorthy, Nieplocha: "Scalable Work
 * Stealing", SC 2009, section 2.5.3). A producer spawns the next producer and then consumers, which run for a given
 * time. The next producer comes first, so it lies at the end of the queue from which thieves steal. The thief that
 * steals the producer then has work for other workers. The benchmark measures how fast the other workers find this
 * thief. */
#ifndef GWS_BPC_H
#define GWS_BPC_H

#include "../lib/device_tasks.h"
#include "../lib/rank_tasks.h"

struct gws_bpc_options {
    uint64_t consumers; /* consumers of each producer, the paper's n; may be 0 */
    uint64_t depth; /* producers with children, the paper's d; may be 0. The number of tasks, depth * (consumers + 1) +
                       1, is below 2^63 */
    double work_us; /* the time of a consumer in microseconds: 0 (none) .. 10^9. A consumer spins on the clock. */
    /* The ranks that run the benchmark together, each with the same options. The call is then collective, and every
     * rank has the whole result. NULL: this process alone. */
    const struct gws_ranks *ranks;
};

struct gws_bpc_result {
    uint64_t tasks;     /* producers + consumers */
    uint64_t producers; /* depth + 1, as the last producer has no children */
    uint64_t consumers; /* depth times consumers */
    uint64_t bounces;   /* producers that ran on another worker than their parent */
    double work_ms;     /* total time of the consumers; the paper's efficiency is work_ms / (workers * time) */
};

/* Runs the benchmark. Tasks are 16 bytes. Errors: GWS_INVALID (a time out of bounds or NaN), GWS_TOO_LARGE (too many
 * tasks to count), GWS_NO_MEMORY, GWS_WRONG_RESULT (the number of tasks is not depth * (consumers + 1) + 1, so the
 * runtime lost or repeated tasks). Errors leave *result unchanged. gws_runtime_stats() has the statistics. */
gws_status gws_bpc(struct gws_runtime *runtime, const struct gws_bpc_options *options, struct gws_bpc_result *result);

/* The benchmark on a device (lib/device_tasks.h). */
struct gws_bpc_device;

/* Builds the program and allocates the memory, and measures the device's clock. options->length is ignored. Errors:
 * those of gws_device_tasks_open(), GWS_UNSUPPORTED (the device has no clock). */
gws_status gws_bpc_device_open(struct gws_runtime *runtime, struct gws_device *device,
                               const struct gws_device_tasks_options *options, struct gws_bpc_device **bpc,
                               struct gws_diagnostic *where);
void gws_bpc_device_close(struct gws_bpc_device *bpc);

/* Runs the benchmark on `count` devices, at least one, and on the CPU's workers if `workers` is true. Each work-item of
 * a device runs a consumer, so a warp runs 32 at once. A producer bounces if another warp or worker creates its
 * children. sides, which may be NULL, receives what each side did, first the devices, then the workers. Each of several
 * ranks has devices of its own. Errors: those of gws_bpc(), where the numbers of consumers and of producers are below
 * 2^32, and of gws_device_tasks_run_ranks(). */
gws_status gws_bpc_sides(struct gws_runtime *runtime, struct gws_bpc_device *const *bpc, uint32_t count, bool workers,
                         const struct gws_bpc_options *options, struct gws_bpc_result *result,
                         struct gws_device_task_side_result *sides, struct gws_diagnostic *where);

/* Checks the numbers of producers and consumers. Returns GWS_OK or GWS_WRONG_RESULT. where may be NULL. */
gws_status gws_bpc_check(const struct gws_bpc_options *options, const struct gws_bpc_result *result,
                         struct gws_diagnostic *where);

#endif
