/* SPDX-License-Identifier: MIT */
/* A policy of your own: the queues of "split" with your own decisions. A thief probes its nearest neighbour, every
 * fourth time a random worker, and steals a third of the victim's tasks. The example runs the calls that compute a
 * Fibonacci number by its definition, an unbalanced tree. */
#include <graphws/graphws.h>
#include <inttypes.h>
#include <stdio.h>

/* Returns the first active worker in topology order. */
static uint32_t nearest(const struct gws_view *view)
{
    uint32_t i = 0;
    while (view->topology_order[i] >= view->workers) i++;
    return view->topology_order[i];
}

static uint32_t nearest_or_random(const struct gws_view *view)
{
    if (view->bits % 4 != 0) return nearest(view);
    uint32_t other = gws_random_below(view->bits, view->workers - 1);
    return other + (other >= view->self);
}

static uint64_t a_third(uint64_t length, uint64_t chunk)
{
    (void)chunk; /* the value of gws_options.chunk */
    return (length + 2) / 3;
}

static void run(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    const uint64_t *number = task;
    (void)context, (void)worker, (void)count;
    for (uint64_t less = 1; less <= 2 && *number >= 2; less++) gws_spawn(self, &(uint64_t){*number - less});
}

int main(void)
{
    static struct gws_worker_stats stats[4096];
    const struct gws_decisions decisions = {.victim = nearest_or_random, .amount = a_third};
    const struct gws_options options = {.policy = "split", .decisions = &decisions};
    const uint64_t number = 30, tree = 2692537; /* tree: the number of tasks */
    const struct gws_tasks tasks = {.bytes = sizeof number, .root = &number, .roots = 1, .run = run};
    uint64_t ran = 0, steals = 0;
    struct gws_runtime *runtime = NULL;
    gws_status status = gws_runtime_open(&options, &runtime);
    if (status == GWS_OK) status = gws_tasks_run(runtime, &tasks);
    if (status == GWS_OK) gws_runtime_stats(runtime, stats);
    for (uint32_t w = 0; status == GWS_OK && w < gws_runtime_workers(runtime); w++) {
        ran += stats[w].tasks;
        steals += stats[w].steals;
    }
    if (status == GWS_OK) printf("%" PRIu64 " tasks, %s\n", ran, ran == tree ? "all of them" : "not all");
    fprintf(stderr, "%s, %" PRIu64 " steals\n", gws_status_text(status), steals);
    gws_runtime_close(runtime);
    return status != GWS_OK;
}
