/* SPDX-License-Identifier: MIT */
/* Makes graphs by igraph's generators, from descriptions such as "igraph:barabasi:1000:3". */
#define _POSIX_C_SOURCE 200809L /* locale_t, in adapter.h */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/parallel.h"
#include "adapter.h"

#define PREFIX "igraph:"

enum { max_numbers = 4 };

typedef igraph_error_t generator(igraph_t *graph, const double *number);

/* Makes a graph of Barabasi and Albert, Science 1999. The generator connects each new vertex to m earlier vertices,
 * with probabilities proportional to degree + 1. */
static igraph_error_t barabasi(igraph_t *graph, const double *number)
{
    return igraph_barabasi_game(graph, (gws__igraph_int)number[0], 1, (gws__igraph_int)number[1], NULL, true, 1, false,
                                IGRAPH_BARABASI_PSUMTREE, NULL);
}

/* Makes a graph of Watts and Strogatz, Nature 1998. The generator begins with a ring, in which edges join each vertex
 * with its k next vertices. The generator rewires each edge with probability p. */
static igraph_error_t watts(igraph_t *graph, const double *number)
{
#if IGRAPH_VERSION_MAJOR >= 1
    return igraph_watts_strogatz_game(graph, 1, (gws__igraph_int)number[0], (gws__igraph_int)number[1], number[2],
                                      IGRAPH_SIMPLE_SW);
#else
    return igraph_watts_strogatz_game(graph, 1, (gws__igraph_int)number[0], (gws__igraph_int)number[1], number[2],
                                      false, false);
#endif
}

static igraph_error_t erdos(igraph_t *graph, const double *number)
{
#if IGRAPH_VERSION_MAJOR >= 1
    return igraph_erdos_renyi_game_gnm(graph, (gws__igraph_int)number[0], (gws__igraph_int)number[1], false,
                                       IGRAPH_SIMPLE_SW, false);
#else
    return igraph_erdos_renyi_game_gnm(graph, (gws__igraph_int)number[0], (gws__igraph_int)number[1], false, false);
#endif
}

static igraph_error_t geometric(igraph_t *graph, const double *number)
{
    return igraph_grg_game(graph, (gws__igraph_int)number[0], number[1], false, NULL, NULL);
}

static igraph_error_t tree(igraph_t *graph, const double *number)
{
    return igraph_tree_game(graph, (gws__igraph_int)number[0], false, IGRAPH_RANDOM_TREE_LERW);
}

static igraph_error_t forest(igraph_t *graph, const double *number)
{
    return igraph_forest_fire_game(graph, (gws__igraph_int)number[0], number[1], 1, 1, false);
}

/* real: a bit mask of the numbers that may have a fraction. */
static const struct generator_row {
    const char *name, *form, *about;
    int numbers;
    unsigned real;
    generator *make;
} rows[] = {
    {"barabasi", "igraph:barabasi:N:M[:SEED]", "N vertices, each connected to M earlier ones by degree", 2, 0,
     barabasi},
    {"watts", "igraph:watts:N:K:P[:SEED]",
     "a ring with K neighbours on either side; edges are rewired with probability P", 3, 4, watts},
    {"erdos", "igraph:erdos:N:M[:SEED]", "M uniformly random edges between N vertices", 2, 0, erdos},
    {"geometric", "igraph:geometric:N:R[:SEED]", "N points in the unit square, connected if nearer than R", 2, 2,
     geometric},
    {"tree", "igraph:tree:N[:SEED]", "a uniformly random tree of N vertices", 1, 0, tree},
    {"forest", "igraph:forest:N:P[:SEED]", "a forest fire that spreads with probability P from a random vertex", 2, 2,
     forest},
};

enum { row_count = sizeof rows / sizeof *rows };

bool gws_igraph_is_generator(const char *name)
{
    return strncmp(name, PREFIX, strlen(PREFIX)) == 0;
}

const char *gws_igraph_generator_at(uint32_t i, const char **about)
{
    if (i >= row_count) return NULL;
    if (about) *about = rows[i].about;
    return rows[i].form;
}

/* ---- descriptions ---- */

static gws_status wrong(const char *description, const char *at, const char *form, struct gws_diagnostic *where)
{
    return gws_diagnostic_set(where, GWS_SYNTAX, description, 1, (uint64_t)(at - description) + 1, "expected %s", form);
}

