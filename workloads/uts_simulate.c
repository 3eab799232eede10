/* SPDX-License-Identifier: MIT */
/* Unbalanced tree search in virtual time. The tree is hashed while the simulation runs: a task hashes its children
 * together. Threads hash the children of a batch of tasks together, in vectors, of which the last one takes as long as
 * the others. A thief runs its first stolen task alone, so its vector is mostly empty. */
#include "../lib/parallel.h"
#include "sha1.h"
#include "simulate.h"
#include "uts_workers.h"

struct simulated_search {
    const struct gws__uts_table *table;
    const struct gws__sha1 *hash;
    struct gws__sha1_batch batch;
    double node_ns;
    struct gws_uts_result found;
};

static double cost(void *context, const void *task)
{
    const struct simulated_search *search = context;
    const struct gws__uts_task *node = task;
    return search->node_ns * node->children;
}

static void spawn_listed(struct simulated_search *search, struct gws_sim *sim, const struct gws__uts_row *row,
                         uint32_t depth, uint32_t listed)
{
    const struct gws__sha1_batch *batch = &search->batch;
    for (uint32_t i = 0; i < listed; i++) {
        const uint32_t child = batch->listed[i];
        struct gws__uts_task node = {.depth = depth};
        for (uint32_t k = 0; k < gws__sha1_words; k++) node.state[k] = batch->child[k][child];
        node.children = gws__uts_children(row, gws__sha1_draw(node.state[gws__sha1_words - 1]));
        gws_sim_spawn(sim, &node);
    }
}

static void run(void *context, struct gws_sim *sim, uint32_t worker, const void *task)
{
    (void)worker;
    struct simulated_search *search = context;
    const struct gws__uts_task *node = task;
    struct gws__sha1_batch *batch = &search->batch;
    struct gws__uts_row made;
    const struct gws__uts_row *row = gws__uts_row(search->table, node->depth + 1, &made);
    for (uint32_t k = 0; k < gws__sha1_words; k++) batch->parent[k][0] = node->state[k];
    batch->low[0] = row->low;
    batch->width[0] = row->width;
    for (uint32_t done = 0, count; done < node->children; done += count) {
        count = node->children - done < gws__sha1_capacity ? node->children - done : (uint32_t)gws__sha1_capacity;
        for (uint32_t i = 0; i < count + gws__sha1_lanes; i++) batch->number[i] = done + i;
        const uint32_t listed = search->hash->children(batch, count);
        search->found.leaves += count - listed;
        spawn_listed(search, sim, row, node->depth + 1, listed);
    }
    search->found.nodes += node->children;
    if (node->depth >= search->found.depth) search->found.depth = node->depth + 1;
}

static gws_status simulate(struct gws_runtime *runtime, const struct gws_sim_options *options,
                           const struct gws__uts_table *table, const struct gws__uts_task *root, uint32_t batch,
                           struct simulated_search *search, struct gws_sim_result *found, struct gws_diagnostic *where)
{
    *search = (struct simulated_search){.table = table,
                                        .hash = gws__sha1_at(0),
                                        .node_ns = options->machine.cost[GWS_SIM_node] * (double)table->tree.repeat};
    search->found = (struct gws_uts_result){.nodes = 1, .leaves = root->children == 0};
    const struct gws_sim_tasks tasks = {.bytes = sizeof *root,
                                        .batch = batch,
                                        .root = root,
                                        .roots = root->children > 0,
                                        .cost = cost,
                                        .run = run,
                                        .quantum = batch > 1 ? gws__sha1_lanes * search->node_ns : 0,
                                        .context = search};
    return gws_sim_run(runtime, options, &tasks, found, where);
}

gws_status gws_uts_simulate(struct gws_runtime *runtime, const struct gws_sim_options *options,
                            const struct gws_uts_tree *tree, uint32_t batch, struct gws_uts_result *result,
                            struct gws_sim_result *found, struct gws_diagnostic *where)
{
    struct gws__uts_task root = {.depth = 0};
    struct gws__uts_table table = {.row = NULL};
    gws_status status = gws__uts_root(runtime, tree, &root, &table);
    if (status != GWS_OK) return status;
    struct simulated_search *search = gws_allocate(runtime, 1, sizeof *search);
    status = search ? simulate(runtime, options, &table, &root, batch, search, found, where) : GWS_NO_MEMORY;
    if (status == GWS_OK) *result = search->found;
    gws_release(runtime, search, 1, sizeof *search);
    gws__uts_table_clear(runtime, &table);
    return status;
}
