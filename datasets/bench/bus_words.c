/* SPDX-License-Identifier: MIT */
/* Counts the bus traffic of breadth-first searches by a device that reads the arcs in the host's memory, for several
 * strategies of caching some arcs on the device. The program needs no device.
 *
 * usage: bus_words GRAPH [top-down] [directed] [back]
 *
 * GRAPH is a generator (kron:20). "directed" drops every other arc, and gives the graph its reverse. The searches are
 * those of gws_bfs() from four sources. The device runs each level completely. With "back" it runs only the back half
 * of the vertices, as if threads ran the others. Top-down levels read whole rows. Bottom-up levels read a row's words
 * from the front, piece by piece, until one is a parent (kernels/bfs/host_resident.cl). Prints a line for each
 * strategy. For each cached part of all arcs, the line has the millions of words and of pieces of 32 bytes for a
 * search. Cached words and other words are packed separately. The device caches the same part of the graph's
 * reverse. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bus_counting.h"

enum {
    last,
    longest,
    shortest,
    heads,
    heads_1,
    heads_2,
    heads_4,
    heads_8,
    strategies,
    capacities = 7,
    sources = 4,
    piece = 8
};

static const char *const strategy_name[strategies] = {"last rows",        "longest rows",    "shortest rows",
                                                      "first words",      "1 word, longest", "2 words, longest",
                                                      "4 words, longest", "8 words, longest"};
static const double part[capacities] = {0, 1.0 / 32, 1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 3.0 / 4};

struct bus_count {
    double words, pieces;
};

/* The cache of one graph by one strategy. It has the cached words of each row, and where the row's other words
 * begin. */
struct cached_words {
    uint64_t *words, *rest;
};

/* ---- choosing the cached words ---- */

/* Returns the vertices by ascending lengths of their rows, by a counting sort. */
static uint32_t *by_length(const struct gws_graph *graph)
{
    uint32_t *vertex = allocate_zeroed(graph->vertices, sizeof *vertex);
    uint64_t max = 0;
    for (uint32_t v = 0; v < graph->vertices; v++)
        if (gws_graph_degree(graph, v) > max) max = gws_graph_degree(graph, v);
    uint64_t *at = allocate_zeroed(max + 2, sizeof *at);
    for (uint32_t v = 0; v < graph->vertices; v++) at[gws_graph_degree(graph, v) + 1]++;
    for (uint64_t d = 0; d < max; d++) at[d + 1] += at[d];
    for (uint32_t v = 0; v < graph->vertices; v++) vertex[at[gws_graph_degree(graph, v)]++] = v;
    free(at);
    return vertex;
}

/* Caches whole rows in the strategy's order, until one does not fit. */
static void cache_rows(const struct gws_graph *graph, int strategy, uint64_t capacity, uint64_t *words)
{
    uint32_t *order = by_length(graph);
    for (uint64_t i = 0; i < graph->vertices; i++) {
        uint64_t back = graph->vertices - 1 - i, v = strategy == last ? back : order[strategy == shortest ? i : back];
        uint64_t more = gws_graph_degree(graph, (uint32_t)v) - words[v];
        if (more > capacity) break;
        words[v] += more;
        capacity -= more;
    }
    free(order);
}

/* Caches the first words of all rows, up to `max` of each, beginning with the last rows. Returns the remaining
 * capacity. */
static uint64_t cache_heads(const struct gws_graph *graph, uint64_t max, uint64_t capacity, uint64_t *words)
{
    bool more = true;
    for (uint64_t round = 0; round < max && more; round++) {
        more = false;
        for (uint64_t v = graph->vertices; v-- > 0 && capacity > 0;) {
            if (gws_graph_degree(graph, (uint32_t)v) <= round) continue;
            words[v]++;
            capacity--;
            more = true;
        }
    }
    return capacity;
}

static struct cached_words cache(const struct gws_graph *graph, int strategy, double of_all)
{
    struct cached_words cached = {allocate_zeroed(graph->vertices, sizeof(uint64_t)),
                                  allocate_zeroed(graph->vertices, sizeof(uint64_t))};
    uint64_t capacity = (uint64_t)(of_all * (double)graph->arcs), at = 0;
    if (strategy >= heads)
        capacity =
            cache_heads(graph, strategy == heads ? UINT64_MAX : 1U << (strategy - heads_1), capacity, cached.words);
    if (strategy != heads) cache_rows(graph, strategy, capacity, cached.words);
    for (uint32_t v = 0; v < graph->vertices; v++) {
        cached.rest[v] = at;
        at += gws_graph_degree(graph, v) - cached.words[v];
    }
    return cached;
}

