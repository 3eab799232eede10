/* SPDX-License-Identifier: MIT */
/* The next level of Louvain and Leiden: nodes with one label become one node. A worker sums up the rows of all nodes
 * with one label in its table: first to count the arcs of the new row, then to write them. */
#include <string.h>

#include "state.h"

struct merge {
    struct gws__communities *run;
    const uint32_t *number; /* nodes entries: number of the new node */
    struct gws__level made;
    /* Both lie in the memory of degree[], which has 8 bytes for each node; fewer new nodes than nodes exist. */
    uint32_t *member; /* nodes entries: the nodes of each new node, ascending */
    uint32_t *start;  /* made.nodes + 1 entries: rows of member[] */
    _Atomic uint64_t longest;
};

/* Numbers the labels in the order of their first nodes, and replaces each entry of label[] by the number. `number` is
 * scratch. */
static uint64_t number_labels(struct gws_runtime *runtime, uint64_t nodes, uint32_t *label, uint32_t *number)
{
    uint32_t numbers = 0;
    memset(number, 0xff, nodes * sizeof *number);
    for (uint64_t v = 0; v < nodes && !gws_cancelled_at(runtime, v); v++) {
        if (number[label[v]] == GWS_NO_VERTEX) number[label[v]] = numbers++;
        label[v] = number[label[v]];
    }
    return numbers;
}

static gws_status sort_members(struct merge *merge, uint64_t nodes)
{
    struct gws_runtime *runtime = merge->run->runtime;
    uint64_t labels = merge->made.nodes;
    memset(merge->start, 0, (labels + 1) * sizeof *merge->start);
    for (uint64_t v = 0; v < nodes && !gws_cancelled_at(runtime, v); v++)
        if (merge->number[v] + (uint64_t)2 <= labels) merge->start[merge->number[v] + 2]++;
    for (uint64_t c = 2; c <= labels; c++) merge->start[c] += merge->start[c - 1];
    /* start[c + 1] is the next free entry of c during the loop, and the end of c afterwards. */
    for (uint64_t v = 0; v < nodes; v++) {
        if (gws_cancelled_at(runtime, v)) return GWS_CANCELLED;
        merge->member[merge->start[merge->number[v] + (uint64_t)1]++] = (uint32_t)v;
    }
    return GWS_OK;
}

static uint64_t max_labels(const struct merge *merge, uint64_t node)
{
    uint64_t arcs = 0;
    for (uint32_t i = merge->start[node]; i < merge->start[node + 1]; i++)
        arcs += gws__row_arcs(&merge->run->level, merge->member[i]);
    return arcs < merge->made.nodes ? arcs : merge->made.nodes;
}

static void find_longest(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct merge *merge = context;
    uint64_t longest = 0;
    (void)worker;
    for (uint64_t c = begin; c < end; c++) {
        uint64_t labels = max_labels(merge, c);
        if (labels > longest) longest = labels;
    }
    uint64_t old = atomic_load_explicit(&merge->longest, memory_order_relaxed);
    while (old < longest && !atomic_compare_exchange_weak_explicit(&merge->longest, &old, longest, memory_order_relaxed,
                                                                   memory_order_relaxed))
        continue;
}

static struct gws__table sum_members(const struct merge *merge, uint32_t worker, uint64_t node)
{
    const struct gws__level *level = &merge->run->level;
    struct gws__table table = gws__table_of(&merge->run->tables, worker, max_labels(merge, node));
    for (uint32_t i = merge->start[node]; i < merge->start[node + 1]; i++) {
        uint32_t member = merge->member[i];
        for (uint32_t part = 0; part < level->parts; part++) {
            const struct gws__rows *rows = &level->rows[part];
            for (uint64_t arc = rows->offset[member]; arc < rows->offset[member + (uint64_t)1]; arc++) {
                uint64_t weight = gws__weight(level, rows, arc);
                if (rows->target[arc] == member && level->loops_once) weight *= 2;
                gws__table_find(&table, merge->number[rows->target[arc]])->sum += weight;
            }
        }
    }
    return table;
}

static void count_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct merge *merge = context;
    for (uint64_t c = begin; c < end; c++) {
        struct gws__table table = sum_members(merge, worker, c);
        merge->made.offset[c + 1] = table.labels;
        gws__table_clear(&table);
    }
}

static void write_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct merge *merge = context;
    for (uint64_t c = begin; c < end; c++) {
        struct gws__table table = sum_members(merge, worker, c);
        for (uint32_t i = 0; i < table.labels; i++) {
            const struct gws__slot *slot = gws__table_at(&table, i);
            merge->made.target[merge->made.offset[c] + i] = slot->label;
            if (merge->made.weight)
                merge->made.weight[merge->made.offset[c] + i] = (int32_t)slot->sum;
            else
                merge->made.sum[merge->made.offset[c] + i] = slot->sum;
        }
        gws__table_clear(&table);
    }
}

