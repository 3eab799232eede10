/* SPDX-License-Identifier: MIT */
#include "naive.h"

static int compare_arcs(const void *left, const void *right)
{
    const struct naive_arc *a = left, *b = right;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    if (a->to != b->to) return a->to < b->to ? -1 : 1;
    return (a->weight > b->weight) - (a->weight < b->weight);
}

void naive_sort(struct naive *naive)
{
    qsort(naive->arc, naive->arcs, sizeof *naive->arc, compare_arcs);
}

void naive_remove_duplicates(struct naive *naive)
{
    uint64_t out = 0;
    for (uint64_t i = 0; i < naive->arcs; i++) {
        bool same =
            out > 0 && naive->arc[out - 1].from == naive->arc[i].from && naive->arc[out - 1].to == naive->arc[i].to;
        if (!same) naive->arc[out++] = naive->arc[i];
    }
    naive->arcs = out;
}

static void add(struct naive *naive, uint32_t from, uint32_t to, double weight)
{
    naive->arc[naive->arcs++] = (struct naive_arc){from, to, weight};
}

struct naive naive_build(const struct gws_edges *edges, const struct gws_build_options *options)
{
    struct naive naive = {.vertices = edges->vertices};
    uint64_t count = 0;
    for (uint64_t b = 0; b < edges->blocks; b++) count += edges->block[b].count;
    naive.arc = malloc((2 * count + 1) * sizeof *naive.arc);
    for (uint64_t b = 0; b < edges->blocks; b++) {
        const struct gws_edge_block *block = &edges->block[b];
        if (block->weight && block->count) naive.weights = NAIVE_INTEGERS;
        if (block->real_weight && block->count) naive.weights = NAIVE_REALS;
        for (uint64_t i = 0; i < block->count; i++) {
            struct gws_edge edge = block->edge[i];
            double weight = block->weight ? block->weight[i] : block->real_weight ? (double)block->real_weight[i] : 0;
            if (options->remove_loops && edge.from == edge.to) continue;
            add(&naive, edge.from, edge.to, weight);
            if (options->kind == GWS_BUILD_SYMMETRISE && edge.from != edge.to) add(&naive, edge.to, edge.from, weight);
        }
    }
    naive_sort(&naive);
    if (options->remove_duplicates) naive_remove_duplicates(&naive);
    return naive;
}

static enum naive_weights weights_of(const struct gws_graph *graph)
{
    return graph->weight ? NAIVE_INTEGERS : graph->real_weight ? NAIVE_REALS : NAIVE_NO_WEIGHTS;
}

static double weight_of(const struct gws_graph *graph, uint64_t arc)
{
    if (graph->weight) return graph->weight[arc];
    return graph->real_weight ? (double)graph->real_weight[arc] : 0;
}

struct naive naive_of(const struct gws_graph *graph)
{
    struct naive naive = {.vertices = graph->vertices, .weights = weights_of(graph)};
    naive.arc = calloc(graph->arcs + 1, sizeof *naive.arc);
    for (uint64_t v = 0; v < graph->vertices; v++)
        for (uint64_t i = graph->offset[v]; i < graph->offset[v + 1]; i++)
            add(&naive, (uint32_t)v, graph->target[i], weight_of(graph, i));
    return naive;
}

void naive_clear(struct naive *naive)
{
    free(naive->arc);
    *naive = (struct naive){0};
}

void naive_check(const struct gws_graph *graph, const struct naive *naive)
{
    ck_assert_uint_eq(graph->vertices, naive->vertices);
    ck_assert_uint_eq(graph->arcs, naive->arcs);
    ck_assert_uint_eq(graph->offset[0], 0);
    ck_assert_uint_eq(graph->offset[graph->vertices], graph->arcs);
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (graph->offset[v] > graph->offset[v + 1]) ck_abort_msg("offsets fall at %llu", (unsigned long long)v);
    if (naive->arcs > 0) ck_assert_int_eq(weights_of(graph), naive->weights);
    struct naive found = naive_of(graph);
    for (uint64_t i = 0; i < naive->arcs; i++)
        if (compare_arcs(&found.arc[i], &naive->arc[i]) != 0)
            ck_abort_msg("arc %llu is (%u, %u, %g), not (%u, %u, %g)", (unsigned long long)i, found.arc[i].from,
                         found.arc[i].to, found.arc[i].weight, naive->arc[i].from, naive->arc[i].to,
                         naive->arc[i].weight);
    naive_clear(&found);
}

/* Draws a vertex. Half of the draws are among the first few vertices. */
static uint32_t random_vertex(uint64_t vertices, uint64_t *state)
{
    uint64_t draw = gws_random_next(state);
    return (uint32_t)((draw >> 8) % (draw & 1 ? vertices : vertices / 16 + 1));
}

