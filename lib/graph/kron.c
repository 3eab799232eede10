/* SPDX-License-Identifier: MIT */
/* Random graphs of 2^SCALE vertices.
 *
 * kron: each level of the recursion selects a quadrant of the adjacency matrix with probabilities A, B, C, D
 * (Chakrabarti, Zhan, Faloutsos, "R-MAT", SDM 2004; parameters and shuffled ids from the Graph500 specification). An
 * alias table of 256 outcomes draws four levels at once (Walker 1977, with the construction of Vose 1991 in integers).
 * One 64-bit number thus suffices for eight levels. uniform: each edge is one 64-bit number, half of it for each
 * end. */
#include <string.h>

#include "../random.h"
#include "build.h"
#include "generate.h"

enum { max_windows = 16 }; /* each costs a drawing of all edges */

static gws_status read_parameters(struct gws__description *description, struct gws__edge_stream *stream)
{
    struct gws__kron *kron = &stream->of.kron;
    uint64_t scale = 0;
    *kron = (struct gws__kron){.seed = 1, .edge_factor = 16};
    gws_status status = gws__description_number(description, "the scale (0 to 31)", 0, 31, &scale);
    if (status == GWS_OK)
        status = gws__description_optional(description, "the edge factor", 1, UINT32_MAX, &kron->edge_factor);
    if (status == GWS_OK) status = gws__description_optional(description, "the seed", 0, UINT64_MAX, &kron->seed);
    kron->scale = (uint32_t)scale;
    stream->vertices = UINT64_C(1) << scale;
    stream->items = kron->edge_factor << scale; /* below 2^63 */
    stream->simple = true;
    return status == GWS_OK ? gws__description_end(description, "SCALE[:EDGEFACTOR[:SEED]]") : status;
}

struct drawn {
    struct gws_runtime *runtime;
    const struct gws__edge_stream *stream;
    struct gws_edge *edge;
};

static void free_edges(void *context)
{
    struct drawn *drawn = context;
    gws_release(drawn->runtime, drawn->edge, drawn->stream->items, sizeof *drawn->edge);
    drawn->edge = NULL;
}

static void draw_edges(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct drawn *drawn = context;
    (void)worker;
    (void)drawn->stream->draw(drawn->stream, begin, end, drawn->edge + begin, NULL);
}

/* Makes an undirected graph from drawn edges, without loops and duplicates. Here an item is an edge. */
static gws_status make_from_edges(struct gws_runtime *runtime, const struct gws__edge_stream *stream,
                                  struct gws_graph **graph)
{
    struct drawn drawn = {runtime, stream, gws_allocate(runtime, stream->items, sizeof *drawn.edge)};
    if (!drawn.edge) return GWS_NO_MEMORY;
    const struct gws_loop loop = {.count = stream->items, .grain = 1 << 14, .body = draw_edges, .context = &drawn};
    gws_status status = gws_parallel_try(runtime, &loop);
    struct gws_edge_block block = {.edge = drawn.edge, .count = stream->items};
    struct gws_edges edges = {.vertices = stream->vertices, .blocks = 1, .block = &block};
    struct gws_build_options options = {.kind = GWS_BUILD_SYMMETRISE,
                                        .remove_loops = true,
                                        .remove_duplicates = true,
                                        .on_read = free_edges,
                                        .context = &drawn};
    if (status == GWS_OK) status = gws_graph_build(runtime, &edges, &options, graph);
    free_edges(&drawn);
    return status;
}

/* With the edges in memory, the build takes 20 bytes for each: the edge and two arcs of 6 bytes. Otherwise the edges
 * are drawn again for each window. Then arcs take 4 bytes in the rows, those of a window 6 more, and the sort a
 * seventh. */
static gws_status make_graph(struct gws_runtime *runtime, const struct gws__edge_stream *stream,
                             struct gws_graph **graph)
{
    const uint64_t items = stream->items, rows = 8 * stream->vertices;
    if (items > UINT64_MAX / 32) return GWS_NO_MEMORY;
    if (gws__has_memory(runtime, 20 * items + rows)) return make_from_edges(runtime, stream, graph);
    for (uint64_t windows = 2; windows <= max_windows; windows *= 2)
        if (gws__has_memory(runtime, 8 * items + 12 * items / windows + items / 2 + rows))
            return gws__graph_draw(runtime, stream, windows, graph);
    return GWS_NO_MEMORY;
}

/* ---- kron ---- */

/* Entry i of the alias table: the low 8 bits are the alias of outcome i. The bits above are the probability of i
 * itself, in 2^-24. An outcome is levels_at_once bits of the row, then as many of the column. */
enum { levels_at_once = 4, outcomes = gws__kron_outcomes, fraction_bits = 24 };

