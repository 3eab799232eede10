/* SPDX-License-Identifier: MIT */
/* What crosses the bus in breadth-first searches by a device that reads the arcs in the host's memory, counted for
 * several ways to keep some of them on the device. No device is needed.
 *
 * usage: bus_words GRAPH [top-down] [directed] [back]
 * GRAPH is a generator (kron:20); of a directed one every other arc is dropped, and the reverse is there, too. The
 * searches are those of gws_bfs() from four sources. The device runs all of each level; with "back" the back half of
 * the vertices, as where threads run the others. From above it reads whole rows, from below a row's words from the
 * front, piece by piece, until it finds a parent (kernels/bfs/host_resident.cl). A line for each way: for each part of
 * all arcs that there is room for, millions of words and of pieces of 32 bytes, a search. Kept words and the others are
 * packed apart; what is kept of the graph is also kept of its reverse. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bus_counting.h"

enum { last, longest, shortest, heads, heads_1, heads_2, heads_4, heads_8, ways, rooms = 7, sources = 4, piece = 8 };

static const char *const way_name[ways] = {"last rows",        "longest rows",    "shortest rows",
                                           "first words",      "1 word, longest", "2 words, longest",
                                           "4 words, longest", "8 words, longest"};
static const double part[rooms] = {0, 1.0 / 32, 1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 3.0 / 4};

struct count {
    double words, pieces;
};

/* What is kept of one graph, one way: words of each row, and where the others begin. */
struct kept {
    uint64_t *words, *rest;
};

/* ---- what is kept ---- */

/* Vertices by the lengths of their rows, ascending: a counting sort. */
static uint32_t *by_length(const struct gws_graph *graph)
{
    uint32_t *vertex = some(graph->vertices, sizeof *vertex);
    uint64_t most = 0;
    for (uint32_t v = 0; v < graph->vertices; v++)
        if (gws_graph_degree(graph, v) > most) most = gws_graph_degree(graph, v);
    uint64_t *at = some(most + 2, sizeof *at);
    for (uint32_t v = 0; v < graph->vertices; v++) at[gws_graph_degree(graph, v) + 1]++;
    for (uint64_t d = 0; d < most; d++) at[d + 1] += at[d];
    for (uint32_t v = 0; v < graph->vertices; v++) vertex[at[gws_graph_degree(graph, v)]++] = v;
    free(at);
    return vertex;
}

/* Whole rows in that way's order, until one does not fit. */
static void keep_rows(const struct gws_graph *graph, int way, uint64_t room, uint64_t *words)
{
    uint32_t *order = by_length(graph);
    for (uint64_t i = 0; i < graph->vertices; i++) {
        uint64_t back = graph->vertices - 1 - i, v = way == last ? back : order[way == shortest ? i : back];
        uint64_t more = gws_graph_degree(graph, (uint32_t)v) - words[v];
        if (more > room) break;
        words[v] += more;
        room -= more;
    }
    free(order);
}

/* The first words of all rows, up to `most` of each, the last rows' first; returns the room left. */
static uint64_t keep_heads(const struct gws_graph *graph, uint64_t most, uint64_t room, uint64_t *words)
{
    bool more = true;
    for (uint64_t round = 0; round < most && more; round++) {
        more = false;
        for (uint64_t v = graph->vertices; v-- > 0 && room > 0;) {
            if (gws_graph_degree(graph, (uint32_t)v) <= round) continue;
            words[v]++;
            room--;
            more = true;
        }
    }
    return room;
}

static struct kept keep(const struct gws_graph *graph, int way, double of_all)
{
    struct kept kept = {some(graph->vertices, sizeof(uint64_t)), some(graph->vertices, sizeof(uint64_t))};
    uint64_t room = (uint64_t)(of_all * (double)graph->arcs), at = 0;
    if (way >= heads) room = keep_heads(graph, way == heads ? UINT64_MAX : 1U << (way - heads_1), room, kept.words);
    if (way != heads) keep_rows(graph, way, room, kept.words);
    for (uint32_t v = 0; v < graph->vertices; v++) {
        kept.rest[v] = at;
        at += gws_graph_degree(graph, v) - kept.words[v];
    }
    return kept;
}

/* ---- what is read ---- */

/* Place of the first parent in the row of v, or the row's length. */
static uint64_t parent_at(const struct gws_graph *in, uint32_t v, const uint32_t *depth, uint32_t level)
{
    uint64_t arcs = gws_graph_degree(in, v), at = 0;
    while (at < arcs && depth[in->target[in->offset[v] + at]] != level) at++;
    return at;
}

/* The row of v, of which the words before `found` are of no use. */
static void read_row(const struct kept *kept, uint32_t v, uint64_t arcs, uint64_t found, bool up, struct count *count)
{
    uint64_t words = arcs - kept->words[v], from = kept->rest[v];
    if (words == 0 || found < kept->words[v]) return;
    uint64_t to_end = (from + found - kept->words[v]) / piece * piece + piece - from; /* of the piece that has it */
    if (up && found < arcs && to_end < words) words = to_end;
    count->words += (double)words;
    count->pieces += (double)((from + words - 1) / piece - from / piece + 1);
}

static void count_level(const struct gws_graph *graph, const struct gws_bfs_result *result, uint32_t level,
                        struct kept kept[2][rooms], uint32_t first, struct count *count)
{
    bool up = result->level[level].bottom_up;
    const struct gws_graph *read = up && graph->reverse ? graph->reverse : graph;
    for (uint32_t v = first; v < graph->vertices; v++) {
        uint64_t arcs = gws_graph_degree(read, v), found = arcs;
        if (up ? result->depth[v] <= level : result->depth[v] != level) continue;
        if (up) found = parent_at(read, v, result->depth, level);
        for (int r = 0; r < rooms; r++) read_row(&kept[read != graph][r], v, arcs, found, up, &count[r]);
    }
}

static void count_way(const struct gws_graph *graph, const struct gws_bfs_result *result, int way, uint32_t first)
{
    struct kept kept[2][rooms] = {{{0}}};
    struct count count[rooms] = {{0}};
    for (int r = 0; r < rooms; r++) {
        kept[0][r] = keep(graph, way, part[r]);
        if (graph->reverse) kept[1][r] = keep(graph->reverse, way, part[r]);
    }
    for (int s = 0; s < sources; s++)
        for (uint32_t level = 0; level < result[s].levels; level++)
            count_level(graph, &result[s], level, kept, first, count);
    printf("| %s |", way_name[way]);
    for (int r = 0; r < rooms; r++) {
        printf(" %.2f, %.3f |", count[r].words / 1e6 / sources, count[r].pieces / 1e6 / sources);
        for (int g = 0; g < 2; g++) free(kept[g][r].words), free(kept[g][r].rest);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    struct gws_runtime *runtime = NULL;
    struct gws_graph *graph = NULL;
    struct gws_bfs_result result[sources] = {{0}};
    struct gws_bfs_options options = {.time_levels = true}; /* level by level */
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
    for (int r = 0; r < rooms; r++) printf(" %.1f %% |", 100 * part[r]);
    printf("\n|---|---|---|---|---|---|---|---|\n");
    for (int way = 0; way < ways; way++) count_way(graph, result, way, back ? (uint32_t)(graph->vertices / 2) : 0);
    for (int s = 0; s < sources; s++) gws_bfs_result_clear(&result[s]);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    return EXIT_SUCCESS;
}
