/* SPDX-License-Identifier: MIT */
/* Bouncing producer-consumer in virtual time. A task is one word, because millions of tasks wait at once:
 *     0                    a consumer
 *     1 | maker << 1 | generations that follow << 24    a producer, and the worker that spawned it */
#include "simulate.h"

enum { maker_shift = 1, depth_shift = 24, maker_bits = depth_shift - maker_shift };

struct simulated_bpc {
    const struct gws_bpc_options *load;
    struct gws_bpc_result found;
};

static uint64_t producer(uint64_t to_come, uint32_t maker)
{
    return 1 | (uint64_t)maker << maker_shift | to_come << depth_shift;
}

static double cost(void *context, const void *task)
{
    const struct simulated_bpc *bpc = context;
    return *(const uint64_t *)task ? 0 : 1e3 * bpc->load->work_us;
}

static void run(void *context, struct gws_sim *sim, uint32_t worker, const void *task)
{
    struct simulated_bpc *bpc = context;
    const uint64_t word = *(const uint64_t *)task, to_come = word >> depth_shift, consumer = 0;
    if (word == 0) {
        bpc->found.consumers++;
        return;
    }
    bpc->found.producers++;
    const uint32_t maker = (uint32_t)(word >> maker_shift) & ((1U << maker_bits) - 1);
    bpc->found.bounces += to_come != bpc->load->depth && maker != worker;
    if (to_come == 0) return;
    const uint64_t next = producer(to_come - 1, worker);
    gws_sim_spawn(sim, &next);
    for (uint64_t i = 0; i < bpc->load->consumers; i++) gws_sim_spawn(sim, &consumer);
}

gws_status gws_bpc_simulate(struct gws_runtime *runtime, const struct gws_sim_options *options,
                            const struct gws_bpc_options *load, struct gws_bpc_result *result,
                            struct gws_sim_result *found, struct gws_diagnostic *where)
{
    if (!(load->work_us >= 0 && load->work_us <= 1e9)) return GWS_INVALID;
    if (load->depth >> (64 - depth_shift) || load->consumers > INT64_MAX / (load->depth + 1) - 1) return GWS_TOO_LARGE;
    struct simulated_bpc bpc = {.load = load};
    const uint64_t root = producer(load->depth, 0);
    const struct gws_sim_tasks tasks = {
        .bytes = sizeof root, .repeats = true, .root = &root, .roots = 1, .cost = cost, .run = run, .context = &bpc};
    gws_status status = gws_sim_run(runtime, options, &tasks, found, where);
    bpc.found.tasks = bpc.found.producers + bpc.found.consumers;
    bpc.found.work_ms = (double)bpc.found.consumers * load->work_us / 1e3;
    if (status == GWS_OK) status = gws_bpc_check(load, &bpc.found, where);
    if (status == GWS_OK) *result = bpc.found;
    return status;
}
