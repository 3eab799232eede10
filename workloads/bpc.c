/* SPDX-License-Identifier: MIT */
/* Bouncing producer-consumer (Dinan et al., SC 2009, section 2.5.3). A task is a consumer or a producer. A producer's
 * task holds the number of generations of producers that follow. A producer spawns the next producer first, so the
 * owner of the queue pops the consumers behind it, and a thief steals the producer. */
#include "bpc.h"

#include <inttypes.h>

#include "../lib/tasks.h"
#include "load.h"

enum { consumer, producer, max_workers = 4096 /* of a runtime */ };

struct bpc_task {
    uint64_t to_come; /* producers: generations after this one */
    uint32_t maker;   /* producers: the worker that spawned the task, numbered over all ranks */
    uint32_t kind;
};

struct bpc {
    const struct gws_bpc_options *options;
    struct gws__load_tally *tally;
    struct gws_transport *transport; /* NULL: one process */
    uint32_t first;                  /* number of this rank's worker 0 */
};

static void produce(const struct bpc *bpc, struct gws_task_worker *self, uint32_t worker, const struct bpc_task *task)
{
    bpc->tally[worker].makers++;
    bool is_root = task->to_come == bpc->options->depth;
    bpc->tally[worker].migrated += !is_root && task->maker != bpc->first + worker;
    if (task->to_come == 0) return;
    struct bpc_task next = {.to_come = task->to_come - 1, .maker = bpc->first + worker, .kind = producer};
    gws_spawn(self, &next);
    struct bpc_task made = {.kind = consumer};
    for (uint64_t i = 0; i < bpc->options->consumers; i++) gws_spawn(self, &made);
}

static void run_tasks(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    const struct bpc *bpc = context;
    const struct bpc_task *at = task;
    for (uint32_t i = 0; i < count; i++) {
        if (at[i].kind == producer) {
            produce(bpc, self, worker, &at[i]);
        } else {
            gws__load_spin(bpc->options->work_us);
            bpc->tally[worker].workers++;
        }
    }
}

static gws_status check(const struct gws_bpc_options *options)
{
    if (!gws__load_is_valid_time(options->work_us)) return GWS_INVALID;
    const uint64_t max = INT64_MAX - 1;
    if (options->consumers > max || (options->depth && options->consumers + 1 > max / options->depth))
        return GWS_TOO_LARGE;
    return GWS_OK;
}

static gws_status run(struct gws_runtime *runtime, struct bpc *bpc)
{
    struct bpc_task root = {.to_come = bpc->options->depth, .kind = producer};
    struct gws_tasks tasks = {.bytes = sizeof root, .root = &root, .roots = 1, .run = run_tasks, .context = bpc};
    return gws_rank_tasks_run(runtime, bpc->options->ranks, &tasks);
}

gws_status gws_bpc_check(const struct gws_bpc_options *options, const struct gws_bpc_result *result,
                         struct gws_diagnostic *where)
{
    uint64_t producers = options->depth + 1, consumers = options->depth * options->consumers;
    if (result->producers == producers && result->consumers == consumers && result->tasks == producers + consumers)
        return GWS_OK;
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                              "%" PRIu64 " producers and %" PRIu64 " consumers ran, not %" PRIu64 " and %" PRIu64,
                              result->producers, result->consumers, producers, consumers);
}

/* Sums up the counts of all workers of all ranks. */
static struct gws__load_tally sum_up(struct gws_runtime *runtime, const struct bpc *bpc)
{
    struct gws__load_tally sum = gws__load_sum(runtime, bpc->tally);
    uint64_t counts[] = {sum.makers, sum.workers, sum.migrated};
    if (bpc->transport) gws_transport_sum(bpc->transport, counts, 3);
    return (struct gws__load_tally){.makers = counts[0], .workers = counts[1], .migrated = counts[2]};
}

static gws_status bpc(struct gws_runtime *runtime, struct bpc *bpc, struct gws_bpc_result *result)
{
    const struct gws_bpc_options *options = bpc->options;
    gws_status status = check(options);
    if (status != GWS_OK) return status;
    bpc->tally = gws__load_tallies(runtime);
    if (bpc->transport) bpc->first = gws_transport_rank(bpc->transport) * max_workers;
    status = gws_transport_agree(bpc->transport, bpc->tally ? GWS_OK : GWS_NO_MEMORY);
    if (status == GWS_OK) status = run(runtime, bpc);
    const struct gws__load_tally sum = status == GWS_OK ? sum_up(runtime, bpc) : (struct gws__load_tally){0};
    const struct gws_bpc_result made = {.tasks = sum.makers + sum.workers,
                                        .producers = sum.makers,
                                        .consumers = sum.workers,
                                        .bounces = sum.migrated,
                                        .work_ms = (double)sum.workers * options->work_us / 1e3};
    if (status == GWS_OK) status = gws_bpc_check(options, &made, NULL);
    if (status == GWS_OK) *result = made;
    gws__load_release(runtime, bpc->tally);
    return status;
}

gws_status gws_bpc(struct gws_runtime *runtime, const struct gws_bpc_options *options, struct gws_bpc_result *result)
{
    struct bpc job = {.options = options, .transport = options->ranks ? options->ranks->transport : NULL};
    return GWS_CALL(runtime, NULL, bpc(runtime, &job, result));
}
