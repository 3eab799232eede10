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
#include "generate.h"

/* The data that both generators share. The context of draw points to this struct, which may be part of a larger one. */
struct edge_maker {
    struct gws_edge *edge;
    uint64_t seed, edge_factor;
    uint32_t scale;
};

static gws_status read_parameters(struct gws__description *description, struct edge_maker *maker)
{
    uint64_t scale = 0;
    *maker = (struct edge_maker){.seed = 1, .edge_factor = 16};
    gws_status status = gws__description_number(description, "the scale (0 to 31)", 0, 31, &scale);
    if (status == GWS_OK)
        status = gws__description_optional(description, "the edge factor", 1, UINT32_MAX, &maker->edge_factor);
    if (status == GWS_OK) status = gws__description_optional(description, "the seed", 0, UINT64_MAX, &maker->seed);
    maker->scale = (uint32_t)scale;
    return status == GWS_OK ? gws__description_end(description, "SCALE[:EDGEFACTOR[:SEED]]") : status;
}

/* Makes an undirected graph from drawn edges, without loops and duplicates. */
static gws_status make_graph(struct gws_runtime *runtime, gws_body *draw, struct edge_maker *maker,
                             struct gws_graph **graph)
{
    uint64_t count = maker->edge_factor << maker->scale; /* count is below 2^63 */
    maker->edge = gws_allocate(runtime, count, sizeof *maker->edge);
    if (!maker->edge) return GWS_NO_MEMORY;
    const struct gws_loop loop = {.count = count, .grain = 1 << 14, .body = draw, .context = maker};
    gws_status status = gws_parallel_try(runtime, &loop);
    struct gws_edge_block block = {.edge = maker->edge, .count = count};
    struct gws_edges edges = {.vertices = UINT64_C(1) << maker->scale, .blocks = 1, .block = &block};
    struct gws_build_options options = {.kind = GWS_BUILD_SYMMETRISE, .remove_loops = true, .remove_duplicates = true};
    if (status == GWS_OK) status = gws_graph_build(runtime, &edges, &options, graph);
    gws_release(runtime, maker->edge, count, sizeof *maker->edge);
    return status;
}

/* ---- kron ---- */

enum { levels_at_once = 4, outcomes = 1 << (2 * levels_at_once), fraction_bits = 24 };

struct kron {
    struct edge_maker maker;
    struct gws__shuffle shuffle;
    /* Entry i: the low 8 bits are the alias of outcome i. The bits above are the probability of i itself, in 2^-24.
     * An outcome is levels_at_once bits of the row, then as many of the column. */
    uint32_t alias[outcomes];
};

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

static void draw_kron(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct kron *kron = context;
    uint64_t seed = kron->maker.seed, scale = kron->maker.scale;
    uint64_t groups = (scale + levels_at_once - 1) / levels_at_once, draws = (groups + 1) / 2;
    uint32_t unused_bits = (uint32_t)(groups * levels_at_once - scale);
    (void)worker;
    for (uint64_t i = begin; i < end; ++i) {
        uint64_t from = 0, to = 0, bits = 0;
        for (uint64_t group = 0; group < groups; ++group) {
            bits = group & 1 ? bits >> 32 : gws_random_at(seed, i * draws + group / 2);
            uint32_t outcome = outcome_of(kron->alias, (uint32_t)bits);
            from = from << levels_at_once | outcome >> levels_at_once;
            to = to << levels_at_once | (outcome & ((1 << levels_at_once) - 1));
        }
        kron->maker.edge[i].from = (uint32_t)gws__shuffle_at(&kron->shuffle, from >> unused_bits);
        kron->maker.edge[i].to = (uint32_t)gws__shuffle_at(&kron->shuffle, to >> unused_bits);
    }
}

gws_status gws__generate_kron(struct gws_runtime *runtime, struct gws__description *description,
                              struct gws_graph **graph)
{
    struct kron kron;
    gws_status status = read_parameters(description, &kron.maker);
    if (status != GWS_OK) return status;
    kron.shuffle = gws__shuffle_of(kron.maker.scale, ~kron.maker.seed);
    fill_alias(kron.alias);
    return make_graph(runtime, draw_kron, &kron.maker, graph);
}

/* ---- uniform ---- */

static void draw_uniform(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct edge_maker *maker = context;
    uint32_t mask = (uint32_t)((UINT64_C(1) << maker->scale) - 1);
    (void)worker;
    for (uint64_t i = begin; i < end; ++i) {
        uint64_t bits = gws_random_at(maker->seed, i);
        maker->edge[i] = (struct gws_edge){(uint32_t)(bits >> 32) & mask, (uint32_t)bits & mask};
    }
}

gws_status gws__generate_uniform(struct gws_runtime *runtime, struct gws__description *description,
                                 struct gws_graph **graph)
{
    struct edge_maker maker;
    gws_status status = read_parameters(description, &maker);
    return status == GWS_OK ? make_graph(runtime, draw_uniform, &maker, graph) : status;
}
