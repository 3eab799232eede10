/* SPDX-License-Identifier: MIT */
/* Checks communities by their definitions, serially, and without any code of the algorithms. The check computes the
 * modularity in double, tests the connection of communities by searches, and runs label propagation again with sorted
 * labels. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../communities.h"
#include "ask.h"

struct partition_check {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    const struct gws_communities_options *options;
    const struct gws_communities_result *result;
    struct gws_diagnostic *where;
};

static gws_status wrong(const struct partition_check *check, uint64_t vertex, const char *text)
{
    return gws_diagnostic_set(check->where, GWS_WRONG_RESULT, NULL, 0, 0, "vertex %" PRIu64 " %s",
                              gws_graph_id(check->graph, (uint32_t)vertex), text);
}

static gws_status check_labels(const struct partition_check *check)
{
    const struct gws_communities_result *result = check->result;
    const uint32_t *label = result->community;
    uint64_t n = result->vertices, count = 0, largest = 0;
    bool first = check->options->method != GWS_COMMUNITIES_CDLP;
    uint32_t *size = gws_allocate(check->runtime, n, sizeof *size);
    if (!size) return GWS_NO_MEMORY;
    memset(size, 0, n * sizeof *size);
    gws_status status = GWS_OK;
    for (uint64_t v = 0; v < n && status == GWS_OK; v++) {
        if (label[v] >= n)
            status = wrong(check, v, "has a label that is not a vertex");
        else if (first && (label[v] > v || label[label[v]] != label[v]))
            status = wrong(check, v, "has a label that is not the smallest vertex of its community");
        if (status == GWS_OK) count += size[label[v]]++ == 0;
    }
    for (uint64_t v = 0; v < n; v++) largest = size[v] > largest ? size[v] : largest;
    gws_release(check->runtime, size, n, sizeof *size);
    if (status == GWS_OK && (count != result->count || largest != result->largest))
        status = gws_diagnostic_set(check->where, GWS_WRONG_RESULT, NULL, 0, 0,
                                    "%" PRIu64 " communities, at most %" PRIu64
                                    " vertices each; the result says %" PRIu64 " and %" PRIu64,
                                    count, largest, result->count, result->largest);
    return status;
}

/* ---- modularity ---- */

static double weight_of(const struct partition_check *check, uint64_t arc)
{
    if (check->options->ignore_weights || check->options->method == GWS_COMMUNITIES_CDLP) return 1;
    if (check->graph->weight) return check->graph->weight[arc];
    return check->graph->real_weight ? (double)check->graph->real_weight[arc] : 1;
}

/* Returns the modularity. Each arc u -> v of a directed graph is an edge {u, v}. An undirected edge has two arcs, and
 * a loop has one arc. */
static double modularity_of(const struct partition_check *check, double *degrees)
{
    const struct gws_graph *graph = check->graph;
    const uint32_t *label = check->result->community;
    double inside = 0, total = 0, squares = 0;
    double resolution = check->options->resolution == 0 ? 1 : check->options->resolution;
    memset(degrees, 0, graph->vertices * sizeof *degrees);
    for (uint64_t v = 0; v < graph->vertices && !ask_stop(check->runtime, v); v++)
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) {
            bool whole = graph->directed || graph->target[a] == v;
            double weight = weight_of(check, a) / (whole ? 1 : 2);
            degrees[label[v]] += weight;
            degrees[label[graph->target[a]]] += weight;
            total += weight;
            if (label[v] == label[graph->target[a]]) inside += weight;
        }
    if (total == 0) return 0;
    for (uint64_t v = 0; v < graph->vertices; v++) squares += pow(degrees[v] / (2 * total), 2);
    return inside / total - resolution * squares;
}

static gws_status check_modularity(const struct partition_check *check)
{
    uint64_t n = check->graph->vertices;
    double *degrees = gws_allocate(check->runtime, n, sizeof *degrees);
    if (!degrees) return GWS_NO_MEMORY;
    double modularity = modularity_of(check, degrees);
    gws_release(check->runtime, degrees, n, sizeof *degrees);
    if (fabs(modularity - check->result->modularity) <= 1e-7) return GWS_OK;
    return gws_diagnostic_set(check->where, GWS_WRONG_RESULT, NULL, 0, 0,
                              "the modularity is %.9f, the result says %.9f", modularity, check->result->modularity);
}

/* ---- connection ---- */

/* Pushes the neighbours of a vertex that are in its community and that no search has seen. */
static uint64_t push_row(const struct partition_check *check, const struct gws_graph *rows, uint32_t vertex,
                         uint32_t *stack, uint64_t size, uint8_t *seen)
{
    const uint32_t *label = check->result->community;
    for (uint64_t a = rows->offset[vertex]; a < rows->offset[vertex + (uint64_t)1]; a++) {
        uint32_t to = rows->target[a];
        if (seen[to] || label[to] != label[vertex]) continue;
        seen[to] = 1;
        stack[size++] = to;
    }
    return size;
}

/* Searches from the first vertex of each community. A vertex that no search has seen is not connected with its
 * community. */
