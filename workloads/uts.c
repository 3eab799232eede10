/* SPDX-License-Identifier: MIT */
/* Unbalanced tree search (Olivier et al., LCPC 2006) on immediate tasks.
 *
 * A task is a node that has children: its SHA-1 state and its depth. A worker takes a batch of them, gathers all their
 * children, however few each has, into full lanes (sha1.h), hashes them together, and spawns those that have children
 * in turn; the others are counted where they are hashed. So the only logarithms are in a table (uts_table.h), and the
 * queues see one node in b + 1. */
#include <stddef.h>
#include <string.h>

#include "../lib/parallel.h"
#include "../lib/tasks.h"
#include "sha1.h"
#include "uts.h"
#include "uts_table.h"

enum { default_batch = 64, line = 128 };

struct node {
    uint32_t state[gws__sha1_words];
    uint32_t depth;
};

/* One worker's own. */
struct desk {
    alignas(line) uint64_t nodes, leaves;
    uint32_t deepest;
    uint32_t parents, children;    /* gathered in the batch */
    uint32_t depth[gws__sha1_row]; /* by parent: its children's */
    struct gws__sha1_batch batch;
};

struct search {
    const struct gws__sha1 *hash;
    uint64_t repeat;
    struct gws__uts_table table;
    struct desk *desk;
};

/* ---- one worker ---- */

static void spawn(struct gws_task_worker *self, const struct desk *desk, uint32_t child)
{
    const struct gws__sha1_batch *batch = &desk->batch;
    struct node *node = gws_spawn_reserve(self);
    for (uint32_t k = 0; k < gws__sha1_words; k++) node->state[k] = batch->child[k][child];
    node->depth = desk->depth[batch->from[child]];
    gws_spawn_commit(self);
}

/* Hashes what was gathered. */
static void flush(const struct search *search, struct gws_task_worker *self, struct desk *desk)
{
    struct gws__sha1_batch *batch = &desk->batch;
    uint32_t listed = 0;
    for (uint32_t i = 0; i < gws__sha1_lanes; i++) batch->from[desk->children + i] = desk->parents - 1;
    for (uint64_t i = 0; i < search->repeat; i++) listed = search->hash->children(batch, desk->children);
    for (uint32_t i = 0; i < listed; i++) spawn(self, desk, batch->listed[i]);
    desk->nodes += desk->children;
    desk->leaves += desk->children - listed;
    desk->parents = desk->children = 0;
}

/* Adds children begin .. end - 1 of the parent that was added last; there is room for them. */
static void add_children(struct desk *desk, uint32_t begin, uint32_t end)
{
    uint32_t *from = desk->batch.from + desk->children, *number = desk->batch.number + desk->children;
    for (uint32_t i = begin; i < end; i += gws__sha1_lanes)
        for (uint32_t k = 0; k < gws__sha1_lanes; k++) {
            from[i - begin + k] = desk->parents - 1;
            number[i - begin + k] = i + k;
        }
    desk->children += end - begin;
}

static void add_parent(const struct search *search, struct desk *desk, const struct node *node)
{
    struct gws__uts_row made;
    const struct gws__uts_row *row = gws__uts_row(&search->table, node->depth + 1, &made);
    uint32_t parent = desk->parents++;
    for (uint32_t k = 0; k < gws__sha1_words; k++) desk->batch.parent[k][parent] = node->state[k];
    desk->batch.low[parent] = row->low;
    desk->batch.width[parent] = row->width;
    desk->depth[parent] = node->depth + 1;
    if (node->depth >= desk->deepest) desk->deepest = node->depth + 1;
}

static uint32_t children_of(const struct search *search, const struct node *node)
{
    struct gws__uts_row made;
    if (node->depth == 0) return search->table.root_children;
    return gws__uts_children(gws__uts_row(&search->table, node->depth, &made),
                             gws__sha1_draw(node->state[gws__sha1_words - 1]));
}

static void run(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    const struct search *search = context;
    struct desk *desk = &search->desk[worker];
    const struct node *node = task;
    for (; count > 0; count--, node++) {
        uint32_t children = children_of(search, node);
        for (uint32_t done = 0; done < children;) {
            uint32_t room = gws__sha1_room - desk->children;
            uint32_t end = children - done < room ? children : done + room;
            add_parent(search, desk, node);
            add_children(desk, done, end);
            done = end;
            if (desk->children == gws__sha1_room) flush(search, self, desk);
        }
    }
    if (desk->children > 0) flush(search, self, desk);
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

static void sum(const struct search *search, uint32_t workers, struct gws_uts_result *result)
{
    *result = (struct gws_uts_result){.nodes = 1, .leaves = search->table.root_children == 0};
    for (uint32_t w = 0; w < workers; w++) {
        const struct desk *desk = &search->desk[w];
        result->nodes += desk->nodes;
        result->leaves += desk->leaves;
        if (desk->deepest > result->depth) result->depth = desk->deepest;
    }
}

static gws_status run_tasks(struct gws_runtime *runtime, struct search *search, const struct node *root, uint32_t batch,
                            struct gws_uts_result *result)
{
    uint32_t workers = gws_runtime_workers(runtime);
    uint64_t bytes = workers * sizeof(struct desk) + line;
    char *memory = gws_allocate(runtime, bytes, 1);
    if (!memory) return GWS_NO_MEMORY;
    search->desk = (struct desk *)(memory + (line - (uintptr_t)memory % line));
    memset(search->desk, 0, workers * sizeof(struct desk));
    struct gws_tasks tasks = {.bytes = sizeof *root,
                              .batch = batch ? batch : default_batch,
                              .root = root,
                              .roots = search->table.root_children > 0,
                              .run = run,
                              .context = search};
    gws_status status = gws_tasks_run(runtime, &tasks);
    if (status == GWS_OK) sum(search, workers, result);
    gws_release(runtime, memory, bytes, 1);
    return status;
}

gws_status gws_uts_search(struct gws_runtime *runtime, const struct gws_uts_tree *tree,
                          const struct gws_uts_options *options, struct gws_uts_result *result)
{
    struct search search = {.hash = find_hash(options ? options->hash : NULL), .repeat = tree->repeat};
    gws_status status = search.hash ? gws__uts_check(tree) : GWS_INVALID;
    if (status != GWS_OK) return status;
    struct node root = {.depth = 0};
    gws__sha1_root(tree->seed, root.state);
    status = gws__uts_table_make(runtime, tree, root.state, &search.table);
    if (status != GWS_OK) return status;
    status = run_tasks(runtime, &search, &root, options ? options->batch : 0, result);
    gws__uts_table_clear(runtime, &search.table);
    return status;
}

/* Trees by name: the samples that come with the original program, whose sizes are known, and its defaults. */

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
