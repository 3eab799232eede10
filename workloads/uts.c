/* SPDX-License-Identifier: MIT */
/* Unbalanced tree search (Olivier et al., LCPC 2006) on immediate tasks.
 *
 * A task is a node with children: its SHA-1 state and its depth. A worker takes a batch of tasks and gathers all their
 * children into full lanes (sha1.h), however few each task has. The worker hashes the children together. The worker
 * spawns tasks for the children that have children themselves, and counts the other children directly. Only the making
 * of a table needs logarithms (uts_table.h). About one node in b + 1 passes through a queue. */
#include <stddef.h>
#include <string.h>

#include "../lib/parallel.h"
#include "../lib/tasks.h"
#include "sha1.h"
#include "uts.h"
#include "uts_workers.h"

enum { line = 128 };

/* The state of one worker. */
struct gws__uts_worker {
    alignas(line) uint64_t nodes, leaves;
    uint32_t deepest;
    struct gws__uts_gather gather;
};

/* ---- one worker ---- */

/* Hashes the gathered children, and spawns those that have children. */
static void flush(const struct gws__uts_workers *search, struct gws_task_worker *self, struct gws__uts_worker *state)
{
    struct gws__uts_gather *gather = &state->gather;
    uint32_t listed = 0;
    for (uint64_t i = 0; i < search->repeat; i++) listed = gws__uts_hash(gather, search->hash);
    for (uint32_t i = 0; i < listed; i++) {
        gws__uts_child(gather, search->table, gather->batch.listed[i], gws_spawn_reserve(self));
        gws_spawn_commit(self);
    }
    state->nodes += gather->children;
    state->leaves += gather->children - listed;
    gather->parents = gather->children = 0;
}

void gws__uts_workers_run(void *context, struct gws_task_worker *self, uint32_t worker, const void *task,
                          uint32_t count)
{
    const struct gws__uts_workers *search = context;
    struct gws__uts_worker *state = &search->state[worker];
    struct gws__uts_gather *gather = &state->gather;
    const struct gws__uts_task *node = task;
    for (; count > 0; count--, node++) {
        if (node->depth >= state->deepest && node->first < node->children) state->deepest = node->depth + 1;
        for (uint32_t done = node->first, end; done < node->children; done = end) {
            const uint32_t capacity = gws__sha1_capacity - gather->children;
            end = node->children - done < capacity ? node->children : done + capacity;
            gws__uts_gather(gather, search->table, node, done, end);
            if (gather->children == gws__sha1_capacity) flush(search, self, state);
        }
    }
    if (gather->children > 0) flush(search, self, state);
}

/* ---- the search ---- */

static const struct gws__sha1 *find_hash(const char *name)
{
    uint32_t i = 0;
    const struct gws__sha1 *hash = gws__sha1_at(0);
    while (hash && name && strcmp(hash->name, name) != 0) hash = gws__sha1_at(++i);
    return hash;
}

const char *gws_uts_hash_at(uint32_t i, const char **about)
{
    const struct gws__sha1 *hash = gws__sha1_at(i);
    if (hash && about) *about = hash->about;
    return hash ? hash->name : NULL;
}

gws_status gws__uts_workers_open(struct gws_runtime *runtime, const struct gws__uts_table *table,
                                 const struct gws_uts_options *options, struct gws__uts_workers *search)
{
    const uint32_t workers = gws_runtime_workers(runtime);
    *search = (struct gws__uts_workers){.hash = find_hash(options ? options->hash : NULL),
                                        .repeat = table->tree.repeat,
                                        .table = table,
                                        .batch = options && options->batch ? options->batch : GWS_UTS_BATCH,
                                        .bytes = workers * sizeof(struct gws__uts_worker) + line};
    if (!search->hash) return GWS_INVALID;
    search->memory = gws_allocate(runtime, search->bytes, 1);
    if (!search->memory) return GWS_NO_MEMORY;
    char *memory = search->memory;
    search->state = (struct gws__uts_worker *)(memory + (line - (uintptr_t)memory % line));
    memset(search->state, 0, workers * sizeof *search->state);
    return GWS_OK;
}

void gws__uts_workers_close(struct gws_runtime *runtime, struct gws__uts_workers *search)
{
    gws_release(runtime, search->memory, search->bytes, 1);
    search->memory = NULL;
}

void gws__uts_workers_add(struct gws_runtime *runtime, const struct gws__uts_workers *search,
                          struct gws_uts_result *result)
{
    for (uint32_t w = 0; w < gws_runtime_workers(runtime); w++) {
        const struct gws__uts_worker *state = &search->state[w];
        result->nodes += state->nodes;
        result->leaves += state->leaves;
        if (state->deepest > result->depth) result->depth = state->deepest;
    }
}

gws_status gws__uts_root(struct gws_runtime *runtime, const struct gws_uts_tree *tree, struct gws__uts_task *root,
                         struct gws__uts_table *table)
{
    gws_status status = gws__uts_check(tree);
    if (status != GWS_OK) return status;
    *root = (struct gws__uts_task){.depth = 0};
    gws__sha1_root((uint32_t)tree->seed, root->state);
    status = gws__uts_table_make(runtime, tree, root->state, table);
    if (status == GWS_OK) root->children = table->root_children;
    return status;
}

static struct gws_transport *transport_of(const struct gws_uts_options *options)
{
    return options && options->ranks ? options->ranks->transport : NULL;
}

