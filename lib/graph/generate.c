/* SPDX-License-Identifier: MIT */
/* Descriptions of generated graphs: "kron:20", "grid:300x200" ... read by hand, so that an error knows its column. */
#include "generate.h"

#include <string.h>

struct reader {
    const char *text, *at;
    struct gws_where *where;
};

static gws_status fail(const struct reader *reader, gws_status status, const char *expected, const char *what)
{
    uint64_t column = (uint64_t)(reader->at - reader->text) + 1;
    if (*reader->at == 0)
        return gws_where_set(reader->where, status, reader->text, 1, column, "%s%s, found the end", expected, what);
    return gws_where_set(reader->where, status, reader->text, 1, column, "%s%s, found '%.20s'", expected, what,
                         reader->at);
}

/* A decimal number of least .. most. On failure the reader stands where the number starts, or at the bad character. */
static gws_status read_number(struct reader *reader, const char *what, uint64_t least, uint64_t most, uint64_t *value)
{
    const char *start = reader->at;
    uint64_t sum = 0;
    bool over = false;
    for (; *reader->at >= '0' && *reader->at <= '9'; ++reader->at) {
        uint64_t digit = (uint64_t)(*reader->at - '0');
        over = over || sum > (most - digit) / 10 || digit > most;
        sum = over ? sum : sum * 10 + digit;
    }
    if (reader->at == start) return fail(reader, GWS_SYNTAX, "expected ", what);
    if (over) {
        reader->at = start;
        return fail(reader, GWS_TOO_LARGE, "too large for ", what);
    }
    if (sum < least) {
        reader->at = start;
        return fail(reader, GWS_SYNTAX, "too small for ", what);
    }
    *value = sum;
    return GWS_OK;
}

static gws_status read_end(struct reader *reader, const char *expected)
{
    return *reader->at == 0 ? GWS_OK : fail(reader, GWS_SYNTAX, "expected ", expected);
}

/* ":NUMBER", or nothing: then *value stays as it is. */
static gws_status read_optional(struct reader *reader, const char *what, uint64_t least, uint64_t most, uint64_t *value)
{
    if (*reader->at != ':') return GWS_OK;
    ++reader->at;
    return read_number(reader, what, least, most, value);
}

typedef gws_status scaled_generator(struct gws_runtime *runtime, uint32_t scale, uint64_t edge_factor, uint64_t seed,
                                    struct gws_graph **graph);

static gws_status generate_scaled(struct gws_runtime *runtime, struct reader *reader, scaled_generator *generator,
                                  struct gws_graph **graph)
{
    uint64_t scale = 0, edge_factor = 16, seed = 1;
    gws_status status = read_number(reader, "the scale (0 to 31)", 0, 31, &scale);
    if (status == GWS_OK) status = read_optional(reader, "the edge factor", 1, UINT32_MAX, &edge_factor);
    if (status == GWS_OK) status = read_optional(reader, "the seed", 0, UINT64_MAX, &seed);
    if (status == GWS_OK) status = read_end(reader, "SCALE[:EDGEFACTOR[:SEED]]");
    return status == GWS_OK ? generator(runtime, (uint32_t)scale, edge_factor, seed, graph) : status;
}

static gws_status generate_kron(struct gws_runtime *runtime, struct reader *reader, struct gws_graph **graph)
{
    return generate_scaled(runtime, reader, gws__generate_kron, graph);
}

static gws_status generate_uniform(struct gws_runtime *runtime, struct reader *reader, struct gws_graph **graph)
{
    return generate_scaled(runtime, reader, gws__generate_uniform, graph);
}

static gws_status generate_grid(struct gws_runtime *runtime, struct reader *reader, struct gws_graph **graph)
{
    uint64_t width = 0, height = 0;
    gws_status status = read_number(reader, "the width", 1, UINT32_MAX, &width);
    if (status == GWS_OK && *reader->at != 'x') status = fail(reader, GWS_SYNTAX, "expected ", "'x' and the height");
    if (status != GWS_OK) return status;
    ++reader->at;
    status = read_number(reader, "the height (at most 2^32 - 1 vertices)", 1, GWS_NO_VERTEX / width, &height);
    if (status == GWS_OK) status = read_end(reader, "WxH");
    return status == GWS_OK ? gws__generate_grid(runtime, width, height, graph) : status;
}

static gws_status generate_road(struct gws_runtime *runtime, struct reader *reader, struct gws_graph **graph)
{
    uint64_t vertices = 0, seed = 1;
    gws_status status = read_number(reader, "the number of vertices", 1, GWS_NO_VERTEX, &vertices);
    if (status == GWS_OK) status = read_optional(reader, "the seed", 0, UINT64_MAX, &seed);
    if (status == GWS_OK) status = read_end(reader, "N[:SEED]");
    return status == GWS_OK ? gws__generate_road(runtime, vertices, seed, graph) : status;
}

static const struct generator {
    const char *prefix;
    gws_status (*generate)(struct gws_runtime *runtime, struct reader *reader, struct gws_graph **graph);
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
    struct reader reader = {.text = description, .at = description, .where = where};
    if (!generator) return fail(&reader, GWS_SYNTAX, "expected ", "kron:, uniform:, grid: or road:");
    reader.at += strlen(generator->prefix);
    gws_status status = generator->generate(runtime, &reader, graph);
    if (status == GWS_NO_MEMORY) gws_where_set(where, status, description, 0, 0, "not enough memory for this graph");
    return status;
}
