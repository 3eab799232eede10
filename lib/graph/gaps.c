/* SPDX-License-Identifier: MIT */
/* Statistics of the gaps |u - v| of arcs. Each worker has partial statistics. The median comes from three counts of
 * digits of 11 bits, from the most significant digit. Each count only has gaps with the digits that are known already.
 */
#include <string.h>

#include "../graph.h"
#include "../parallel.h"

enum { digit_bits = 11, bins = 1 << digit_bits, grain = 1 << 12 };

struct gap_part {
    uint64_t max, bits;
    double sum;
    uint64_t count[bins];
};

struct gap_survey {
    const struct gws_graph *graph;
    struct gap_part *part; /* one for each worker */
    uint32_t workers;
    uint64_t known; /* the digits of the median above the current one */
    int shift;      /* of the current digit */
};

static uint64_t gap_of(uint64_t from, uint64_t to)
{
    return from < to ? to - from : from - to;
}

static void count_digits(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gap_survey *survey = context;
    const struct gws_graph *graph = survey->graph;
    struct gap_part *part = &survey->part[worker];
    for (uint64_t v = begin; v < end; ++v)
        for (uint64_t i = graph->offset[v]; i < graph->offset[v + 1]; ++i) {
            uint64_t digits = gap_of(v, graph->target[i]) >> survey->shift;
            if (digits >> digit_bits == survey->known) ++part->count[digits % bins];
        }
}

static void survey_gaps(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gap_survey *survey = context;
    const struct gws_graph *graph = survey->graph;
    struct gap_part *part = &survey->part[worker];
    for (uint64_t v = begin; v < end; ++v) {
        uint64_t sum = 0;
        for (uint64_t i = graph->offset[v]; i < graph->offset[v + 1]; ++i) {
            uint64_t gap = gap_of(v, graph->target[i]);
            if (gap > part->max) part->max = gap;
            part->bits += gap > 0 ? 64 - (uint64_t)__builtin_clzll(gap) : 0;
            sum += gap;
        }
        part->sum += (double)sum;
    }
}

static gws_status run(struct gws_runtime *runtime, struct gap_survey *survey, gws_body *body)
{
    const struct gws_loop loop = {
        .count = survey->graph->vertices, .grain = grain, .body = body, .context = survey, .uncounted = true};
    return gws_parallel_try(runtime, &loop);
}

/* Finds the digit of the gap of that rank (from 1) among the counted gaps. Makes rank the rank among the gaps that have
 * this digit too. */
static uint64_t find_digit(const struct gap_survey *survey, uint64_t *rank)
{
    for (uint64_t digit = 0;; ++digit) {
        uint64_t count = 0;
        for (uint32_t worker = 0; worker < survey->workers; ++worker) count += survey->part[worker].count[digit];
        if (*rank <= count || digit == bins - 1) return digit;
        *rank -= count;
    }
}

static gws_status find_median(struct gws_runtime *runtime, struct gap_survey *survey)
{
    uint64_t rank = survey->graph->arcs - survey->graph->arcs / 2;
    gws_status status = GWS_OK;
    for (survey->shift = 2 * digit_bits; survey->shift >= 0 && status == GWS_OK; survey->shift -= digit_bits) {
        for (uint32_t worker = 0; worker < survey->workers; ++worker)
            memset(survey->part[worker].count, 0, sizeof survey->part[worker].count);
        status = run(runtime, survey, count_digits);
        if (status == GWS_OK) survey->known = survey->known << digit_bits | find_digit(survey, &rank);
    }
    return status;
}

static void sum_up(const struct gap_survey *survey, struct gws_graph_gaps *gaps)
{
    const double arcs = (double)survey->graph->arcs;
    uint64_t bits = 0;
    *gaps = (struct gws_graph_gaps){.median = survey->known};
    for (uint32_t worker = 0; worker < survey->workers; ++worker) {
        const struct gap_part *part = &survey->part[worker];
        if (part->max > gaps->max) gaps->max = part->max;
        gaps->mean += part->sum;
        bits += part->bits;
    }
    gaps->mean /= arcs;
    gaps->mean_bits = (double)bits / arcs;
}

static gws_status graph_gaps(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_graph_gaps *gaps)
{
    struct gap_survey survey = {.graph = graph, .workers = gws_runtime_workers(runtime)};
    if (graph->arcs == 0) {
        *gaps = (struct gws_graph_gaps){0};
        return GWS_OK;
    }
    survey.part = gws_allocate(runtime, survey.workers, sizeof *survey.part);
    if (!survey.part) return GWS_NO_MEMORY;
    memset(survey.part, 0, survey.workers * sizeof *survey.part);
    gws_status status = run(runtime, &survey, survey_gaps);
    if (status == GWS_OK) status = find_median(runtime, &survey);
    if (status == GWS_OK) sum_up(&survey, gaps);
    gws_release(runtime, survey.part, survey.workers, sizeof *survey.part);
    return status;
}

gws_status gws_graph_gaps(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_graph_gaps *gaps)
{
    return GWS_CALL(runtime, NULL, graph_gaps(runtime, graph, gaps));
}
