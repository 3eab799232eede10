/* SPDX-License-Identifier: MIT */
/* Unbalanced tree search in virtual time. The tree is hashed while the simulation runs. A node's children depend on the
 * node only. So the children of the nodes that end next are hashed together in full lanes, and wait until their parent
 * ends.
 *
 * Threads hash the children of a batch of tasks together, in vectors, of which the last one takes as long as the
 * others. A thief runs its first stolen task alone, so its vector is mostly empty. */
#include "../lib/parallel.h"
#include "sha1.h"
#include "simulate.h"
#include "uts_workers.h"

enum { max_parents = 64, slots = 1024, capacity = 4096 };

/* A node whose children have been hashed. */
struct waiting {
    const void *task; /* NULL: none */
    uint32_t first, listed;
};

struct simulated_search {
    const struct gws__uts_table *table;
    const struct gws__sha1 *hash;
    struct gws__uts_gather gather;
    struct waiting waiting[slots]; /* by the address of the task */
    uint32_t waitings, children;
    struct gws__uts_task child[capacity]; /* of those that wait: the children that have children */
    double node_ns;
    struct gws_uts_result found;
};

static double cost(void *context, const void *task)
{
    const struct simulated_search *search = context;
    const struct gws__uts_task *node = task;
    return search->node_ns * node->children;
}

/* ---- nodes that end next ---- */

static struct waiting *slot_of(struct simulated_search *search, const void *task)
{
    return &search->waiting[(uintptr_t)task / sizeof(struct gws__uts_task) % slots];
}

/* Makes space for a batch of children. If too many wait, they are forgotten, and hashed again later. */
static void make_space(struct simulated_search *search)
{
    if (search->children + gws__sha1_capacity > capacity) {
        for (uint32_t i = 0; i < slots; i++) search->waiting[i].task = NULL;
        search->waitings = 0;
    }
    if (search->waitings == 0) search->children = 0;
}

/* Gathers the children of the present node, which is the first one, and of the next ones as far as they fit. */
static void gather_next(struct simulated_search *search, const struct gws_sim *sim, struct waiting **parent)
{
    const void *task[max_parents];
    const uint32_t tasks = gws_sim_upcoming(sim, task, max_parents);
    for (uint32_t i = 0; i < tasks; i++) {
        struct waiting *slot = slot_of(search, task[i]);
        const struct gws__uts_task *node = task[i];
        if (i > 0 && (slot->task || node->children > gws__sha1_capacity - search->gather.children)) continue;
        search->waitings += !slot->task;
        *slot = (struct waiting){.task = node};
        parent[search->gather.parents] = slot;
        gws__uts_gather(&search->gather, search->table, node, 0, node->children);
    }
}

static void hash_next(struct simulated_search *search, const struct gws_sim *sim)
{
    struct waiting *parent[max_parents];
    struct gws__uts_gather *gather = &search->gather;
    make_space(search);
    gather_next(search, sim, parent);
    const uint32_t listed = gws__uts_hash(gather, search->hash);
    for (uint32_t i = 0; i < listed; i++) {
        const uint32_t child = gather->batch.listed[i];
        struct waiting *of = parent[gather->batch.from[child]];
        if (of->listed++ == 0) of->first = search->children;
        gws__uts_child(gather, search->table, child, &search->child[search->children++]);
    }
    gather->parents = gather->children = 0;
}

static uint32_t run_small(struct simulated_search *search, struct gws_sim *sim, const struct gws__uts_task *node)
{
    struct waiting *slot = slot_of(search, node);
    if (slot->task != node) hash_next(search, sim);
    for (uint32_t i = 0; i < slot->listed; i++) gws_sim_spawn(sim, &search->child[slot->first + i]);
    slot->task = NULL;
    search->waitings--;
    return slot->listed;
}

/* Runs the root of a binomial tree, whose children are too many for a batch. */
static uint32_t run_large(struct simulated_search *search, struct gws_sim *sim, const struct gws__uts_task *node)
{
    struct gws__uts_gather *gather = &search->gather;
    uint32_t spawned = 0;
    for (uint32_t done = 0, end; done < node->children; done = end) {
        end = node->children - done < gws__sha1_capacity ? node->children : done + gws__sha1_capacity;
        gws__uts_gather(gather, search->table, node, done, end);
        const uint32_t listed = gws__uts_hash(gather, search->hash);
        for (uint32_t i = 0; i < listed; i++) {
            struct gws__uts_task child;
            gws__uts_child(gather, search->table, gather->batch.listed[i], &child);
            gws_sim_spawn(sim, &child);
        }
        spawned += listed;
        gather->parents = gather->children = 0;
    }
    return spawned;
}

/* ---- the simulation ---- */

static void run(void *context, struct gws_sim *sim, uint32_t worker, const void *task)
{
    (void)worker;
    struct simulated_search *search = context;
    const struct gws__uts_task *node = task;
    const bool large = node->children > gws__sha1_capacity;
    const uint32_t spawned = large ? run_large(search, sim, node) : run_small(search, sim, node);
    search->found.leaves += node->children - spawned;
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
