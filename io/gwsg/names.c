/* SPDX-License-Identifier: MIT */
/* Checks the names in a file, and ids with an order of their own. */
#include <stdatomic.h>
#include <string.h>

#include "../../lib/parallel.h"
#include "gwsg.h"

bool gws__gwsg_names_valid(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    const uint64_t *offset = graph->names.offset;
    uint64_t wrong = begin == 0 && offset[0] != 0;
    for (uint64_t i = begin == 0 ? 1 : begin; i < end; i++) wrong += offset[i] - offset[i - 1] - 1 >= GWS_MAX_NAME;
    return wrong == 0;
}

bool gws__gwsg_text_valid(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    const char *text = graph->names.text;
    uint64_t wrong = 0;
    for (uint64_t i = begin; i < end; i++) wrong += text[i] == 0 || text[i] == '\n' || text[i] == '\r';
    return wrong == 0;
}

bool gws__gwsg_order_valid(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    uint64_t wrong = 0;
    const uint32_t *order = graph->names.text ? graph->names.order : graph->id_order;
    for (uint64_t i = begin; i < end; i++) wrong += order[i] >= graph->vertices;
    return wrong == 0;
}

struct name_check {
    const struct gws_graph *graph;
    atomic_bool wrong; /* relaxed: the caller reads the flag after the loop's barrier */
};

static const char *name_at(const struct gws_graph *graph, uint64_t i, uint64_t *length)
{
    return gws_graph_name(graph, graph->names.order ? graph->names.order[i] : (uint32_t)i, length);
}

static void check_ids(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct name_check *check = context;
    const struct gws_graph *graph = check->graph;
    uint64_t wrong = 0;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) wrong += graph->id[graph->id_order[i]] >= graph->id[graph->id_order[i + 1]];
    if (wrong > 0) atomic_store_explicit(&check->wrong, true, memory_order_relaxed);
}

static void check_names(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct name_check *check = context;
    uint64_t a_length = 0, b_length = 0;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        const char *a = name_at(check->graph, i, &a_length), *b = name_at(check->graph, i + 1, &b_length);
        int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
        if (order < 0 || (order == 0 && a_length < b_length)) continue;
        atomic_store_explicit(&check->wrong, true, memory_order_relaxed);
        return;
    }
}

gws_status gws__gwsg_names_ascend(struct gws_runtime *runtime, const struct gws_graph *graph, bool *ascend)
{
    struct name_check check = {.graph = graph};
    uint64_t pairs = graph->vertices > 0 ? graph->vertices - 1 : 0;
    *ascend = false;
    if (graph->names.text && graph->names.offset[graph->vertices] == 0 && graph->vertices > 0) return GWS_OK;
    gws_status status =
        gws_parallel_try_for(runtime, pairs, 1 << 12, graph->names.text ? check_names : check_ids, &check);
    *ascend = !atomic_load_explicit(&check.wrong, memory_order_relaxed);
    return status;
}