/* ---- counting reads ---- */

/* Returns the place of the first parent in the row of v, or the row's length. */
static uint64_t parent_at(const struct gws_graph *in, uint32_t v, const uint32_t *depth, uint32_t level)
{
    uint64_t arcs = gws_graph_degree(in, v), at = 0;
    while (at < arcs && depth[in->target[in->offset[v] + at]] != level) at++;
    return at;
}

/* Counts the read of the row of v. The words before `found` do not lead to a parent. */
static void read_row(const struct cached_words *cached, uint32_t v, uint64_t arcs, uint64_t found, bool up,
                     struct bus_count *count)
{
    uint64_t words = arcs - cached->words[v], from = cached->rest[v];
    if (words == 0 || found < cached->words[v]) return;
    uint64_t to_end = (from + found - cached->words[v]) / piece * piece + piece -
                      from; /* to the end of the piece that contains `found` */
    if (up && found < arcs && to_end < words) words = to_end;
    count->words += (double)words;
    count->pieces += (double)((from + words - 1) / piece - from / piece + 1);
}

static void count_level(const struct gws_graph *graph, const struct gws_bfs_result *result, uint32_t level,
                        struct cached_words cached[2][capacities], uint32_t first, struct bus_count *count)
{
    bool up = result->level[level].bottom_up;
    const struct gws_graph *read = up && graph->reverse ? graph->reverse : graph;
    for (uint32_t v = first; v < graph->vertices; v++) {
        uint64_t arcs = gws_graph_degree(read, v), found = arcs;
        if (up ? result->depth[v] <= level : result->depth[v] != level) continue;
        if (up) found = parent_at(read, v, result->depth, level);
        for (int r = 0; r < capacities; r++) read_row(&cached[read != graph][r], v, arcs, found, up, &count[r]);
    }
}

static void count_strategy(const struct gws_graph *graph, const struct gws_bfs_result *result, int strategy,
                           uint32_t first)
{
    struct cached_words cached[2][capacities] = {{{0}}};
    struct bus_count count[capacities] = {{0}};
    for (int r = 0; r < capacities; r++) {
        cached[0][r] = cache(graph, strategy, part[r]);
        if (graph->reverse) cached[1][r] = cache(graph->reverse, strategy, part[r]);
    }
    for (int s = 0; s < sources; s++)
        for (uint32_t level = 0; level < result[s].levels; level++)
            count_level(graph, &result[s], level, cached, first, count);
    printf("| %s |", strategy_name[strategy]);
    for (int r = 0; r < capacities; r++) {
        printf(" %.2f, %.3f |", count[r].words / 1e6 / sources, count[r].pieces / 1e6 / sources);
        for (int g = 0; g < 2; g++) free(cached[g][r].words), free(cached[g][r].rest);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    struct gws_runtime *runtime = NULL;
    struct gws_graph *graph = NULL;
    struct gws_bfs_result result[sources] = {{0}};
    struct gws_bfs_options options = {.time_levels = true}; /* the search then runs level by level */
    bool directed = false, back = false;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "top-down") == 0) options.direction = GWS_BFS_TOP_DOWN;
        if (strcmp(argv[i], "directed") == 0) directed = true;
        if (strcmp(argv[i], "back") == 0) back = true;
    }
    must(argc > 1 ? GWS_OK : GWS_INVALID);
    must(gws_runtime_open(NULL, &runtime));
    must(gws_graph_generate(runtime, argv[1], &graph, NULL));
    if (directed) graph = half(runtime, graph);
    for (uint64_t k = 1, s = 0; s < sources; k++) {
        uint32_t source = (uint32_t)(k * 2654435761U % graph->vertices);
        if (gws_graph_degree(graph, source) > 0) must(gws_bfs(runtime, graph, source, &options, &result[s++]));
    }
    printf("| %s: %.1f M arcs; kept |", argv[1], (double)graph->arcs / 1e6);
    for (int r = 0; r < capacities; r++) printf(" %.1f %% |", 100 * part[r]);
    printf("\n|---|---|---|---|---|---|---|---|\n");
    for (int strategy = 0; strategy < strategies; strategy++)
        count_strategy(graph, result, strategy, back ? (uint32_t)(graph->vertices / 2) : 0);
    for (int s = 0; s < sources; s++) gws_bfs_result_clear(&result[s]);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    return EXIT_SUCCESS;
}