/* Returns the product of the percentages over the levels of an outcome. All products sum to 100^4. */
static uint64_t weight_of(uint32_t outcome)
{
    static const uint64_t percent[2][2] = {{57, 19}, {19, 5}};
    uint64_t weight = 1;
    for (uint32_t level = 0; level < levels_at_once; ++level)
        weight *= percent[outcome >> (levels_at_once + level) & 1][outcome >> level & 1];
    return weight;
}

static void fill_alias(uint32_t alias[outcomes])
{
    const uint64_t total = 100000000;
    uint64_t share[outcomes];
    uint32_t poor[outcomes], rich[outcomes], poor_count = 0, rich_count = 0;
    for (uint32_t i = 0; i < outcomes; ++i) {
        share[i] = weight_of(i) * outcomes;
        if (share[i] < total)
            poor[poor_count++] = i;
        else
            rich[rich_count++] = i;
    }
    while (poor_count > 0) { /* the mean weight is total, so while a weight is below it another weight is above */
        uint32_t from = rich[rich_count - 1], to = poor[--poor_count];
        alias[to] = (uint32_t)((share[to] << fraction_bits) / total) << 8 | from;
        share[from] -= total - share[to];
        if (share[from] < total) {
            --rich_count;
            poor[poor_count++] = from;
        }
    }
    while (rich_count > 0) {
        uint32_t i = rich[--rich_count];
        alias[i] = UINT32_C(0xffffff) << 8 | i;
    }
}

/* Returns an outcome. A branch would be unpredictable, so the function has none. */
static inline uint32_t outcome_of(const uint32_t alias[outcomes], uint32_t bits)
{
    uint32_t entry = alias[bits & (outcomes - 1)];
    uint32_t own = -(uint32_t)(bits >> 8 < entry >> 8);
    return (entry ^ ((entry ^ bits) & own)) & (outcomes - 1);
}

static uint64_t draw_kron(const struct gws__edge_stream *stream, uint64_t begin, uint64_t end, struct gws_edge *edge,
                          int32_t *weight)
{
    const struct gws__kron *kron = &stream->of.kron;
    uint64_t seed = kron->seed, scale = kron->scale;
    uint64_t groups = (scale + levels_at_once - 1) / levels_at_once, draws = (groups + 1) / 2;
    uint32_t unused_bits = (uint32_t)(groups * levels_at_once - scale);
    (void)weight;
    for (uint64_t i = begin; i < end; ++i) {
        uint64_t from = 0, to = 0, bits = 0;
        for (uint64_t group = 0; group < groups; ++group) {
            bits = group & 1 ? bits >> 32 : gws_random_at(seed, i * draws + group / 2);
            uint32_t outcome = outcome_of(kron->alias, (uint32_t)bits);
            from = from << levels_at_once | outcome >> levels_at_once;
            to = to << levels_at_once | (outcome & ((1 << levels_at_once) - 1));
        }
        edge[i - begin].from = (uint32_t)gws__shuffle_at(&kron->shuffle, from >> unused_bits);
        edge[i - begin].to = (uint32_t)gws__shuffle_at(&kron->shuffle, to >> unused_bits);
    }
    return end - begin;
}

gws_status gws__open_kron(struct gws__description *description, struct gws__edge_stream *stream)
{
    gws_status status = read_parameters(description, stream);
    if (status != GWS_OK) return status;
    struct gws__kron *kron = &stream->of.kron;
    kron->shuffle = gws__shuffle_of(kron->scale, ~kron->seed);
    fill_alias(kron->alias);
    stream->draw = draw_kron;
    return GWS_OK;
}

gws_status gws__generate_kron(struct gws_runtime *runtime, struct gws__description *description,
                              struct gws_graph **graph)
{
    struct gws__edge_stream stream = {0};
    gws_status status = gws__open_kron(description, &stream);
    return status == GWS_OK ? make_graph(runtime, &stream, graph) : status;
}

/* ---- uniform ---- */

static uint64_t draw_uniform(const struct gws__edge_stream *stream, uint64_t begin, uint64_t end, struct gws_edge *edge,
                             int32_t *weight)
{
    const struct gws__kron *parameters = &stream->of.kron;
    uint32_t mask = (uint32_t)((UINT64_C(1) << parameters->scale) - 1);
    (void)weight;
    for (uint64_t i = begin; i < end; ++i) {
        uint64_t bits = gws_random_at(parameters->seed, i);
        edge[i - begin] = (struct gws_edge){(uint32_t)(bits >> 32) & mask, (uint32_t)bits & mask};
    }
    return end - begin;
}

gws_status gws__open_uniform(struct gws__description *description, struct gws__edge_stream *stream)
{
    stream->draw = draw_uniform;
    return read_parameters(description, stream);
}

gws_status gws__generate_uniform(struct gws_runtime *runtime, struct gws__description *description,
                                 struct gws_graph **graph)
{
    struct gws__edge_stream stream = {0};
    gws_status status = gws__open_uniform(description, &stream);
    return status == GWS_OK ? make_graph(runtime, &stream, graph) : status;
}
