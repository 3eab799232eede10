/* SPDX-License-Identifier: MIT */
#include "rank_graphs.h"

#include <stdlib.h>
#include <string.h>

#include "console.h"

/* ---- loading ---- */

int rank_session_fail(const struct rank_session *self, gws_status status, const struct gws_diagnostic *where)
{
    const bool misused = status == GWS_INVALID || status == GWS_UNSUPPORTED;
    char name[CONSOLE_NAME];
    if (*where->file) return console_fail_input(status, where);
    console_fail("%s: %s", console_name(self->session.name, name),
                 *where->message ? where->message : gws_status_text(status));
    return misused ? TOOL_MISUSED : TOOL_FAILED;
}

/* Reads a graph with igraph, which rank 0 does alone, and parts it. */
static int read_whole(struct rank_session *self, const struct session_settings *settings, const char *name,
                      struct gws_read_options read)
{
    struct session whole = {.runtime = self->session.runtime};
    struct gws_diagnostic where = {0};
    const bool first = self->ranks->rank == 0;
    int failure = ranks_agree(self->ranks, first ? session_load(&whole, settings, name, read) : -1);
    if (failure < 0) {
        gws_status status =
            gws_rank_graph_spread(whole.runtime, self->ranks->transport, whole.graph, &self->graph, &where);
        if (status != GWS_OK) failure = rank_session_fail(self, status, &where);
    }
    gws_graph_destroy(whole.graph);
    return failure;
}

static int read_graph(struct rank_session *self, const struct session_settings *settings, const char *name,
                      struct gws_read_options read)
{
    struct gws_diagnostic where = {0};
    if (igraph_adapter_reads(name, settings->format)) return read_whole(self, settings, name, read);
    read = session_read_options(settings, read);
    console_progress_begin("reading", name);
    gws_status status =
        gws_rank_graph_read(self->session.runtime, self->ranks->transport, name, &read, &self->graph, &where);
    console_progress_end();
    return status == GWS_OK ? -1 : rank_session_fail(self, status, &where);
}

static int generate(struct rank_session *self, const char *name)
{
    struct gws_diagnostic where = {0};
    console_progress_begin("generating", name);
    gws_status status =
        gws_rank_graph_generate(self->session.runtime, self->ranks->transport, name, &self->graph, &where);
    console_progress_end();
    return status == GWS_OK ? -1 : rank_session_fail(self, status, &where);
}

static int build_reverse(struct rank_session *self)
{
    struct gws_diagnostic where = {0};
    const double begin = gws_clock_ms();
    if (!self->graph->directed) return -1;
    console_progress_begin("reversing", self->session.name);
    gws_status status = gws_rank_graph_add_reverse(self->session.runtime, self->graph, &where);
    self->reverse_ms = gws_clock_ms() - begin;
    console_progress_end();
    return status == GWS_OK ? -1 : rank_session_fail(self, status, &where);
}

int rank_session_open(struct rank_session *self, const struct session_settings *settings, const char *name,
                      struct gws_read_options read, bool reverse)
{
    const double begin = gws_clock_ms();
    int failure = ranks_divide_cpus(self->ranks, settings->options.pin);
    if (failure >= 0) return failure;
    failure = session_start(&self->session, settings);
    if (failure < 0) failure = ranks_watch_calls(self->ranks, settings->options.quiet);
    failure = ranks_agree(self->ranks, failure);
    self->session.name = name;
    if (failure < 0)
        failure = gws_graph_is_generator(name) ? generate(self, name) : read_graph(self, settings, name, read);
    self->session.load_ms = gws_clock_ms() - begin;
    if (failure < 0 && reverse) failure = build_reverse(self);
    if (failure >= 0) return failure;
    if (self->graph->names) self->about = *self->graph->names;
    self->about.vertices = self->graph->vertices;
    self->about.arcs = self->graph->arcs;
    self->about.directed = self->graph->directed;
    self->session.graph = &self->about;
    return -1;
}

void rank_session_close(struct rank_session *self)
{
    gws_rank_graph_destroy(self->graph);
    free(self->part);
    self->session.graph = NULL; /* &about */
    session_close(&self->session);
}

/* ---- sources ---- */

static bool has_arcs(const void *context, uint32_t vertex)
{
    const struct gws_rank_graph *graph = context;
    uint64_t degree = 0;
    if (graph->arcs == 0) return true;
    if (vertex - graph->first < graph->rows) {
        const uint64_t row = vertex - graph->first;
        degree = graph->offset[row + 1] - graph->offset[row];
    }
    gws_transport_sum(graph->transport, &degree, 1);
    return degree > 0;
}

