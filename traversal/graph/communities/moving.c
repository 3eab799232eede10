/* SPDX-License-Identifier: MIT */
/* The moves of Louvain and Leiden (Traag, Waltman, van Eck 2019, supplementary algorithms A.2: MoveNodesFast and
 * MergeNodesSubset), in parallel with the same result for any number of workers.
 *
 * A round visits 16 classes of nodes, one after the other. All nodes of a class decide from the same communities,
 * and then all of them move. So a node may decide from a community that a neighbour of its class is leaving; the
 * next round draws other classes. Two single nodes of a class that want to join each other would swap: the one with
 * the smaller label stays (Lu, Halappanavar, Kalyanaraman, "Parallel heuristics for scalable community detection",
 * Parallel Computing 47, 2015).
 *
 * A block of 16 consecutive nodes has one node in each class; a hash of the block rotates them. So a class needs no
 * queue, and the decisions of a class need one entry for each block. kernels/graph/communities_rules.h has the rules
 * that devices share. */
#include "state.h"

/* Returns the node of a block that is in the class. It may lie behind the last node of the level. */
static uint32_t member_of(const struct gws__communities *run, uint64_t block)
{
    return node_of_class((uint32_t)block, run->class, run->round);
}

static uint64_t degree_of(const struct gws__communities *run, uint32_t node)
{
    return atomic_load_explicit(&run->degree[node], memory_order_relaxed);
}

static uint64_t degrees_of(const struct gws__communities *run, uint32_t label)
{
    return atomic_load_explicit(&run->degrees[label], memory_order_relaxed);
}

/* Runs body over the blocks. */
static gws_status for_class(struct gws__communities *run, gws_body *body)
{
    const struct gws_loop loop = {
        .count = gws__blocks(run->level.nodes), .body = body, .context = run, .grain = 256, .chunk = 16};
    return gws_parallel_try(run->runtime, &loop);
}

/* Returns the increase of modularity, times total, if a node of this degree joins a community. */
static double gain(const struct gws__communities *run, uint64_t sum, uint64_t degree, uint64_t degrees)
{
    return modularity_gain(run->resolution, run->total, sum, degree, degrees);
}

/* Adds up the weights of a node's arcs by the labels of the neighbours. */
static struct gws__table sum_row(const struct gws__communities *run, uint32_t worker, uint32_t node,
                                 const uint32_t *label)
{
    const struct gws__level *level = &run->level;
    struct gws__table table = gws__table_of(&run->tables, worker, gws__row_arcs(level, node));
    for (uint32_t part = 0; part < level->parts; part++) {
        const struct gws__rows *rows = &level->rows[part];
        for (uint64_t arc = rows->offset[node]; arc < rows->offset[node + (uint64_t)1]; arc++)
            if (rows->target[arc] != node)
                gws__table_find(&table, label[rows->target[arc]])->sum += gws__weight(level, rows, arc);
    }
    return table;
}

/* ---- local moving ---- */

static bool swaps(const struct gws__communities *run, uint32_t from, uint32_t to, uint64_t degree)
{
    return to > from && class_of_node(to, run->round) == run->class && degrees_of(run, from) == degree &&
           degrees_of(run, to) == degree_of(run, to);
}

static uint32_t best_community(const struct gws__communities *run, uint32_t worker, uint32_t node)
{
    uint32_t own = run->community[node], best = own;
    uint64_t degree = degree_of(run, node);
    struct gws__table table = sum_row(run, worker, node, run->community);
    double base = gain(run, gws__table_find(&table, own)->sum, degree, degrees_of(run, own) - degree);
    double max = min_gain(base, degree);
    for (uint32_t i = 0; i < table.labels; i++) {
        const struct gws__slot *slot = gws__table_at(&table, i);
        if (slot->label == own || swaps(run, own, slot->label, degree)) continue;
        double value = gain(run, slot->sum, degree, degrees_of(run, slot->label));
        if (value < max || (value == max && (best == own || slot->label > best))) continue;
        best = slot->label;
        max = value;
    }
    gws__table_clear(&table);
    return max < 0 && degrees_of(run, node) == 0 ? node : best; /* a new community for the node alone */
}

/* A node is active if a neighbour's community changed since it last decided. Only the worker of the block clears
 * flags while a class decides; other phases set them. */
static void decide(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__communities *run = context;
    uint64_t moves = 0;
    for (uint64_t b = begin; b < end; b++) {
        uint32_t v = member_of(run, b), bit = 1U << v % communities_block;
        uint32_t flags = atomic_load_explicit(&run->flags[b], memory_order_relaxed);
        run->next[b] = GWS_NO_VERTEX;
        if (!(flags & bit)) continue;
        atomic_store_explicit(&run->flags[b], (uint16_t)(flags & ~bit), memory_order_relaxed);
        uint32_t best = best_community(run, worker, v);
        if (best == run->community[v]) continue;
        run->next[b] = best;
        moves++;
    }
    if (moves) atomic_fetch_add_explicit(&run->moves, moves, memory_order_relaxed);
}

/* Activates neighbours outside the new community, so that they decide again. community[] still has the old
 * communities. */
