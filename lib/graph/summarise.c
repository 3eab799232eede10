/* SPDX-License-Identifier: MIT */
/* Degree statistics. Each worker has partial statistics, including counts of small degrees for the median. A bisection
 * on the degree finds a larger median, with one more pass over the offsets for each bit. */
#include <stdatomic.h>
#include <string.h>

#include "../graph.h"
#include "../parallel.h"

enum { small_degrees = 1024 };

struct degree_stats {
    uint64_t min, max, isolated, loops, duplicates;
    uint64_t max_vertex;
    uint64_t count[small_degrees]; /* number of vertices of each small degree */
    uint64_t up_to_limit;          /* number of degrees up to the bisection's limit */
};

struct survey {
    const struct gws_graph *graph;
    _Atomic uint64_t *entered; /* a bit for each vertex that an arc enters; NULL: the graph is undirected */
    struct degree_stats *part; /* one for each worker */
    uint32_t workers;
    uint64_t limit;
};

static void survey_row(const struct gws_graph *graph, struct degree_stats *part, uint64_t vertex)
{
    for (uint64_t arc = graph->offset[vertex]; arc < graph->offset[vertex + 1]; ++arc) {
        part->loops += graph->target[arc] == vertex;
        part->duplicates += arc > graph->offset[vertex] && graph->target[arc] == graph->target[arc - 1];
    }
}

/* Sets the bits of the targets of rows. If a bit is set already, as most are, the function only reads the word. */
static void mark_targets(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct survey *survey = context;
    const uint32_t *target = survey->graph->target;
    (void)worker;
    for (uint64_t arc = begin; arc < end; ++arc) {
        _Atomic uint64_t *word = &survey->entered[target[arc] / 64];
        uint64_t bit = UINT64_C(1) << target[arc] % 64;
        /* relaxed, here and in is_entered(): the loop's barrier separates the writes from the reads. */
        if (!(atomic_load_explicit(word, memory_order_relaxed) & bit))
            atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
    }
}

static bool is_entered(const struct survey *survey, uint64_t vertex)
{
    if (!survey->entered) return false;
    return atomic_load_explicit(&survey->entered[vertex / 64], memory_order_relaxed) >> vertex % 64 & 1;
}

static void survey_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct survey *survey = context;
    struct degree_stats *part = &survey->part[worker];
    for (uint64_t vertex = begin; vertex < end; ++vertex) {
        uint64_t degree = gws_graph_degree(survey->graph, (uint32_t)vertex);
        if (degree < part->min) part->min = degree;
        if (degree > part->max || (degree == part->max && vertex < part->max_vertex)) {
            part->max = degree;
            part->max_vertex = vertex;
        }
        part->isolated += degree == 0 && !is_entered(survey, vertex);
        if (degree < small_degrees) ++part->count[degree];
        survey_row(survey->graph, part, vertex);
    }
}

static void add_part(struct degree_stats *sum, const struct degree_stats *part)
{
    if (part->min < sum->min) sum->min = part->min;
    if (part->max > sum->max || (part->max == sum->max && part->max_vertex < sum->max_vertex)) {
        sum->max = part->max;
        sum->max_vertex = part->max_vertex;
    }
    sum->isolated += part->isolated;
    sum->loops += part->loops;
    sum->duplicates += part->duplicates;
    for (uint32_t degree = 0; degree < small_degrees; ++degree) sum->count[degree] += part->count[degree];
}

/* ---- the median ---- */

static void count_up_to_limit(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct survey *survey = context;
    uint64_t count = 0;
    for (uint64_t vertex = begin; vertex < end; ++vertex)
        count += gws_graph_degree(survey->graph, (uint32_t)vertex) <= survey->limit;
    survey->part[worker].up_to_limit += count;
}

static gws_status vertices_up_to(struct gws_runtime *runtime, struct survey *survey, uint64_t limit, uint64_t *sum)
{
    survey->limit = limit;
    for (uint32_t worker = 0; worker < survey->workers; ++worker) survey->part[worker].up_to_limit = 0;
    gws_status status = gws_parallel_try_for(runtime, survey->graph->vertices, 1 << 14, count_up_to_limit, survey);
    *sum = 0;
    for (uint32_t worker = 0; worker < survey->workers; ++worker) *sum += survey->part[worker].up_to_limit;
    return status;
}

