/* SPDX-License-Identifier: MIT */
/* Descriptions of generated graphs: "kron:20", "grid:300x200" ... each read by the generator it names. */
#include "generate.h"

#include <string.h>

#include "../base/description.h"

typedef gws_status scaled_generator(struct gws_runtime *runtime, uint32_t scale, uint64_t edge_factor, uint64_t seed,
                                    struct gws_graph **graph);

static gws_status generate_scaled(struct gws_runtime *runtime, struct gws__description *description,
                                  scaled_generator *generator, struct gws_graph **graph)
{
    uint64_t scale = 0, edge_factor = 16, seed = 1;
    gws_status status = gws__description_number(description, "the scale (0 to 31)", 0, 31, &scale);
    if (status == GWS_OK)
        status = gws__description_optional(description, "the edge factor", 1, UINT32_MAX, &edge_factor);
    if (status == GWS_OK) status = gws__description_optional(description, "the seed", 0, UINT64_MAX, &seed);
    if (status == GWS_OK) status = gws__description_end(description, "SCALE[:EDGEFACTOR[:SEED]]");
    return status == GWS_OK ? generator(runtime, (uint32_t)scale, edge_factor, seed, graph) : status;
}

static gws_status generate_kron(struct gws_runtime *runtime, struct gws__description *description,
                                struct gws_graph **graph)
{
    return generate_scaled(runtime, description, gws__generate_kron, graph);
}

static gws_status generate_uniform(struct gws_runtime *runtime, struct gws__description *description,
                                   struct gws_graph **graph)
{
    return generate_scaled(runtime, description, gws__generate_uniform, graph);
}

static gws_status generate_grid(struct gws_runtime *runtime, struct gws__description *description,
                                struct gws_graph **graph)
{
    uint64_t width = 0, height = 0;
    gws_status status = gws__description_number(description, "the width", 1, UINT32_MAX, &width);
    if (status == GWS_OK && *description->at != 'x')
        status = gws__description_fail(description, GWS_SYNTAX, "expected ", "'x' and the height");
    if (status != GWS_OK) return status;
    ++description->at;
    status = gws__description_number(description, "the height (at most 2^32 - 1 vertices)", 1, GWS_NO_VERTEX / width,
                                     &height);
    if (status == GWS_OK) status = gws__description_end(description, "WxH");
    return status == GWS_OK ? gws__generate_grid(runtime, width, height, graph) : status;
}

static gws_status generate_road(struct gws_runtime *runtime, struct gws__description *description,
                                struct gws_graph **graph)
{
    uint64_t vertices = 0, seed = 1;
    gws_status status = gws__description_number(description, "the number of vertices", 1, GWS_NO_VERTEX, &vertices);
    if (status == GWS_OK) status = gws__description_optional(description, "the seed", 0, UINT64_MAX, &seed);
    if (status == GWS_OK) status = gws__description_end(description, "N[:SEED]");
    return status == GWS_OK ? gws__generate_road(runtime, vertices, seed, graph) : status;
}

static const struct generator {
    const char *prefix;
    gws_status (*generate)(struct gws_runtime *runtime, struct gws__description *description, struct gws_graph **graph);
} generators[] = {
    {"kron:", generate_kron},
    {"uniform:", generate_uniform},
    {"grid:", generate_grid},
    {"road:", generate_road},
};

static const struct generator *generator_of(const char *name)
{
    for (size_t i = 0; i < sizeof generators / sizeof *generators; ++i)
        if (strncmp(name, generators[i].prefix, strlen(generators[i].prefix)) == 0) return &generators[i];
    return NULL;
}

bool gws_graph_is_generator(const char *name)
{
    return generator_of(name) != NULL;
}

gws_status gws_graph_generate(struct gws_runtime *runtime, const char *description, struct gws_graph **graph,
                              struct gws_where *where)
{
    const struct generator *generator = generator_of(description);
    struct gws__description described = {.text = description, .at = description, .where = where};
    if (!generator)
        return gws__description_fail(&described, GWS_SYNTAX, "expected ", "kron:, uniform:, grid: or road:");
    described.at += strlen(generator->prefix);
    gws_status status = generator->generate(runtime, &described, graph);
    if (status == GWS_NO_MEMORY) gws_where_set(where, status, description, 0, 0, "out of memory for this graph");
    return status;
}
