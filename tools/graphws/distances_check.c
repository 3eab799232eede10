/* SPDX-License-Identifier: MIT */
/* Checks distances by serial searches from one source each. The check shares no code with the searches of bits. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "distances.h"

enum { MAX_ARCS = 1 << 28, MIN_REPEATED = 4 };

struct search {
    const struct gws_graph *graph;
    uint32_t *depth, *queue; /* vertices entries each; depths of unreached vertices are GWS_NO_VERTEX */
    uint64_t reached, total, max;
    uint64_t *pairs; /* of all searches, by distance */
};

static void search(struct search *of, uint32_t source)
{
    const struct gws_graph *graph = of->graph;
    memset(of->depth, 0xff, graph->vertices * sizeof *of->depth);
    of->depth[source] = 0;
    of->queue[0] = source;
    of->reached = 1;
    of->total = 0;
    for (uint64_t head = 0; head < of->reached; head++) {
        const uint32_t v = of->queue[head];
        of->total += of->depth[v];
        of->pairs[of->depth[v]]++;
        for (uint64_t a = graph->offset[v]; of->depth[v] < of->max && a < graph->offset[v + (uint64_t)1]; a++) {
            if (of->depth[graph->target[a]] != GWS_NO_VERTEX) continue;
            of->depth[graph->target[a]] = of->depth[v] + 1;
            of->queue[of->reached++] = graph->target[a];
        }
    }
}

static gws_status wrong(struct gws_diagnostic *where, uint64_t source, const char *fault)
{
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "entry %" PRIu64 " of the sources: %s", source + 1,
                              fault);
}

/* Compares entry i of the sources with a search. first: its first row. */
static gws_status compare(const struct distances_result *result, const struct search *of, uint32_t source, uint64_t i,
                          uint64_t first, struct gws_diagnostic *where)
{
    const uint32_t farthest = of->depth[of->queue[of->reached - 1]];
    if (result->count[i] != of->reached || result->total[i] != of->total || result->farthest[i] != farthest)
        return wrong(where, i, "a search finds other distances");
    for (uint64_t row = first; result->row_source && row < first + of->reached; row++) {
        const uint32_t vertex = result->row_vertex[row], distance = result->row_distance[row];
        if (result->row_source[row] != source || vertex >= of->graph->vertices || of->depth[vertex] != distance)
            return wrong(where, i, "a row has a wrong distance");
        const uint32_t next = row + 1 < first + of->reached ? result->row_distance[row + 1] : UINT32_MAX;
        if (next < distance || (next == distance && result->row_vertex[row + 1] <= vertex))
            return wrong(where, i, "the rows are not in ascending order");
    }
    return GWS_OK;
}

/* Checks that the totals of the pairs are those of the sources. */
static gws_status check_sums(const struct distances_result *result, struct gws_diagnostic *where)
{
    uint64_t reached = 0, total = 0, pairs = 0, sum = 0;
    uint32_t max = 0;
    for (uint64_t i = 0; i < result->sources; i++) {
        reached += result->count[i];
        total += result->total[i];
        max = result->farthest[i] > max ? result->farthest[i] : max;
    }
    for (uint64_t d = 0; d <= result->max_distance && d < result->capacity; d++) {
        pairs += result->pairs[d];
        sum += d * result->pairs[d];
    }
    const uint64_t apart = pairs - result->sources;
    if (reached != result->reached || pairs != reached || sum != total || max != result->max_distance ||
        (apart && fabs(result->mean * (double)apart - (double)sum) > 1e-9 * (double)sum))
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the sums are not those of the sources");
    return GWS_OK;
}

/* Repeats some of the searches, and compares the pairs at each distance if it repeats all of them. */
static gws_status repeat(const struct distances_state *state, struct search *of, struct gws_diagnostic *where)
{
    const struct distances_result *result = &state->result;
    uint64_t many = MAX_ARCS / (of->graph->arcs + of->graph->vertices + 1), done = 0, first = 0;
    if (many < MIN_REPEATED) many = MIN_REPEATED;
    if (many > state->sources) many = state->sources;
    for (uint64_t i = 0; i < state->sources; first += result->count[i++]) {
        if ((long double)i * (long double)many < (long double)done * (long double)state->sources) continue;
        search(of, state->source[i]);
        gws_status status = compare(result, of, state->source[i], i, first, where);
        if (status != GWS_OK) return status;
        done++;
    }
    for (uint64_t d = 0; done == state->sources && done > 0 && d <= result->max_distance; d++)
        if (result->pairs[d] != of->pairs[d])
            return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                      "searches find another number of pairs at distance %" PRIu64, d);
    return GWS_OK;
}

gws_status distances_check(const struct distances_state *state, const struct gws_graph *graph,
                           struct gws_diagnostic *where)
{
    const uint64_t entries = graph->vertices + 1, bytes = 2 * sizeof(uint32_t) + sizeof(uint64_t);
    gws_status status = check_sums(&state->result, where);
    if (status != GWS_OK) return status;
    struct search of = {.graph = graph, .max = state->hops ? state->hops : UINT32_MAX};
    of.pairs = gws_allocate(state->runtime, entries, bytes);
    if (!of.pairs) return GWS_NO_MEMORY;
    memset(of.pairs, 0, entries * sizeof *of.pairs);
    of.depth = (uint32_t *)(void *)(of.pairs + entries);
    of.queue = of.depth + entries;
    status = repeat(state, &of, where);
    gws_release(state->runtime, of.pairs, entries, bytes);
    return status;
}
