/* SPDX-License-Identifier: MIT */
/* Bouncing producer-consumer (Dinan et al., SC 2009, section 2.5.3). A task is a producer, with how many generations of
 * producers are still to come, or a consumer. A producer spawns the next producer first: the owner of the queue takes
 * the consumers behind it, and a thief the producer. */
#include "bpc.h"

#include "../lib/tasks.h"
#include "load.h"

enum { consumer, producer };

struct bpc_task {
    uint64_t to_come; /* of a producer: generations after it */
    uint32_t maker;   /* of a producer: the worker that spawned it */
    uint32_t kind;
};

struct bpc {
    const struct gws_bpc_options *options;
    struct gws__load_tally *tally;
};

static void produce(const struct bpc *bpc, struct gws_tasker *self, uint32_t worker, const struct bpc_task *task)
{
    bpc->tally[worker].makers++;
    bool is_root = task->to_come == bpc->options->depth;
    bpc->tally[worker].moved += !is_root && task->maker != worker;
    if (task->to_come == 0) return;
    struct bpc_task next = {.to_come = task->to_come - 1, .maker = worker, .kind = producer};
    gws_spawn(self, &next);
    struct bpc_task made = {.kind = consumer};
    for (uint64_t i = 0; i < bpc->options->consumers; i++) gws_spawn(self, &made);
}

static void run_tasks(void *context, struct gws_tasker *self, uint32_t worker, const void *task, uint32_t count)
{
    const struct bpc *bpc = context;
    const struct bpc_task *at = task;
    for (uint32_t i = 0; i < count; i++) {
        if (at[i].kind == producer) {
            produce(bpc, self, worker, &at[i]);
        } else {
            gws__load_take(bpc->options->work_us);
            bpc->tally[worker].workers++;
        }
    }
}

void gws_bpc_defaults(struct gws_bpc_options *options)
{
    *options = (struct gws_bpc_options){.consumers = 512, .depth = 64, .work_us = 1000};
}

static gws_status check(const struct gws_bpc_options *options)
{
    if (!gws__load_may_take(options->work_us)) return GWS_INVALID;
    const uint64_t most = INT64_MAX - 1;
    if (options->consumers > most || (options->depth && options->consumers + 1 > most / options->depth))
        return GWS_TOO_LARGE;
    return GWS_OK;
}

static gws_status run(struct gws_runtime *runtime, struct bpc *bpc)
{
    struct bpc_task root = {.to_come = bpc->options->depth, .kind = producer};
    struct gws_tasks tasks = {.bytes = sizeof root, .root = &root, .roots = 1, .run = run_tasks, .context = bpc};
    return gws_tasks_run(runtime, &tasks);
}

static gws_status judge(const struct gws_bpc_options *options, struct gws__load_tally sum,
                        struct gws_bpc_result *result)
{
    if (sum.makers != options->depth + 1 || sum.workers != options->depth * options->consumers) return GWS_WRONG_RESULT;
    *result = (struct gws_bpc_result){.tasks = sum.makers + sum.workers,
                                      .producers = sum.makers,
                                      .consumers = sum.workers,
                                      .bounces = sum.moved,
                                      .work_ms = (double)sum.workers * options->work_us / 1e3};
    return GWS_OK;
}

gws_status gws_bpc(struct gws_runtime *runtime, const struct gws_bpc_options *options, struct gws_bpc_result *result)
{
    struct gws_bpc_options defaults;
    gws_bpc_defaults(&defaults);
    struct bpc bpc = {.options = options ? options : &defaults};
    gws_status status = check(bpc.options);
    if (status != GWS_OK) return status;
    bpc.tally = gws__load_tallies(runtime);
    if (!bpc.tally) return GWS_NO_MEMORY;
    status = run(runtime, &bpc);
    if (status == GWS_OK) status = judge(bpc.options, gws__load_sum(runtime, bpc.tally), result);
    gws__load_release(runtime, bpc.tally);
    return status;
}
