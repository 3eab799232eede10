/* SPDX-License-Identifier: MIT */
/* The common parts of the targets for graph readers. Two threads read each input from a stream and from a file, whole
 * and in tiny chunks. All results must agree, and the graph must be valid. */
#ifndef GWS_FUZZ_READ_GRAPH_H
#define GWS_FUZZ_READ_GRAPH_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../io/text/reader.h"
#include "../io/input_of.h"

static inline void fuzz_demand(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

/* Allocates at most a small number of bytes at a time. So a file with large declared counts fails without swapping. */
static inline void *fuzz_allocate(void *context, size_t bytes)
{
    return bytes > *(const size_t *)context ? NULL : malloc(bytes);
}

static inline void fuzz_release(void *context, void *memory, size_t bytes)
{
    (void)context, (void)bytes;
    free(memory);
}

static inline struct gws_runtime *fuzz_runtime(void)
{
    static size_t max = (size_t)1 << 20; /* max bytes of one allocation */
    static struct gws_runtime *runtime;
    struct gws_options options = {.threads = 2, .allocator = {fuzz_allocate, fuzz_release, &max}};
    if (!runtime) fuzz_demand(gws_runtime_open(&options, &runtime) == GWS_OK, "no runtime");
    return runtime;
}

/* Returns the number of arcs from one vertex to another. */
static inline uint64_t fuzz_arcs_between(const struct gws_graph *graph, uint64_t from, uint64_t to)
{
    uint64_t count = 0;
    for (uint64_t a = graph->offset[from]; a < graph->offset[from + 1]; a++) count += graph->target[a] == to;
    return count;
}

/* Checks that every arc of an undirected graph has its reverse arc. Skips large graphs, which would take long. */
static inline void fuzz_check_symmetry(const struct gws_graph *graph)
{
    for (uint64_t v = 0; v < graph->vertices && graph->arcs < 1000; v++)
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
            fuzz_demand(fuzz_arcs_between(graph, v, graph->target[a]) == fuzz_arcs_between(graph, graph->target[a], v),
                        "an arc of an undirected graph has no reverse arc");
}

/* Returns the id of vertex i of the ascending order of ids. */
static inline uint64_t fuzz_id_at(const struct gws_graph *graph, uint64_t i)
{
    return graph->id[graph->id_order ? graph->id_order[i] : i];
}

static inline void fuzz_walk(const struct gws_graph *graph)
{
    fuzz_demand(graph->offset[0] == 0 && graph->offset[graph->vertices] == graph->arcs, "the offsets' ends");
    for (uint64_t v = 0; v < graph->vertices; v++) {
        fuzz_demand(graph->offset[v] <= graph->offset[v + 1], "offsets fall");
        fuzz_demand(!graph->id || v == 0 || fuzz_id_at(graph, v - 1) < fuzz_id_at(graph, v), "ids are not ascending");
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) {
            fuzz_demand(graph->target[a] < graph->vertices, "a target is out of range");
            fuzz_demand(a == graph->offset[v] || graph->target[a - 1] <= graph->target[a], "a row is not ascending");
        }
    }
    if (!graph->directed) fuzz_check_symmetry(graph);
}

static inline bool fuzz_weighted(const struct gws_graph *graph)
{
    return graph->weight || graph->real_weight;
}

static inline double fuzz_weight(const struct gws_graph *graph, uint64_t arc)
{
    return graph->weight ? graph->weight[arc] : (double)graph->real_weight[arc];
}

static inline void fuzz_same_names(const struct gws_graph *a, const struct gws_graph *b)
{
    uint64_t a_length = 0, b_length = 0;
    uint32_t found = 0;
    fuzz_demand(!a->names.text == !b->names.text, "names and no names");
    for (uint32_t v = 0; a->names.text && v < a->vertices; v++) {
        const char *name = gws_graph_name(a, v, &a_length), *other = gws_graph_name(b, v, &b_length);
        fuzz_demand(a_length == b_length && memcmp(name, other, a_length) == 0, "other names");
        fuzz_demand(gws_graph_find_name(a, name, a_length, &found) == GWS_OK && found == v, "a name is not found");
    }
}

/* Checks that two graphs are equal. Integer weights may equal real weights. */
static inline void fuzz_same(const struct gws_graph *a, const struct gws_graph *b)
{
    fuzz_demand(a->vertices == b->vertices && a->arcs == b->arcs && a->directed == b->directed &&
                    a->first_id == b->first_id && !a->id == !b->id && fuzz_weighted(a) == fuzz_weighted(b),
                "two ways to read, two graphs");
    fuzz_demand(memcmp(a->offset, b->offset, (a->vertices + 1) * 8) == 0, "other offsets");
    if (a->arcs > 0) fuzz_demand(memcmp(a->target, b->target, a->arcs * 4) == 0, "other targets");
    for (uint64_t i = 0; fuzz_weighted(a) && i < a->arcs; i++)
        fuzz_demand(fuzz_weight(a, i) == fuzz_weight(b, i), "other weights");
    if (a->id) fuzz_demand(memcmp(a->id, b->id, a->vertices * 8) == 0, "other ids");
    fuzz_same_names(a, b);
}

