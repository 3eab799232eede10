/* SPDX-License-Identifier: MIT */
/* A graph like a road map: planar, connected, sparse, with long shortest paths.
 *
 * Vertices are the first N cells, row by row, of a lattice of floor(sqrt(N)) columns. Each cell has lattice edges to
 * its upper and its left neighbour, and keeps one of the two at random. The kept edges form a random spanning tree (a
 * "binary tree maze"). Cells of the first row and column have no choice. The cell also keeps the other edge with
 * probability 0.325, which gives about 1.325 edges per vertex. The generator displaces each point by less than a
 * quarter of a cell, so straight edges never cross. Coordinates are integers, so any file format represents them
 * exactly. An edge's weight is its rounded length. */
#include <math.h>

#include "../random.h"
#include "build.h"
#include "generate.h"

enum { cell = 1000, jitter = 240 };

static const uint64_t keep_below = (uint64_t)(0.325 * 4294967296.0); /* in units of 2^-32 */

struct road {
    struct gws__road lattice;
    uint64_t vertices;
    uint64_t pieces;
    uint64_t *place; /* pieces + 1 entries: number of edges of each piece, then position of its first edge */
    struct gws_edge *edge;
    int32_t *weight;
    double *position;
};

enum { keep_left = 1, keep_up = 2 };

/* Returns which of its two edges a cell keeps. */
static uint32_t edges_of(const struct gws__road *road, uint64_t vertex)
{
    bool first_column = vertex % road->width == 0, first_line = vertex < road->width;
    uint64_t draw = gws_random_at(road->seed, 2 * vertex);
    if (first_column) return first_line ? 0 : keep_up;
    if (first_line) return keep_left;
    if ((draw & UINT32_MAX) < keep_below) return keep_left | keep_up;
    return draw >> 63 ? keep_left : keep_up;
}

static void place_vertex(const struct gws__road *road, uint64_t vertex, double place[2])
{
    uint64_t draw = gws_random_at(road->seed, 2 * vertex + 1);
    double x = (double)gws_random_below(draw, 2 * jitter + 1) - jitter;
    double y = (double)gws_random_below(draw << 32, 2 * jitter + 1) - jitter;
    place[0] = (double)(vertex % road->width) * cell + x;
    place[1] = (double)(vertex / road->width) * cell + y;
}

static int32_t weight_between(const double from[2], const double to[2])
{
    double x = from[0] - to[0], y = from[1] - to[1];
    return (int32_t)(sqrt(x * x + y * y) + 0.5); /* at least cell / 2 */
}

static void place_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct road *road = context;
    (void)worker;
    for (uint64_t vertex = begin; vertex < end; ++vertex)
        place_vertex(&road->lattice, vertex, &road->position[2 * vertex]);
}

static uint64_t piece_begin(const struct road *road, uint64_t piece)
{
    return road->vertices / road->pieces * piece + road->vertices % road->pieces * piece / road->pieces;
}

static void count_edges(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct road *road = context;
    (void)worker;
    for (uint64_t piece = begin; piece < end; ++piece) {
        uint64_t count = 0, last = piece_begin(road, piece + 1);
        for (uint64_t vertex = piece_begin(road, piece); vertex < last; ++vertex) {
            uint32_t edges = edges_of(&road->lattice, vertex);
            count += (edges & 1) + (edges >> 1);
        }
        road->place[piece] = count;
    }
}

static void write_edge(const struct road *road, uint64_t at, uint64_t from, uint64_t to)
{
    road->edge[at] = (struct gws_edge){(uint32_t)from, (uint32_t)to};
    road->weight[at] = weight_between(&road->position[2 * from], &road->position[2 * to]);
}

static void write_edges(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct road *road = context;
    (void)worker;
    for (uint64_t piece = begin; piece < end; ++piece) {
        uint64_t at = road->place[piece], last = piece_begin(road, piece + 1);
        for (uint64_t vertex = piece_begin(road, piece); vertex < last; ++vertex) {
            uint32_t edges = edges_of(&road->lattice, vertex);
            if (edges & keep_left) write_edge(road, at++, vertex, vertex - 1);
            if (edges & keep_up) write_edge(road, at++, vertex, vertex - road->lattice.width);
        }
    }
}