void gws__uts_sum_ranks(struct gws_transport *transport, struct gws_uts_result *result)
{
    uint64_t counts[] = {result->nodes, result->leaves}, depth = result->depth;
    gws_transport_sum(transport, counts, 2);
    gws_transport_max(transport, &depth, 1);
    *result = (struct gws_uts_result){.nodes = counts[0], .leaves = counts[1], .depth = depth};
}

/* Rank 0, or the one process, counts the root. */
static gws_status run_tasks(struct gws_runtime *runtime, const struct gws_uts_options *options,
                            struct gws__uts_workers *search, const struct gws__uts_task *root,
                            struct gws_uts_result *result)
{
    struct gws_transport *transport = transport_of(options);
    const bool has_root = !transport || gws_transport_rank(transport) == 0;
    const struct gws_tasks tasks = {.bytes = sizeof *root,
                                    .batch = search->batch,
                                    .root = root,
                                    .roots = root->children > 0,
                                    .run = gws__uts_workers_run,
                                    .context = search};
    gws_status status = gws_rank_tasks_run(runtime, options ? options->ranks : NULL, &tasks);
    if (status != GWS_OK) return status;
    *result = (struct gws_uts_result){.nodes = has_root, .leaves = has_root && root->children == 0};
    gws__uts_workers_add(runtime, search, result);
    gws__uts_sum_ranks(transport, result);
    return GWS_OK;
}

static gws_status uts_search(struct gws_runtime *runtime, const struct gws_uts_tree *tree,
                             const struct gws_uts_options *options, struct gws_uts_result *result)
{
    struct gws__uts_task root = {.depth = 0};
    struct gws__uts_table table = {.row = NULL};
    struct gws__uts_workers search = {.memory = NULL};
    gws_status status = gws__uts_root(runtime, tree, &root, &table);
    if (status == GWS_OK) status = gws__uts_workers_open(runtime, &table, options, &search);
    status = gws_transport_agree(transport_of(options), status);
    if (status == GWS_OK) status = run_tasks(runtime, options, &search, &root, result);
    gws__uts_workers_close(runtime, &search);
    gws__uts_table_clear(runtime, &table);
    return status;
}

gws_status gws_uts_search(struct gws_runtime *runtime, const struct gws_uts_tree *tree,
                          const struct gws_uts_options *options, struct gws_uts_result *result)
{
    return GWS_CALL(runtime, NULL, uts_search(runtime, tree, options, result));
}

/* Named trees are the samples of the original program, with known sizes, and the program's defaults. */

#define TREE(type, shape) GWS_UTS_##type, GWS_UTS_##shape
#define USUAL 15.0 / 64.0, 4, 0.5, 1 /* chance, branching factor, turn, repeat */

static const struct gws_uts_named named[] = {
    {"T1", "-t 1 -a 3 -d 10 -b 4 -r 19", {TREE(GEOMETRIC, FIXED), 10, 4, 19, USUAL}, {4130071, 3305118, 10}},
    {"T2", "-t 1 -a 2 -d 16 -b 6 -r 502", {TREE(GEOMETRIC, CYCLIC), 16, 6, 502, USUAL}, {4117769, 2342762, 81}},
    {"T3",
     "-t 0 -b 2000 -q 0.124875 -m 8 -r 42",
     {TREE(BINOMIAL, LINEAR), 6, 2000, 42, 0.124875, 8, 0.5, 1},
     {4112897, 3599034, 1572}},
    {"T4",
     "-t 2 -a 0 -d 16 -b 6 -r 1 -q 0.234375 -m 4",
     {TREE(HYBRID, LINEAR), 16, 6, 1, USUAL},
     {4132453, 3108986, 134}},
    {"T5", "-t 1 -a 0 -d 20 -b 4 -r 34", {TREE(GEOMETRIC, LINEAR), 20, 4, 34, USUAL}, {4147582, 2181318, 20}},
    {"T1L", "-t 1 -a 3 -d 13 -b 4 -r 29", {TREE(GEOMETRIC, FIXED), 13, 4, 29, USUAL}, {102181082, 81746377, 13}},
    {"T2L", "-t 1 -a 2 -d 23 -b 7 -r 220", {TREE(GEOMETRIC, CYCLIC), 23, 7, 220, USUAL}, {96793510, 53791152, 67}},
    {"T3L",
     "-t 0 -b 2000 -q 0.200014 -m 5 -r 7",
     {TREE(BINOMIAL, LINEAR), 6, 2000, 7, 0.200014, 5, 0.5, 1},
     {111345631, 89076904, 17844}},
    {"T1XL", "-t 1 -a 3 -d 15 -b 4 -r 29", {TREE(GEOMETRIC, FIXED), 15, 4, 29, USUAL}, {1635119272, 1308100063, 15}},
    {"T1WL",
     "-t 1 -a 3 -d 18 -b 4 -r 19",
     {TREE(GEOMETRIC, FIXED), 18, 4, 19, USUAL},
     {270751679750, 216601257283, 18}},
};

const struct gws_uts_tree gws_uts_defaults = {TREE(GEOMETRIC, LINEAR), 6, 4, 0, USUAL};

const struct gws_uts_named *gws_uts_at(uint32_t i)
{
    return i < sizeof named / sizeof *named ? &named[i] : NULL;
}

const struct gws_uts_named *gws_uts_named(const char *name)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcmp(named[i].name, name) == 0) return &named[i];
    return NULL;
}