static void move(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__communities *run = context;
    (void)worker;
    for (uint64_t b = begin; b < end; b++) {
        uint32_t v = member_of(run, b), to = run->next[b];
        if (to == GWS_NO_VERTEX) continue;
        atomic_fetch_sub_explicit(&run->degrees[run->community[v]], degree_of(run, v), memory_order_relaxed);
        atomic_fetch_add_explicit(&run->degrees[to], degree_of(run, v), memory_order_relaxed);
        for (uint32_t part = 0; part < run->level.parts; part++) {
            const struct gws__rows *rows = &run->level.rows[part];
            for (uint64_t arc = rows->offset[v]; arc < rows->offset[v + (uint64_t)1]; arc++)
                if (run->community[rows->target[arc]] != to && rows->target[arc] != v)
                    gws__set_flag(run, rows->target[arc]);
        }
    }
}

static void commit(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__communities *run = context;
    (void)worker;
    for (uint64_t b = begin; b < end; b++)
        if (run->next[b] != GWS_NO_VERTEX) run->community[member_of(run, b)] = run->next[b];
}

static gws_status move_class(struct gws__communities *run, uint64_t *all)
{
    atomic_store_explicit(&run->moves, 0, memory_order_relaxed);
    gws_status status = for_class(run, decide);
    uint64_t moves = atomic_load_explicit(&run->moves, memory_order_relaxed);
    *all += moves;
    if (status != GWS_OK || moves == 0) return status;
    status = for_class(run, move);
    return status == GWS_OK ? for_class(run, commit) : status;
}

gws_status gws__communities_move(struct gws__communities *run, uint64_t *moves)
{
    uint64_t before = UINT64_MAX;
    gws_status status = GWS_OK;
    *moves = 0;
    gws__communities_set_flags(run, true);
    for (uint32_t round = 0; round < COMMUNITIES_ROUNDS && *moves != before; round++, run->round++) {
        before = *moves;
        for (run->class = 0; status == GWS_OK && run->class < communities_block; run->class ++)
            status = move_class(run, moves);
        if (status != GWS_OK) return status;
    }
    return GWS_OK;
}

/* ---- refinement ----
 *
 * Every node is a part of its own at first, and may join one of its community once. A node that another node has
 * joined no longer moves. No node can join a single node of the class that decides. So each join adds an arc to a
 * part whose members do not move, and parts are connected. A flag marks the label of a part that a node has joined. Its
 * node decides no more, and a node that has left its own label is no part, so degree[] can hold the sums of parts. */

static void separate(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__communities *run = context;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) run->refined[v] = (uint32_t)v;
}

/* Adds up the weights towards the parts of the node's community that the node may join. *inside: the weight towards all
 * parts. */
static struct gws__table sum_parts(const struct gws__communities *run, uint32_t worker, uint32_t node, uint64_t *inside)
{
    const struct gws__level *level = &run->level;
    struct gws__table table = gws__table_of(&run->tables, worker, gws__row_arcs(level, node));
    for (uint32_t half = 0; half < level->parts; half++) {
        const struct gws__rows *rows = &level->rows[half];
        for (uint64_t arc = rows->offset[node]; arc < rows->offset[node + (uint64_t)1]; arc++) {
            uint32_t to = rows->target[arc], part = run->refined[to];
            if (to == node || run->community[to] != run->community[node]) continue;
            uint64_t weight = gws__weight(level, rows, arc);
            *inside += weight;
            if (gws__has_flag(run, part) || class_of_node(part, run->round) != run->class)
                gws__table_find(&table, part)->sum += weight;
        }
    }
    return table;
}

static uint32_t best_part(const struct gws__communities *run, uint32_t worker, uint32_t node)
{
    uint64_t inside = 0, degree = degree_of(run, node);
    struct gws__table table = sum_parts(run, worker, node, &inside);
    uint32_t best = node;
    double max = 0;
    /* A node that is badly connected with its community joins no other node. */
    if (gain(run, inside, degree, degrees_of(run, run->community[node]) - degree) < 0) goto end;
    for (uint32_t i = 0; i < table.labels; i++) {
        const struct gws__slot *slot = gws__table_at(&table, i);
        double value = gain(run, slot->sum, degree, degree_of(run, slot->label));
        if (value < max || (value == max && (best == node || slot->label > best))) continue;
        best = slot->label;
        max = value;
    }
end:
    gws__table_clear(&table);
    return best;
}

static void decide_part(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__communities *run = context;
    for (uint64_t b = begin; b < end; b++) {
        uint32_t v = member_of(run, b);
        bool decides = v < run->level.nodes && !gws__has_flag(run, v);
        uint32_t best = decides ? best_part(run, worker, v) : v;
        run->next[b] = best == v ? GWS_NO_VERTEX : best;
    }
}

static void join_part(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__communities *run = context;
    (void)worker;
    for (uint64_t b = begin; b < end; b++) {
        uint32_t v = member_of(run, b), to = run->next[b];
        if (to == GWS_NO_VERTEX) continue;
        run->refined[v] = to;
        atomic_fetch_add_explicit(&run->degree[to], degree_of(run, v), memory_order_relaxed);
        gws__set_flag(run, to);
    }
}

gws_status gws__communities_refine(struct gws__communities *run)
{
    gws_status status = gws__for_nodes(run, separate);
    gws__communities_set_flags(run, false);
    run->round++;
    for (run->class = 0; status == GWS_OK && run->class < communities_block; run->class ++) {
        status = for_class(run, decide_part);
        if (status == GWS_OK) status = for_class(run, join_part);
    }
    return status;
}