/* Returns true if the error is a NUL. Readers report a NUL on a very long line before any other error in this line or
 * in the lines before it. */
static inline bool fuzz_found_nul(const struct gws_diagnostic *where)
{
    return strcmp(where->message, "expected text, found a NUL") == 0;
}

/* Checks that two ways of reading end with the same error or none. For a damaged gzip file, a reader may report an
 * error of the text or the error of the compression first. The order depends on how far ahead the reader inflated the
 * input. */
static inline void fuzz_same_end(const uint8_t *data, size_t size, gws_status a, const struct gws_diagnostic *at_a,
                                 gws_status b, const struct gws_diagnostic *at_b)
{
    bool gzip = size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
    if (a != GWS_OK && b != GWS_OK && (gzip || fuzz_found_nul(at_a) || fuzz_found_nul(at_b))) return;
    fuzz_demand(a == b, "two ways to read, two statuses");
    if (a == GWS_OK) return;
    fuzz_demand(at_a->line == at_b->line && at_a->column == at_b->column, "two places of one error");
    fuzz_demand(strcmp(at_a->message, at_b->message) == 0, "two messages of one error");
}

/* ---- reading ---- */

enum fuzz_mode { FUZZ_FILE, FUZZ_STREAM, FUZZ_MODES };

/* Opens the bytes as an input of the given mode, with chunks of the given size (0: the default). */
static inline gws_status fuzz_open(struct gws__input *input, const void *data, size_t size, enum fuzz_mode mode,
                                   uint64_t chunk_size, struct gws_diagnostic *where)
{
    gws_status status = gws_input_of(input, fuzz_runtime(), data, size, "input", mode == FUZZ_STREAM, where);
    if (chunk_size) input->chunk_size = chunk_size;
    return status;
}

struct fuzz_result {
    gws_status status;
    struct gws_diagnostic where;
    struct gws_graph *graph;
};

static inline struct fuzz_result fuzz_read_once(const void *data, size_t size, const struct gws_read_options *options,
                                                enum fuzz_mode mode, uint64_t chunk_size)
{
    struct fuzz_result result = {.graph = NULL};
    struct gws__input input;
    result.status = fuzz_open(&input, data, size, mode, chunk_size, &result.where);
    if (result.status == GWS_OK) result.status = gws__graph_read_input(&input, options, &result.graph);
    gws__input_close(&input);
    fuzz_demand((result.status == GWS_OK) == (result.graph != NULL), "a graph and an error, or neither");
    if (result.graph) fuzz_walk(result.graph);
    return result;
}

static inline void fuzz_compare(const void *data, size_t size, const struct fuzz_result *a, const struct fuzz_result *b)
{
    if (a->status == GWS_NO_MEMORY || b->status == GWS_NO_MEMORY) return;
    fuzz_same_end(data, size, a->status, &a->where, b->status, &b->where);
    if (a->graph) fuzz_same(a->graph, b->graph);
    if (a->graph) fuzz_demand(!a->graph->weight == !b->graph->weight, "two kinds of weights");
}

static inline void fuzz_read_with(const void *data, size_t size, const struct gws_read_options *options, bool chunks)
{
    struct fuzz_result whole = fuzz_read_once(data, size, options, FUZZ_FILE, 0);
    for (int mode = 0; mode < FUZZ_MODES; mode++) {
        struct fuzz_result again = fuzz_read_once(data, size, options, (enum fuzz_mode)mode, chunks ? 16 : 0);
        fuzz_compare(data, size, &whole, &again);
        gws_graph_destroy(again.graph);
    }
    gws_graph_destroy(whole.graph);
}

/* The size of the input selects the options for weights and directions, so seeds remain plain files. The METIS reader
 * and the format detection depend on the first chunk, so their results may depend on the chunk size. */
static inline int fuzz_read(const void *data, size_t size, enum gws_format format)
{
    bool chunks = format != GWS_FORMAT_METIS && format != GWS_FORMAT_AUTO && format != GWS_FORMAT_GWSG;
    struct gws_read_options options = {.format = format};
    options.weights = (enum gws_weights)(size % 3);
    options.direction = (enum gws_direction_of_edges)(size / 3 % 3);
    options.remove_loops = size / 9 % 2;
    options.remove_duplicates = size / 18 % 2;
    fuzz_read_with(data, size, &options, chunks);
    return 0;
}

#endif