static gws_status build(struct gws_runtime *runtime, struct road *road, struct gws_graph **graph)
{
    uint64_t count = road->place[road->pieces];
    road->edge = gws_allocate(runtime, count, sizeof *road->edge);
    road->weight = gws_allocate(runtime, count, sizeof *road->weight);
    gws_status status = road->edge && road->weight ? GWS_OK : GWS_NO_MEMORY;
    if (status == GWS_OK) status = gws_parallel_try_for(runtime, road->pieces, 1, write_edges, road);
    if (status == GWS_OK) {
        struct gws_edge_block block = {.edge = road->edge, .weight = road->weight, .count = count};
        struct gws_edges edges = {.vertices = road->vertices, .blocks = 1, .block = &block};
        struct gws_build_options options = {.kind = GWS_BUILD_SYMMETRISE};
        status = gws_graph_build(runtime, &edges, &options, graph);
    }
    gws_release(runtime, road->edge, count, sizeof *road->edge);
    gws_release(runtime, road->weight, count, sizeof *road->weight);
    return status;
}

static uint64_t draw_road(const struct gws__edge_stream *stream, uint64_t begin, uint64_t end, struct gws_edge *edge,
                          int32_t *weight)
{
    const struct gws__road *road = &stream->of.road;
    uint64_t count = 0;
    for (uint64_t vertex = begin; vertex < end; ++vertex) {
        uint32_t edges = edges_of(road, vertex);
        double place[2], other[2];
        place_vertex(road, vertex, place);
        for (uint32_t kind = keep_left; kind <= keep_up; ++kind) {
            if (!(edges & kind)) continue;
            uint64_t to = vertex - (kind == keep_left ? 1 : road->width);
            place_vertex(road, to, other);
            edge[count] = (struct gws_edge){(uint32_t)vertex, (uint32_t)to};
            weight[count++] = weight_between(place, other);
        }
    }
    return count;
}

gws_status gws__open_road(struct gws__description *description, struct gws__edge_stream *stream)
{
    uint64_t vertices = 0, seed = 1;
    gws_status status = gws__description_number(description, "the number of vertices", 1, GWS_NO_VERTEX, &vertices);
    if (status == GWS_OK) status = gws__description_optional(description, "the seed", 0, UINT64_MAX, &seed);
    if (status == GWS_OK) status = gws__description_end(description, "N[:SEED]");
    stream->vertices = stream->items = vertices;
    stream->weighted = true;
    stream->draw = draw_road;
    stream->of.road = (struct gws__road){.width = (uint64_t)sqrt((double)vertices), .seed = seed};
    return status;
}

gws_status gws__generate_road(struct gws_runtime *runtime, struct gws__description *description,
                              struct gws_graph **graph)
{
    struct gws__edge_stream stream = {0};
    gws_status status = gws__open_road(description, &stream);
    if (status != GWS_OK) return status;
    uint64_t vertices = stream.vertices;
    struct road road = {.lattice = stream.of.road, .vertices = vertices};
    road.pieces = vertices / 4096 + 1;
    road.place = gws_allocate(runtime, road.pieces + 1, sizeof *road.place);
    road.position = gws_allocate(runtime, 2 * vertices, sizeof *road.position);
    status = road.place && road.position ? GWS_OK : GWS_NO_MEMORY;
    if (status == GWS_OK) status = gws_parallel_try_for(runtime, vertices, 1 << 12, place_vertices, &road);
    if (status == GWS_OK) status = gws_parallel_try_for(runtime, road.pieces, 1, count_edges, &road);
    if (status == GWS_OK) {
        road.place[road.pieces] = gws__prefix_sum(road.place, road.pieces);
        status = build(runtime, &road, graph);
    }
    gws_release(runtime, road.place, road.pieces + 1, sizeof *road.place);
    if (status == GWS_OK)
        gws_graph_adopt_positions(*graph, road.position);
    else
        gws_release(runtime, road.position, 2 * vertices, sizeof *road.position);
    return status;
}