/* Returns the smallest vertex of maximum degree. */
static uint32_t find_largest(const struct gws_rank_graph *graph)
{
    uint64_t degree = 0, inverse = 0;
    for (uint64_t row = 0; row < graph->rows; row++) {
        const uint64_t own = graph->offset[row + 1] - graph->offset[row];
        if (own > degree) degree = own;
    }
    gws_transport_max(graph->transport, &degree, 1);
    for (uint64_t row = graph->rows; row-- > 0;)
        if (graph->offset[row + 1] - graph->offset[row] == degree) inverse = GWS_NO_VERTEX - (graph->first + row);
    gws_transport_max(graph->transport, &inverse, 1);
    return (uint32_t)(GWS_NO_VERTEX - inverse);
}

/* Gives the sources that rank 0 chose to all ranks: sums with zeros. */
static int share_sources(struct rank_session *self, struct sources *sources)
{
    struct gws_transport *transport = self->ranks->transport;
    gws_transport_sum(transport, &sources->count, 1);
    if (!sources->vertex) {
        sources->vertex = gws_allocate(self->session.runtime, sources->count, sizeof *sources->vertex);
        if (sources->vertex) memset(sources->vertex, 0, sources->count * sizeof *sources->vertex);
    }
    int failure = ranks_agree(self->ranks, sources->vertex ? -1 : console_fail("%s", gws_status_text(GWS_NO_MEMORY)));
    for (uint64_t i = 0; i < sources->count && sources->vertex && failure < 0; i++) {
        uint64_t vertex = sources->vertex[i];
        gws_transport_sum(transport, &vertex, 1);
        sources->vertex[i] = (uint32_t)vertex;
    }
    return failure;
}

int rank_sources_choose(struct rank_session *self, const char *source, uint64_t repeat, uint64_t seed,
                        struct sources *sources)
{
    const struct gws_rank_graph *graph = self->graph;
    const bool random = strcmp(source, "random") == 0, largest = strcmp(source, "maxdegree") == 0;
    int failure = -1;
    if (graph->vertices == 0) return console_fail("%s: the graph has no vertices", self->session.name);
    if (self->ranks->rank == 0 && (random || largest))
        sources->count = repeat;
    else if (self->ranks->rank == 0)
        failure = sources_choose(&self->session, source, repeat, seed, sources);
    failure = ranks_agree(self->ranks, failure);
    if (failure < 0) failure = share_sources(self, sources);
    if (failure < 0 && random) sources_draw(graph->vertices, seed, has_arcs, graph, sources);
    if (failure < 0 && largest) {
        const uint32_t vertex = find_largest(graph);
        for (uint64_t i = 0; i < sources->count; i++) sources->vertex[i] = vertex;
    }
    return failure;
}

/* ---- tables ---- */

int rank_table_write(struct rank_session *self, const struct rank_column *column, uint32_t columns, const char *path)
{
    struct gws_column own[RANK_COLUMNS];
    struct gws_diagnostic where = {0};
    for (uint32_t i = 0; i < columns; i++) own[i] = column[i].column;
    console_progress_begin("writing", path);
    gws_status status = gws_rank_table_write(self->session.runtime, self->graph, own, columns, path, &where);
    console_progress_end();
    return status == GWS_OK ? -1 : console_fail_at(status, &where);
}

int rank_columns_gather(struct rank_session *self, const struct rank_column *column, uint32_t columns,
                        struct gws_column *gathered)
{
    struct gws_runtime *runtime = self->session.runtime;
    const bool first = self->ranks->rank == 0;
    int failure = -1;
    for (uint32_t i = 0; i < columns; i++) {
        gathered[i] = column[i].column;
        if (!column[i].column.data) continue;
        void *all = first ? gws_allocate(runtime, self->about.vertices, column[i].bytes) : NULL;
        gathered[i].data = all;
        if (failure < 0)
            failure = ranks_agree(self->ranks, !first || all ? -1 : console_fail("%s", gws_status_text(GWS_NO_MEMORY)));
        if (failure >= 0) continue;
        gws_status status = gws_rank_graph_gather(runtime, self->graph, column[i].column.data, column[i].bytes, all);
        if (status != GWS_OK) failure = console_fail("%s", gws_status_text(status));
    }
    return failure;
}

void rank_columns_release(struct rank_session *self, const struct rank_column *column, uint32_t columns,
                          struct gws_column *gathered)
{
    for (uint32_t i = 0; i < columns; i++)
        if (column[i].column.data)
            gws_release(self->session.runtime, (void *)gathered[i].data, self->about.vertices, column[i].bytes);
}
