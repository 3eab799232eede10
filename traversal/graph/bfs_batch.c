/* SPDX-License-Identifier: MIT */
/* The loop over batches and depths of breadth-first searches from many sources at once. It calls
 * traversal/engine/batch.c. */
#include "../bfs.h"
#include "../engine/batch.h"

static gws_status run(struct gws__batch *batch, const uint32_t *source, uint64_t first, gws_bfs_batch_visit *visit,
                      void *context)
{
    struct gws_bfs_batch_level level = {
        .first = first, .sources = batch->sources, .words = batch->words, .count = batch->count};
    gws_status status = GWS_OK;
    gws__batch_start(batch, source + first, batch->sources);
    do {
        level.depth = batch->level;
        level.reached = batch->front;
        status = visit(context, &level);
    } while (status == GWS_OK && gws__batch_advance(batch));
    return status == GWS_OK && gws_cancelled(batch->runtime) ? GWS_CANCELLED : status;
}

static gws_status bfs_batch(struct gws_runtime *runtime, const struct gws_graph *graph, const uint32_t *source,
                            uint64_t count, bool wide, gws_bfs_batch_visit *visit, void *context)
{
    const struct gws_graph *in = graph->directed ? graph->reverse : graph;
    const uint32_t words = wide ? gws__batch_words : 1;
    struct gws__batch batch;
    for (uint64_t i = 0; i < count; i++)
        if (source[i] >= graph->vertices) return GWS_OUT_OF_RANGE;
    if (!in) return GWS_NEEDS_REVERSE;
    gws_status status = gws__batch_open(runtime, graph, in, words, false, &batch);
    for (uint64_t first = 0; first < count && status == GWS_OK; first += batch.sources) {
        batch.sources = count - first < 64 * words ? (uint32_t)(count - first) : 64 * words;
        status = run(&batch, source, first, visit, context);
        gws_report_progress(runtime, "searching", first + batch.sources, count);
    }
    gws__batch_close(&batch);
    return status;
}

gws_status gws_bfs_batch(struct gws_runtime *runtime, const struct gws_graph *graph, const uint32_t *source,
                         uint64_t count, bool wide, gws_bfs_batch_visit *visit, void *context)
{
    return GWS_CALL(runtime, NULL, bfs_batch(runtime, graph, source, count, wide, visit, context));
}