struct naive_edges naive_random_edges(uint64_t vertices, uint64_t count, uint64_t blocks, enum naive_weights weights,
                                      uint64_t seed)
{
    struct naive_edges made = {.block = calloc(blocks + 1, sizeof *made.block)};
    uint64_t state = seed, left = count;
    for (uint64_t b = 0; b < blocks; b++) {
        uint64_t part = b + 1 == blocks ? left : gws_random_next(&state) % (2 * left / (blocks - b) + 1);
        part = part < left ? part : left;
        struct gws_edge *edge = malloc((part + 1) * sizeof *edge);
        int32_t *weight = weights == NAIVE_INTEGERS ? malloc((part + 1) * sizeof *weight) : NULL;
        float *real = weights == NAIVE_REALS ? malloc((part + 1) * sizeof *real) : NULL;
        for (uint64_t i = 0; i < part; i++) {
            edge[i].from = random_vertex(vertices, &state);
            edge[i].to = random_vertex(vertices, &state);
            int32_t small = weights ? (int32_t)(gws_random_next(&state) % 7) - 3 : 0;
            if (weight) weight[i] = small;
            if (real) real[i] = (float)small * (small & 1 ? 1e-30F : 1.1F);
        }
        made.block[b] = (struct gws_edge_block){.edge = edge, .weight = weight, .real_weight = real, .count = part};
        left -= part;
    }
    made.edges = (struct gws_edges){.vertices = vertices, .blocks = blocks, .block = made.block};
    return made;
}

void naive_edges_clear(struct naive_edges *edges)
{
    for (uint64_t b = 0; b < edges->edges.blocks; b++) {
        free((void *)edges->block[b].edge);
        free((void *)edges->block[b].weight);
        free((void *)edges->block[b].real_weight);
    }
    free(edges->block);
}

struct gws_runtime *naive_runtime(uint32_t threads)
{
    struct gws_options options = {.threads = threads};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    return runtime;
}

uint64_t naive_hash(const struct gws_graph *graph)
{
    uint64_t hash = gws_random_mix(graph->vertices) ^ graph->arcs ^ (graph->directed ? 1 : 0);
    for (uint64_t v = 0; v <= graph->vertices; v++) hash = gws_random_mix(hash ^ graph->offset[v]);
    for (uint64_t i = 0; i < graph->arcs; i++) hash = gws_random_mix(hash ^ graph->target[i]);
    for (uint64_t i = 0; graph->weight && i < graph->arcs; i++)
        hash = gws_random_mix(hash ^ (uint32_t)graph->weight[i]);
    for (uint64_t i = 0; graph->real_weight && i < graph->arcs; i++) {
        uint32_t bits;
        memcpy(&bits, &graph->real_weight[i], sizeof bits);
        hash = gws_random_mix(hash ^ bits);
    }
    for (uint64_t i = 0; graph->position && i < 2 * graph->vertices; i++)
        hash = gws_random_mix(hash ^ (uint64_t)(int64_t)graph->position[i]);
    return hash;
}

struct gws_graph *naive_random_graph(struct gws_runtime *runtime, uint64_t vertices, uint64_t count,
                                     enum naive_weights weights, enum gws_build_kind kind, uint64_t seed)
{
    struct naive_edges edges = naive_random_edges(vertices, count, 2, weights, seed);
    struct gws_build_options options = {.kind = kind};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &edges.edges, &options, &graph), GWS_OK);
    naive_edges_clear(&edges);
    return graph;
}

struct gws_graph *naive_generate(const char *description, uint32_t threads)
{
    struct gws_runtime *runtime = naive_runtime(threads);
    struct gws_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_graph_generate(runtime, description, &graph, &where);
    ck_assert_msg(status == GWS_OK, "%s: %s", description, where.message);
    ck_assert_int_eq(gws_graph_check_rows(runtime, graph, NULL), GWS_OK);
    gws_runtime_close(runtime);
    return graph;
}

bool naive_are_neighbours(uint64_t width, uint64_t a, uint64_t b)
{
    uint64_t dx = a % width > b % width ? a % width - b % width : b % width - a % width;
    uint64_t dy = a / width > b / width ? a / width - b / width : b / width - a / width;
    return dx + dy == 1;
}

struct gws_build_options naive_build_options(int i)
{
    return (struct gws_build_options){
        .kind = (enum gws_build_kind)(i % 3), .remove_loops = i / 3 % 2, .remove_duplicates = i / 6 % 2};
}

uint32_t *naive_order(struct gws_runtime *runtime, const struct gws_graph *graph, enum gws_order order)
{
    uint32_t *name = malloc((graph->vertices + 1) * sizeof *name);
    bool *used = calloc(graph->vertices + 1, sizeof *used);
    ck_assert_int_eq(gws_graph_order(runtime, graph, order, 0, name), GWS_OK);
    for (uint64_t v = 0; v < graph->vertices; v++) {
        if (name[v] >= graph->vertices || used[name[v]])
            ck_abort_msg("not a permutation at %llu", (unsigned long long)v);
        used[name[v]] = true;
    }
    free(used);
    return name;
}

struct gws_graph *naive_relabelled(struct gws_runtime *runtime, const struct gws_graph *graph, enum gws_order order)
{
    struct gws_graph *result = NULL;
    uint32_t *name = malloc((graph->vertices + 1) * sizeof *name);
    ck_assert_int_eq(gws_graph_order(runtime, graph, order, 1, name), GWS_OK);
    ck_assert_int_eq(gws_graph_relabel(runtime, graph, name, graph->vertices, &result), GWS_OK);
    free(name);
    return result;
}

struct gws_graph *naive_shuffled(struct gws_runtime *runtime, const char *description)
{
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_generate(runtime, description, &graph, NULL), GWS_OK);
    struct gws_graph *result = naive_relabelled(runtime, graph, GWS_ORDER_RANDOM);
    gws_graph_destroy(graph);
    return result;
}

struct gws_graph_gaps naive_gaps(struct gws_runtime *runtime, const struct gws_graph *graph)
{
    struct gws_graph_gaps gaps;
    ck_assert_int_eq(gws_graph_gaps(runtime, graph, &gaps), GWS_OK);
    return gaps;
}
