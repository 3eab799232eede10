/* SPDX-License-Identifier: MIT */
/* Batches of tasks (tasks.h): the state of a run (batches.c), and a run on several ranks (batches_ranks.c). */
#ifndef GWS_LIB_HETERO_BATCHES_H
#define GWS_LIB_HETERO_BATCHES_H

#include "../pool/tasks.h"
#include "autotune.h"
#include "rank_tasks.h"
#include "tasks.h"

struct gws__batch_sharing {
    const struct gws__batches *batches;
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws__batch_stats *stats;
    struct gws_diagnostic *where;
    uint32_t words; /* words of a task */
    atomic_flag agent;
    alignas(128) _Atomic uint64_t capacity; /* work that the next batch still accepts; the agent writes this hint */
    _Atomic bool failed;                    /* relaxed: a late reader runs one more task */
    _Atomic int64_t withheld; /* number of further tasks that stay with the CPU; relaxed because only the count
                               * matters */
    /* For the agent only. */
    alignas(128) gws_status status;
    uint64_t *task; /* the next batch */
    uint32_t count;
    uint64_t work, running; /* work of the next batch; work on the device */
    uint64_t size;          /* size of a batch if the remaining work is unknown */
    uint64_t given;         /* tasks that CPU workers added to batches, including those that the CPU ran in the end */
    bool busy;
    struct gws__share share; /* side 0: the device, side 1: the CPU */
    double launched_ms, idle_ms;
    uint64_t left_at_launch; /* remaining work at the launch of the device's batch */
    /* On several ranks: the hooks of this rank. */
    const struct gws__peers *peers;
};

/* Becomes the agent, unless another worker is. */
static inline bool gws__batches_become_agent(struct gws__batch_sharing *sharing)
{
    /* acquire: pairs with the release below. An agent thus sees the previous agent's writes. */
    return !atomic_flag_test_and_set_explicit(&sharing->agent, memory_order_acquire);
}

static inline void gws__batches_resign(struct gws__batch_sharing *sharing)
{
    atomic_flag_clear_explicit(&sharing->agent, memory_order_release);
}

/* For the agent. gws__batches_launch() starts the next batch, gws__batches_merge() merges one that is done, and
 * gws__batches_poll() does what is due. self: a worker; NULL: none. */
void gws__batches_launch(struct gws__batch_sharing *sharing);
void gws__batches_merge(struct gws__batch_sharing *sharing, struct gws_task_worker *self);
void gws__batches_poll(struct gws__batch_sharing *sharing, struct gws_task_worker *self);

/* Records a status. The first error stays. */
void gws__batches_keep_error(struct gws__batch_sharing *sharing, gws_status status);

/* Runs a task on a worker, or adds it to the next batch: a gws_task_run. context: the sharing. */
void gws__batches_run_task(void *context, struct gws_task_worker *self, uint32_t worker, const void *task,
                           uint32_t count);

/* Runs the tasks of all ranks. */
gws_status gws__batches_run_on_ranks(struct gws__batch_sharing *sharing);

#endif
