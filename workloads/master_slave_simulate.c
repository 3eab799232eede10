/* SPDX-License-Identifier: MIT */
/* Masters and slaves in virtual time: the tasks of master_slave.c. */
#include <string.h>

#include "../lib/parallel.h"
#include "simulate.h"

struct simulated_task {
    uint64_t to_come; /* rounds of this master after this one */
    uint32_t master, maker;
    uint32_t is_slave;
};

struct simulated_masters {
    const struct gws_master_slave_options *load;
    uint64_t *running; /* by master: slaves of the round that have not finished */
    struct simulated_task *root;
    struct gws_master_slave_result found;
};

static double cost(void *context, const void *task)
{
    const struct gws_master_slave_options *load = ((struct simulated_masters *)context)->load;
    return 1e3 * (((const struct simulated_task *)task)->is_slave ? load->slave_us : load->master_us);
}

static void spawn_next(struct gws_sim *sim, uint32_t worker, const struct simulated_task *task)
{
    if (task->to_come == 0) return;
    const struct simulated_task next = {.to_come = task->to_come - 1, .master = task->master, .maker = worker};
    gws_sim_spawn(sim, &next);
}

static void run_round(struct simulated_masters *masters, struct gws_sim *sim, uint32_t worker,
                      const struct simulated_task *task)
{
    const struct gws_master_slave_options *load = masters->load;
    const struct simulated_task slave = {
        .to_come = task->to_come, .master = task->master, .maker = worker, .is_slave = true};
    masters->found.rounds++;
    masters->running[task->master] = load->slaves;
    for (uint64_t i = 0; i < load->slaves; i++) gws_sim_spawn(sim, &slave);
    if (!load->await || load->slaves == 0) spawn_next(sim, worker, task);
}

static void run(void *context, struct gws_sim *sim, uint32_t worker, const void *record)
{
    struct simulated_masters *masters = context;
    const struct simulated_task *task = record;
    if (!task->is_slave) {
        run_round(masters, sim, worker, task);
        return;
    }
    masters->found.slaves++;
    masters->found.strays += task->maker != worker;
    if (masters->load->await && --masters->running[task->master] == 0) spawn_next(sim, worker, task);
}

static gws_status simulate(struct gws_runtime *runtime, const struct gws_sim_options *options,
                           struct simulated_masters *masters, struct gws_sim_result *found,
                           struct gws_diagnostic *where)
{
    const struct gws_master_slave_options *load = masters->load;
    for (uint32_t m = 0; m < load->masters; m++)
        masters->root[m] = (struct simulated_task){.to_come = load->rounds - 1, .master = m};
    const struct gws_sim_tasks tasks = {.bytes = sizeof *masters->root,
                                        .root = masters->root,
                                        .roots = load->masters,
                                        .cost = cost,
                                        .run = run,
                                        .context = masters};
    gws_status status = gws_sim_run(runtime, options, &tasks, found, where);
    struct gws_master_slave_result *made = &masters->found;
    made->tasks = made->rounds + made->slaves;
    made->work_ms = ((double)made->rounds * load->master_us + (double)made->slaves * load->slave_us) / 1e3;
    return status == GWS_OK ? gws_master_slave_check(load, made, where) : status;
}

gws_status gws_master_slave_simulate(struct gws_runtime *runtime, const struct gws_sim_options *options,
                                     const struct gws_master_slave_options *load,
                                     struct gws_master_slave_result *result, struct gws_sim_result *found,
                                     struct gws_diagnostic *where)
{
    gws_status status = gws_master_slave_valid(load);
    if (status != GWS_OK) return status;
    struct simulated_masters masters = {.load = load,
                                        .running = gws_allocate(runtime, load->masters, sizeof *masters.running),
                                        .root = gws_allocate(runtime, load->masters, sizeof *masters.root)};
    status = masters.running && masters.root ? simulate(runtime, options, &masters, found, where) : GWS_NO_MEMORY;
    if (status == GWS_OK) *result = masters.found;
    gws_release(runtime, masters.running, load->masters, sizeof *masters.running);
    gws_release(runtime, masters.root, load->masters, sizeof *masters.root);
    return status;
}
