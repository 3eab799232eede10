/* SPDX-License-Identifier: MIT */
/* A policy of your own: the queues of "split", and decisions that are in no table: a thief looks at its nearest
 * neighbour first, but at random every fourth time, and takes a third of what it finds. It is tried on an unbalanced
 * tree. */
#include <graphws/graphws.h>
#include <inttypes.h>
#include <stdio.h>

/* The first of the others, by shared cache, who takes part. */
static uint32_t nearest(const struct gws_view *view)
{
    uint32_t i = 0;
    while (view->near[i] >= view->workers) i++;
    return view->near[i];
}

static uint32_t near_or_random(const struct gws_view *view)
{
    if (view->bits % 4 != 0) return nearest(view);
    uint32_t other = gws_random_below(view->bits, view->workers - 1);
    return other + (other >= view->self);
}

static uint64_t a_third(uint64_t length, uint64_t chunk)
{
    (void)chunk; /* what gws_options.chunk says */
    return (length + 2) / 3;
}

static uint64_t steals_of(const struct gws_runtime *runtime)
{
    struct gws_worker_stats stats[4096];
    uint64_t steals = 0;
    gws_runtime_stats(runtime, stats);
    for (uint32_t w = 0; w < gws_runtime_workers(runtime); w++) steals += stats[w].steals;
    return steals;
}

int main(void)
{
    const struct gws_decisions decisions = {.victim = near_or_random, .amount = a_third};
    const struct gws_options options = {.policy = "split", .decisions = &decisions};
    const struct gws_uts_named *tree = gws_uts_named("T1");
    struct gws_uts_result result = {0};
    struct gws_runtime *runtime = NULL;
    gws_status status = gws_runtime_open(&options, &runtime);
    if (status == GWS_OK) status = gws_uts_search(runtime, &tree->tree, NULL, &result);
    if (status == GWS_OK) {
        printf("%" PRIu64 " nodes, %s\n", result.nodes, result.nodes == tree->result.nodes ? "all of them" : "not all");
        fprintf(stderr, "%" PRIu64 " steals\n", steals_of(runtime));
    } else {
        fprintf(stderr, "%s\n", gws_status_text(status));
    }
    gws_runtime_close(runtime);
    return status != GWS_OK;
}
