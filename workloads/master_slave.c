/* SPDX-License-Identifier: MIT */
/* Masters and slaves (Rudolph, Slivkin-Allalouf, Upfal, SPAA 1991, section 4). A task is a slave or a round of a
 * master. A round's task holds the number of rounds that follow. The next round is a task too. Without `await`, a
 * round spawns the next round behind its slaves, so the owner pops the next round first and works in parallel with the
 * slaves. With `await`, the last slave to finish spawns the next round. A counter for each master, in a cache line of
 * its own, finds that slave. */
#include "master_slave.h"

#include <inttypes.h>
#include <stdatomic.h>

#include "../lib/tasks.h"
#include "load.h"

enum { max_masters = 1 << 24 };
static const uint64_t max_slaves = UINT64_C(1) << 31;

struct master_slave_task {
    uint64_t to_come; /* rounds of this master after this one */
    uint32_t master;
    uint32_t maker; /* the worker that spawned the task */
    bool is_slave;
};

struct master_slave_count {
    _Atomic uint64_t running; /* slaves of the round that have not finished */
    char apart[120];
};

struct master_slave {
    const struct gws_master_slave_options *options;
    struct gws__load_tally *tally;
    struct master_slave_count *count; /* masters entries with `await`, else NULL */
    struct master_slave_task *root;   /* masters entries */
};

static void spawn_next(struct gws_task_worker *self, uint32_t worker, const struct master_slave_task *task)
{
    if (task->to_come == 0) return;
    struct master_slave_task next = {.to_come = task->to_come - 1, .master = task->master, .maker = worker};
    gws_spawn(self, &next);
}

static void run_round(const struct master_slave *load, struct gws_task_worker *self, uint32_t worker,
                      const struct master_slave_task *task)
{
    uint64_t slaves = load->options->slaves;
    gws__load_spin(load->options->master_us);
    load->tally[worker].makers++;
    /* relaxed: spawning orders this store before the slaves run. */
    if (load->count) atomic_store_explicit(&load->count[task->master].running, slaves, memory_order_relaxed);
    struct master_slave_task slave = {.to_come = task->to_come, .master = task->master, .maker = worker};
    slave.is_slave = true;
    for (uint64_t i = 0; i < slaves; i++) gws_spawn(self, &slave);
    if (!load->count || slaves == 0) spawn_next(self, worker, task);
}

static void run_slave(const struct master_slave *load, struct gws_task_worker *self, uint32_t worker,
                      const struct master_slave_task *task)
{
    gws__load_spin(load->options->slave_us);
    load->tally[worker].workers++;
    load->tally[worker].migrated += task->maker != worker;
    if (!load->count) return;
    /* acq_rel: pairs with the same operation of the other slaves, so the next round sees all their writes. */
    uint64_t before = atomic_fetch_sub_explicit(&load->count[task->master].running, 1, memory_order_acq_rel);
    if (before == 1) spawn_next(self, worker, task);
}

static void run_tasks(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    const struct master_slave *load = context;
    const struct master_slave_task *at = task;
    for (uint32_t i = 0; i < count; i++) {
        if (at[i].is_slave)
            run_slave(load, self, worker, &at[i]);
        else
            run_round(load, self, worker, &at[i]);
    }
}

gws_status gws_master_slave_valid(const struct gws_master_slave_options *options)
{
    bool in_bounds = options->masters >= 1 && options->masters <= max_masters && options->slaves <= max_slaves &&
                     options->rounds >= 1;
    if (!in_bounds || !gws__load_is_valid_time(options->master_us) || !gws__load_is_valid_time(options->slave_us))
        return GWS_INVALID;
    return options->rounds > INT64_MAX / (options->masters * (options->slaves + 1)) ? GWS_TOO_LARGE : GWS_OK;
}

/* Allocates the arrays. The caller calls clear_load(), also after GWS_NO_MEMORY. */
static gws_status make_load(struct gws_runtime *runtime, struct master_slave *load)
{
    uint64_t masters = load->options->masters;
    load->tally = gws__load_tallies(runtime);
    load->root = gws_allocate(runtime, masters, sizeof *load->root);
    if (load->options->await) load->count = gws_allocate(runtime, masters, sizeof *load->count);
    if (!load->tally || !load->root || (load->options->await && !load->count)) return GWS_NO_MEMORY;
    for (uint32_t m = 0; m < masters; m++) {
        load->root[m] = (struct master_slave_task){.to_come = load->options->rounds - 1, .master = m};
        if (load->count) atomic_init(&load->count[m].running, 0);
    }
    return GWS_OK;
}

static void clear_load(struct gws_runtime *runtime, struct master_slave *load)
{
    uint64_t masters = load->options->masters;
    gws_release(runtime, load->count, masters, sizeof *load->count);
    gws_release(runtime, load->root, masters, sizeof *load->root);
    gws__load_release(runtime, load->tally);
}

gws_status gws_master_slave_check(const struct gws_master_slave_options *options,
                                  const struct gws_master_slave_result *result, struct gws_diagnostic *where)
{
    uint64_t rounds = options->masters * options->rounds, slaves = rounds * options->slaves;
    if (result->rounds == rounds && result->slaves == slaves && result->tasks == rounds + slaves) return GWS_OK;
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                              "%" PRIu64 " rounds and %" PRIu64 " slaves ran, not %" PRIu64 " and %" PRIu64,
                              result->rounds, result->slaves, rounds, slaves);
}

static gws_status judge(const struct gws_master_slave_options *options, struct gws__load_tally sum,
                        struct gws_master_slave_result *result)
{
    const double work_us = (double)sum.makers * options->master_us + (double)sum.workers * options->slave_us;
    const struct gws_master_slave_result made = {.tasks = sum.makers + sum.workers,
                                                 .rounds = sum.makers,
                                                 .slaves = sum.workers,
                                                 .strays = sum.migrated,
                                                 .work_ms = work_us / 1e3};
    gws_status status = gws_master_slave_check(options, &made, NULL);
    if (status == GWS_OK) *result = made;
    return status;
}

static gws_status master_slave(struct gws_runtime *runtime, const struct gws_master_slave_options *options,
                               struct gws_master_slave_result *result)
{
    struct master_slave load = {.options = options};
    gws_status status = gws_master_slave_valid(options);
    if (status != GWS_OK) return status;
    status = make_load(runtime, &load);
    const struct gws_tasks tasks = {
        .bytes = sizeof *load.root, .root = load.root, .roots = options->masters, .run = run_tasks, .context = &load};
    if (status == GWS_OK) status = gws_tasks_run(runtime, &tasks);
    if (status == GWS_OK) status = judge(options, gws__load_sum(runtime, load.tally), result);
    clear_load(runtime, &load);
    return status;
}

gws_status gws_master_slave(struct gws_runtime *runtime, const struct gws_master_slave_options *options,
                            struct gws_master_slave_result *result)
{
    return GWS_CALL(runtime, NULL, master_slave(runtime, options, result));
}