static gws_status search(const struct partition_check *check, uint32_t *stack, uint8_t *seen)
{
    const struct gws_graph *graph = check->graph;
    memset(seen, 0, graph->vertices);
    for (uint64_t v = 0; v < graph->vertices && !ask_stop(check->runtime, v); v++) {
        if (seen[v]) continue;
        if (check->result->community[v] != v) return wrong(check, v, "is not connected with the rest of its community");
        uint64_t size = 0;
        seen[v] = 1;
        for (stack[size++] = (uint32_t)v; size > 0 && !ask_stop(check->runtime, stack[size - 1]);) {
            uint32_t from = stack[--size];
            size = push_row(check, graph, from, stack, size, seen);
            if (graph->directed) size = push_row(check, graph->reverse, from, stack, size, seen);
        }
    }
    return GWS_OK;
}

static gws_status check_connection(const struct partition_check *check)
{
    uint64_t n = check->graph->vertices;
    uint32_t *stack = gws_allocate(check->runtime, n, sizeof *stack);
    uint8_t *seen = gws_allocate(check->runtime, n, sizeof *seen);
    gws_status status = stack && seen ? search(check, stack, seen) : GWS_NO_MEMORY;
    gws_release(check->runtime, seen, n, sizeof *seen);
    gws_release(check->runtime, stack, n, sizeof *stack);
    return status;
}

/* ---- label propagation ---- */

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t label_by_rule(const struct gws_graph *graph, uint64_t v, const uint32_t *label, uint32_t *row)
{
    uint64_t size = 0, max = 0;
    uint32_t best = label[v];
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) row[size++] = label[graph->target[a]];
    if (graph->directed)
        for (uint64_t a = graph->reverse->offset[v]; a < graph->reverse->offset[v + 1]; a++)
            row[size++] = label[graph->reverse->target[a]];
    qsort(row, (size_t)size, sizeof *row, compare);
    for (uint64_t begin = 0, end; begin < size; begin = end) {
        for (end = begin; end < size && row[end] == row[begin]; end++) continue;
        if (end - begin > max) best = row[begin];
        if (end - begin > max) max = end - begin;
    }
    return best;
}

static gws_status propagate(const struct partition_check *check, uint32_t *label, uint32_t *next, uint32_t *row)
{
    const struct gws_graph *graph = check->graph;
    uint64_t n = graph->vertices;
    uint32_t iterations = check->options->iterations ? check->options->iterations : 10;
    if (check->result->levels > iterations)
        return gws_diagnostic_set(check->where, GWS_WRONG_RESULT, NULL, 0, 0, "%" PRIu32 " iterations",
                                  check->result->levels);
    for (uint64_t v = 0; v < n; v++) label[v] = (uint32_t)v;
    for (uint32_t i = 0; i < iterations; i++) {
        for (uint64_t v = 0; v < n; v++) {
            if (ask_stop(check->runtime, v)) return GWS_CANCELLED;
            next[v] = label_by_rule(graph, v, label, row);
        }
        if (memcmp(label, next, n * sizeof *label) == 0) break;
        memcpy(label, next, n * sizeof *label);
    }
    for (uint64_t v = 0; v < n; v++)
        if (label[v] != check->result->community[v]) return wrong(check, v, "has another label by the rule");
    return GWS_OK;
}

static gws_status check_propagation(const struct partition_check *check)
{
    const struct gws_graph *graph = check->graph;
    uint64_t n = graph->vertices, longest = 0;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t arcs = gws_graph_degree(graph, (uint32_t)v);
        if (graph->directed) arcs += gws_graph_degree(graph->reverse, (uint32_t)v);
        longest = arcs > longest ? arcs : longest;
    }
    uint32_t *label = gws_allocate(check->runtime, n, sizeof *label);
    uint32_t *next = gws_allocate(check->runtime, n, sizeof *next);
    uint32_t *row = gws_allocate(check->runtime, longest, sizeof *row);
    gws_status status = label && next && row ? propagate(check, label, next, row) : GWS_NO_MEMORY;
    gws_release(check->runtime, row, longest, sizeof *row);
    gws_release(check->runtime, next, n, sizeof *next);
    gws_release(check->runtime, label, n, sizeof *label);
    return status;
}

static gws_status communities_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                    const struct gws_communities_options *options,
                                    const struct gws_communities_result *result, struct gws_diagnostic *where)
{
    const struct gws_communities_options none = {0};
    const struct partition_check check = {runtime, graph, options ? options : &none, result, where};
    if (graph->directed && !graph->reverse) return gws_diagnostic_status(where, GWS_NEEDS_REVERSE);
    if (result->vertices != graph->vertices || !result->community)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the result belongs to another graph");
    gws_status status = check_labels(&check);
    if (status == GWS_OK) status = check_modularity(&check);
    if (status == GWS_OK && check.options->method == GWS_COMMUNITIES_LEIDEN) status = check_connection(&check);
    if (status == GWS_OK && check.options->method == GWS_COMMUNITIES_CDLP) status = check_propagation(&check);
    return status == GWS_NO_MEMORY ? gws_diagnostic_status(where, status) : status;
}

gws_status gws_communities_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                 const struct gws_communities_options *options,
                                 const struct gws_communities_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, ask_end(runtime, communities_check(runtime, graph, options, result, where), where));
}