static gws_status for_merged(struct merge *merge, gws_body *body)
{
    const struct gws_loop loop = {
        .count = merge->made.nodes, .body = body, .context = merge, .grain = communities_grain, .chunk = 16};
    return gws_parallel_try(merge->run->runtime, &loop);
}

/* Allocates the arcs of the new level. No weight exceeds the total. */
static gws_status reserve_arcs(struct merge *merge)
{
    struct gws_runtime *runtime = merge->run->runtime;
    struct gws__level *made = &merge->made;
    made->offset[0] = 0;
    for (uint64_t c = 0; c < made->nodes; c++) made->offset[c + 1] += made->offset[c];
    made->arcs = made->offset[made->nodes];
    made->target = gws_allocate(runtime, made->arcs, sizeof *made->target);
    if (merge->run->total <= INT32_MAX)
        made->weight = gws_allocate(runtime, made->arcs, sizeof *made->weight);
    else
        made->sum = gws_allocate(runtime, made->arcs, sizeof *made->sum);
    made->rows[0] =
        (struct gws__rows){.offset = made->offset, .target = made->target, .weight = made->weight, .sum = made->sum};
    return made->target && (made->weight || made->sum) ? GWS_OK : GWS_NO_MEMORY;
}

static gws_status merge_rows(struct merge *merge)
{
    struct gws_runtime *runtime = merge->run->runtime;
    struct gws__level *made = &merge->made;
    gws_status status = for_merged(merge, find_longest);
    if (status == GWS_OK) status = gws__tables_reserve(runtime, &merge->run->tables, merge->longest);
    if (status != GWS_OK) return status;
    made->offset = gws_allocate(runtime, made->nodes + 1, sizeof *made->offset);
    if (!made->offset) return GWS_NO_MEMORY;
    status = for_merged(merge, count_rows);
    if (status == GWS_OK) status = reserve_arcs(merge);
    return status == GWS_OK ? for_merged(merge, write_rows) : status;
}

static void rename_nodes(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct merge *merge = context;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) merge->run->node[v] = merge->number[merge->run->node[v]];
}

/* A new node gets the community of its members. The label of a community is its smallest new node. A new node is not
 * larger than its first member, so the function can replace community[] in place. `first` is scratch. */
static gws_status lift_communities(const struct merge *merge, uint32_t *first)
{
    uint32_t *community = merge->run->community;
    memset(first, 0xff, merge->run->level.nodes * sizeof *first);
    for (uint64_t c = 0; c < merge->made.nodes; c++) {
        if (gws_cancelled_at(merge->run->runtime, c)) return GWS_CANCELLED;
        uint32_t old = community[merge->member[merge->start[c]]];
        if (first[old] == GWS_NO_VERTEX) first[old] = (uint32_t)c;
        community[c] = first[old];
    }
    return GWS_OK;
}

/* Makes the new level the level of the run. number[] of the first level of Leiden is node[]. */
static gws_status replace_level(struct merge *merge, bool refines)
{
    struct gws__communities *run = merge->run;
    uint64_t renamed = merge->number != run->node ? run->graph->vertices : 0;
    gws_status status = gws_parallel_try_for(run->runtime, renamed, communities_grain, rename_nodes, merge);
    for (uint64_t c = 0; !refines && c < merge->made.nodes; c++) run->community[c] = (uint32_t)c;
    gws__level_clear(run->runtime, &run->level);
    run->level = merge->made;
    return status;
}

gws_status gws__communities_aggregate(struct gws__communities *run, bool refines)
{
    uint64_t nodes = run->level.nodes;
    uint32_t *label = refines ? run->refined : run->community, *scratch = (uint32_t *)(void *)run->degrees;
    struct merge merge = {.run = run, .number = label, .made = {.parts = 1}};
    merge.made.nodes = number_labels(run->runtime, nodes, label, scratch);
    if (gws_cancelled(run->runtime)) return GWS_CANCELLED;
    if (merge.made.nodes == nodes) return GWS_OK;
    merge.member = (uint32_t *)(void *)run->degree;
    merge.start = merge.member + nodes;
    gws_status status = sort_members(&merge, nodes);
    if (status == GWS_OK && refines) status = lift_communities(&merge, scratch);
    if (status != GWS_OK) return status;
    /* The arcs of the new level take the place of degrees[]. */
    gws_release(run->runtime, (void *)run->degrees, run->entries, sizeof *run->degrees);
    run->degrees = NULL;
    status = merge_rows(&merge);
    if (status == GWS_OK) return replace_level(&merge, refines);
    gws__level_clear(run->runtime, &merge.made);
    return status;
}

void gws__level_clear(struct gws_runtime *runtime, struct gws__level *level)
{
    gws_release(runtime, level->offset, level->nodes + 1, sizeof *level->offset);
    gws_release(runtime, level->target, level->arcs, sizeof *level->target);
    gws_release(runtime, level->weight, level->arcs, sizeof *level->weight);
    gws_release(runtime, level->sum, level->arcs, sizeof *level->sum);
    *level = (struct gws__level){0};
}