/* Reads ":NUMBER" at *at in the C locale. A whole number consists of digits. */
static bool parse_number(const char **at, bool real, double *number)
{
    if (**at != ':' || (*at)[1] < '0' || (*at)[1] > '9') return false;
    const char *begin = ++*at;
    char *end;
    *number = strtod(begin, &end);
    *at = end;
    size_t digits = strspn(begin, "0123456789");
    return real ? strspn(begin, "0123456789.e-") == (size_t)(end - begin) : begin + digits == end;
}

static gws_status parse(const char *description, const struct generator_row **row, double *number, uint64_t *seed,
                        struct gws_diagnostic *where)
{
    const char *at = description + strlen(PREFIX);
    size_t length = strcspn(at, ":");
    *row = NULL;
    for (uint32_t i = 0; i < row_count; i++)
        if (strlen(rows[i].name) == length && strncmp(at, rows[i].name, length) == 0) *row = &rows[i];
    if (!*row) return wrong(description, at, "barabasi, watts, erdos, geometric, tree or forest", where);
    at += length;
    for (int i = 0; i < (*row)->numbers; i++) {
        const char *begin = at;
        if (!parse_number(&at, (*row)->real >> i & 1, &number[i]))
            return wrong(description, begin, (*row)->form, where);
        if (!((*row)->real >> i & 1) && number[i] >= 9e15)
            return gws_diagnostic_set(where, GWS_TOO_LARGE, description, 1, (uint64_t)(begin - description) + 2,
                                      "the number is too large");
    }
    if (at[0] == ':' && at[1] >= '0' && at[1] <= '9') {
        char *end;
        errno = 0;
        *seed = strtoull(at + 1, &end, 10);
        if (errno) return gws_diagnostic_set(where, GWS_TOO_LARGE, description, 1, 0, "the seed is too large");
        at = end;
    }
    return *at ? wrong(description, at, (*row)->form, where) : GWS_OK;
}

/* ---- generating ---- */

/* Makes a graph with its own random numbers. igraph draws from its default generator, which the function restores
 * afterwards. Since version 1.0, igraph_rng_set_default() sets a pointer to the generator. Earlier versions copy the
 * generator to one location, whose address igraph_rng_default() returns. */
static igraph_error_t make_with(igraph_rng_t *own, const struct generator_row *row, const double *number,
                                igraph_t *graph)
{
#if IGRAPH_VERSION_MAJOR >= 1
    igraph_rng_t *before = igraph_rng_set_default(own);
    igraph_error_t error = row->make(graph, number);
    igraph_rng_set_default(before);
#else
    igraph_rng_t before = *igraph_rng_default();
    igraph_rng_set_default(own);
    igraph_error_t error = row->make(graph, number);
    igraph_rng_set_default(&before);
#endif
    return error;
}

static igraph_error_t make(const struct generator_row *row, const double *number, uint64_t seed, igraph_t *graph)
{
    igraph_rng_t own;
    igraph_error_t error = igraph_rng_init(&own, &igraph_rngtype_mt19937);
    if (error != IGRAPH_SUCCESS) return error;
    error = igraph_rng_seed(&own, seed);
    if (error == IGRAPH_SUCCESS) error = make_with(&own, row, number, graph);
    igraph_rng_destroy(&own);
    return error;
}

static gws_status make_graph(struct gws_runtime *runtime, const char *description, const struct generator_row *row,
                             const double *number, uint64_t seed, struct gws_graph **graph,
                             struct gws_diagnostic *where)
{
    igraph_t made;
    igraph_error_t error = number[0] < GWS_NO_VERTEX ? make(row, number, seed, &made) : IGRAPH_EOVERFLOW;
    if (error != IGRAPH_SUCCESS) return gws__igraph_failed(error, description, where);
    gws_status status = gws_graph_from_igraph(runtime, &made, NULL, NULL, graph, where);
    igraph_destroy(&made);
    return status;
}

static gws_status igraph_generate(struct gws_runtime *runtime, const char *description, struct gws_graph **graph,
                                  struct gws_diagnostic *where)
{
    const struct generator_row *row;
    double number[max_numbers];
    uint64_t seed = 1;
    if (!gws_igraph_is_generator(description)) return wrong(description, description, "igraph:", where);
    struct gws__igraph_before before;
    gws__igraph_enter(&before);
    gws_status status = parse(description, &row, number, &seed, where);
    if (status == GWS_OK) status = make_graph(runtime, description, row, number, seed, graph, where);
    gws__igraph_restore(&before);
    return status;
}

gws_status gws_igraph_generate(struct gws_runtime *runtime, const char *description, struct gws_graph **graph,
                               struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, igraph_generate(runtime, description, graph, where));
}