/* Finds the smallest value that at least half of the degrees do not exceed. */
static gws_status find_median(struct gws_runtime *runtime, struct survey *survey, const struct degree_stats *sum,
                              uint64_t *median)
{
    uint64_t half = survey->graph->vertices - survey->graph->vertices / 2, seen = 0;
    for (*median = 0; *median < small_degrees; ++*median)
        if ((seen += sum->count[*median]) >= half) return GWS_OK;
    gws_status status = GWS_OK;
    uint64_t high = sum->max;
    while (status == GWS_OK && *median < high) {
        uint64_t middle = *median + (high - *median) / 2, count;
        status = vertices_up_to(runtime, survey, middle, &count);
        if (count >= half)
            high = middle;
        else
            *median = middle + 1;
    }
    return status;
}

static uint64_t words_of(const struct survey *survey)
{
    return survey->graph->directed ? survey->graph->vertices / 64 + 1 : 0;
}

static void survey_close(struct gws_runtime *runtime, struct survey *survey)
{
    gws_release(runtime, survey->part, survey->workers, sizeof *survey->part);
    gws_release(runtime, survey->entered, words_of(survey), sizeof *survey->entered);
}

static gws_status survey_open(struct gws_runtime *runtime, struct survey *survey)
{
    uint64_t words = words_of(survey);
    survey->part = gws_allocate(runtime, survey->workers, sizeof *survey->part);
    if (words) survey->entered = gws_allocate(runtime, words, sizeof *survey->entered);
    if (!survey->part || (words && !survey->entered)) return GWS_NO_MEMORY;
    memset(survey->part, 0, survey->workers * sizeof *survey->part);
    for (uint32_t worker = 0; worker < survey->workers; ++worker)
        survey->part[worker].min = survey->part[worker].max_vertex = UINT64_MAX;
    for (uint64_t i = 0; i < words; ++i) atomic_init(&survey->entered[i], 0);
    return words ? gws_parallel_try_for(runtime, survey->graph->arcs, 1 << 15, mark_targets, survey) : GWS_OK;
}

static gws_status survey_run(struct gws_runtime *runtime, struct survey *survey, struct gws_graph_summary *summary)
{
    const struct gws_graph *graph = survey->graph;
    uint64_t median;
    gws_status status = gws_parallel_try_for(runtime, graph->vertices, 1 << 10, survey_vertices, survey);
    if (status != GWS_OK) return status;
    struct degree_stats sum = survey->part[0];
    for (uint32_t worker = 1; worker < survey->workers; ++worker) add_part(&sum, &survey->part[worker]);
    status = find_median(runtime, survey, &sum, &median);
    if (status != GWS_OK) return status;
    *summary = (struct gws_graph_summary){.min_degree = sum.min,
                                          .max_degree = sum.max,
                                          .median_degree = median,
                                          .isolated = sum.isolated,
                                          .mean_degree = (double)graph->arcs / (double)graph->vertices,
                                          .max_degree_vertex = (uint32_t)sum.max_vertex,
                                          .loops = sum.loops,
                                          .duplicates = sum.duplicates};
    return GWS_OK;
}

static gws_status graph_summarise(struct gws_runtime *runtime, const struct gws_graph *graph,
                                  struct gws_graph_summary *summary)
{
    struct survey survey = {.graph = graph, .workers = gws_runtime_workers(runtime)};
    if (graph->vertices == 0) {
        *summary = (struct gws_graph_summary){.max_degree_vertex = GWS_NO_VERTEX};
        return GWS_OK;
    }
    gws_status status = survey_open(runtime, &survey);
    if (status == GWS_OK) status = survey_run(runtime, &survey, summary);
    survey_close(runtime, &survey);
    return status;
}

uint32_t gws_graph_max_degree_vertex(const struct gws_graph *graph)
{
    uint64_t max = 0;
    uint32_t largest = graph->vertices > 0 ? 0 : GWS_NO_VERTEX;
    for (uint64_t vertex = 0; vertex < graph->vertices; ++vertex) {
        const uint64_t degree = gws_graph_degree(graph, (uint32_t)vertex);
        if (degree <= max) continue;
        max = degree;
        largest = (uint32_t)vertex;
    }
    return largest;
}

gws_status gws_graph_summarise(struct gws_runtime *runtime, const struct gws_graph *graph,
                               struct gws_graph_summary *summary)
{
    return GWS_CALL(runtime, NULL, graph_summarise(runtime, graph, summary));
}
