/* SPDX-License-Identifier: MIT */
/* Label propagation by the rule of LDBC Graphalytics: every iteration computes all labels from those of the previous
 * iteration. */
#include <string.h>

#include "state.h"

struct labels {
    struct gws__rows rows[2];
    uint32_t parts;
    const uint32_t *now;
    uint32_t *next;
    struct gws__tables tables;
    _Atomic uint64_t changed;
};

static uint32_t dominant_label(const struct labels *labels, uint32_t worker, uint64_t vertex)
{
    uint64_t arcs = 0, max = 0;
    uint32_t best = labels->now[vertex];
    for (uint32_t part = 0; part < labels->parts; part++)
        arcs += labels->rows[part].offset[vertex + 1] - labels->rows[part].offset[vertex];
    struct gws__table table = gws__table_of(&labels->tables, worker, arcs);
    for (uint32_t part = 0; part < labels->parts; part++) {
        const struct gws__rows *rows = &labels->rows[part];
        for (uint64_t arc = rows->offset[vertex]; arc < rows->offset[vertex + 1]; arc++) {
            struct gws__slot *slot = gws__table_find(&table, labels->now[rows->target[arc]]);
            slot->sum++;
            if (slot->sum < max || (slot->sum == max && slot->label > best)) continue;
            max = slot->sum;
            best = slot->label;
        }
    }
    gws__table_clear(&table);
    return best;
}

static void propagate(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct labels *labels = context;
    uint64_t changed = 0;
    for (uint64_t v = begin; v < end; v++) {
        labels->next[v] = dominant_label(labels, worker, v);
        changed += labels->next[v] != labels->now[v];
    }
    /* relaxed: the caller reads the sum after the loop's barrier. */
    atomic_fetch_add_explicit(&labels->changed, changed, memory_order_relaxed);
}

static gws_status reserve(struct gws_runtime *runtime, const struct gws_graph *graph, struct labels *labels)
{
    uint64_t longest = 0;
    for (uint64_t v = 0; v < graph->vertices; v++) {
        uint64_t arcs = 0;
        for (uint32_t part = 0; part < labels->parts; part++)
            arcs += labels->rows[part].offset[v + 1] - labels->rows[part].offset[v];
        if (arcs > longest) longest = arcs;
    }
    return gws__tables_reserve(runtime, &labels->tables, longest < graph->vertices ? longest : graph->vertices);
}

gws_status gws__communities_propagate(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t iterations,
                                      uint32_t *label, uint32_t *ran)
{
    struct labels labels = {.parts = graph->directed ? 2 : 1};
    labels.rows[0] = (struct gws__rows){.offset = graph->offset, .target = graph->target};
    if (graph->directed)
        labels.rows[1] = (struct gws__rows){.offset = graph->reverse->offset, .target = graph->reverse->target};
    const struct gws_loop loop = {.count = graph->vertices,
                                  .body = propagate,
                                  .context = &labels,
                                  .grain = communities_grain,
                                  .chunk = communities_chunk};
    uint32_t *other = gws_allocate(runtime, graph->vertices, sizeof *other), *now = label, *next = other;
    gws_status status = other ? reserve(runtime, graph, &labels) : GWS_NO_MEMORY;
    for (uint64_t v = 0; status == GWS_OK && v < graph->vertices; v++) label[v] = (uint32_t)v;
    *ran = 0;
    for (uint64_t changed = graph->vertices; status == GWS_OK && changed > 0 && *ran < iterations; ++*ran) {
        labels.now = now;
        labels.next = next;
        atomic_store_explicit(&labels.changed, 0, memory_order_relaxed);
        status = gws_parallel_try(runtime, &loop);
        changed = atomic_load_explicit(&labels.changed, memory_order_relaxed);
        next = now;
        now = labels.next;
        gws_report_progress(runtime, "propagating labels", *ran + 1, iterations);
    }
    if (status == GWS_OK && now == other) memcpy(label, other, graph->vertices * sizeof *label);
    gws__tables_clear(runtime, &labels.tables);
    gws_release(runtime, other, graph->vertices, sizeof *other);
    return status;
}
