/* SPDX-License-Identifier: MIT */
/* The changes of gconvert. It removes loops and duplicates while it reads. Then it symmetrises, extracts the largest
 * component, and relabels, in this order. */
#include "../common/console.h"
#include "gconvert.h"

/* Replaces the session's graph with the changed one. */
static gws_status replace(struct session *session, gws_status status, struct gws_graph *graph)
{
    if (status == GWS_OK) gws_graph_destroy(session->graph);
    if (status == GWS_OK) session->graph = graph;
    return status;
}

static gws_status renumber(struct session *session, enum gws_order order, uint64_t seed)
{
    struct gws_runtime *runtime = session->runtime;
    struct gws_graph *graph = NULL;
    const uint64_t vertices = session->graph->vertices;
    uint32_t *new_of_old = gws_allocate(runtime, vertices, sizeof *new_of_old);
    if (!new_of_old) return GWS_NO_MEMORY;
    gws_status status = gws_graph_order(runtime, session->graph, order, seed, new_of_old);
    if (status == GWS_OK) status = gws_graph_relabel(runtime, session->graph, new_of_old, vertices, &graph);
    gws_release(runtime, new_of_old, vertices, sizeof *new_of_old);
    return replace(session, status, graph);
}

/* Measures the gaps, unless no output would print them. */
static gws_status measure(struct session *session, const struct convert_settings *settings,
                          struct relabelling *relabelling, struct gws_graph_gaps *gaps)
{
    const struct runtime_options *options = &settings->session.options;
    if (options->quiet && !options->json) return GWS_OK;
    const double begin = gws_clock_ms();
    gws_status status = gws_graph_gaps(session->runtime, session->graph, gaps);
    relabelling->gaps_ms += gws_clock_ms() - begin;
    return status;
}

static gws_status relabel(struct session *session, const struct convert_settings *settings,
                          struct relabelling *relabelling)
{
    enum gws_order order = (enum gws_order)(settings->relabel - 1);
    if (order == GWS_ORDER_LOCALITY) order = gws_graph_choose_order(session->graph);
    relabelling->order = relabel_name[1 + order];
    console_progress_begin("relabelling", session->name);
    gws_status status = measure(session, settings, relabelling, &relabelling->before);
    const double begin = gws_clock_ms();
    if (status == GWS_OK) status = renumber(session, order, settings->session.options.seed);
    relabelling->order_ms = gws_clock_ms() - begin;
    return status == GWS_OK ? measure(session, settings, relabelling, &relabelling->after) : status;
}

typedef gws_status remake(struct gws_runtime *runtime, const struct gws_graph *from, struct gws_graph **to);

static gws_status change_by(struct session *session, const char *work, remake *make)
{
    struct gws_graph *graph = NULL;
    console_progress_begin(work, session->name);
    gws_status status = make(session->runtime, session->graph, &graph);
    return replace(session, status, graph);
}

gws_status convert_change(struct session *session, const struct convert_settings *settings, bool keep_ids,
                          struct relabelling *relabelling)
{
    gws_status status = settings->symmetrise ? change_by(session, "symmetrising", gws_graph_symmetrise) : GWS_OK;
    if (status == GWS_OK && settings->largest)
        status = change_by(session, "looking for the largest component of", gws_graph_largest_component);
    if (status == GWS_OK && settings->relabel != RELABEL_NONE) status = relabel(session, settings, relabelling);
    /* A reader of text would put the vertices into the order of their ids again. Names stay in any case. */
    if (status == GWS_OK && settings->relabel != RELABEL_NONE && !keep_ids) gws_graph_set_first_id(session->graph, 0);
    console_progress_end();
    return status;
}

/* ---- the report ---- */

void relabelling_print(const struct relabelling *relabelling, FILE *out)
{
    const struct gws_graph_gaps *before = &relabelling->before, *after = &relabelling->after;
    char time[CONSOLE_NUMBER], from[CONSOLE_NUMBER], to[CONSOLE_NUMBER];
    fprintf(out, "order     %s, in %s; ", relabelling->order, console_time(relabelling->order_ms, time));
    fprintf(out, "gap of arcs: median %s to %s, ", console_count(before->median, from),
            console_count(after->median, to));
    fprintf(out, "mean %s to %s, %.1f to %.1f bits\n", console_count((uint64_t)(before->mean + 0.5), from),
            console_count((uint64_t)(after->mean + 0.5), to), before->mean_bits, after->mean_bits);
}

static void gaps_json(struct json *json, const char *key, const struct gws_graph_gaps *gaps)
{
    json_open(json, key, '{');
    json_count(json, "median", gaps->median);
    json_number(json, "mean", gaps->mean);
    json_number(json, "mean_bits", gaps->mean_bits);
    json_count(json, "max", gaps->max);
    json_close(json, '}');
}

void relabelling_json(const struct relabelling *relabelling, struct json *json)
{
    if (!relabelling->order) {
        json_null(json, "relabel");
        return;
    }
    json_open(json, "relabel", '{');
    json_text(json, "order", relabelling->order);
    json_number(json, "order_ms", relabelling->order_ms);
    gaps_json(json, "before", &relabelling->before);
    gaps_json(json, "after", &relabelling->after);
    json_close(json, '}');
}
