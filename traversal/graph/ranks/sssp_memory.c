/* SPDX-License-Identifier: MIT */
/* The memory of shortest paths among ranks: own arrays, which later searches reuse, and arrays that all ranks share. */
#include "../../../lib/hetero/rank_graph.h"
#include "sssp_state.h"

static bool fits(const struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                 const struct gws__rank_sssp_memory *memory)
{
    return memory && memory->runtime == runtime && memory->graph == graph && memory->vertices == graph->vertices &&
           memory->arcs == graph->arcs && memory->rows.vertices == graph->rows && memory->rows.target == graph->target;
}

void gws_rank_sssp_result_clear(struct gws_rank_sssp_result *result)
{
    if (!result) return;
    struct gws__rank_sssp_memory *memory = result->memory;
    if (memory) {
        gws__outbox_close(&memory->outbox);
        gws_sssp_result_clear(&memory->own);
        gws_release(memory->runtime, memory, 1, sizeof *memory);
    }
    *result = (struct gws_rank_sssp_result){0};
}

gws_status gws__rank_sssp_open_outbox(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                      struct gws__outbox *outbox)
{
    if (!outbox->runtime) return gws__outbox_open_paths(runtime, graph, gws__outbox_capacity(graph), outbox);
    gws__outbox_reset(outbox);
    return GWS_OK;
}

gws_status gws__rank_sssp_share(struct gws__rank_sssp *self, uint32_t parent_bits, struct gws_diagnostic *where)
{
    struct sssp *search = &self->search;
    const uint64_t vertices = self->graph->vertices, marks = vertices / 64 + 1, marks_of_64 = marks / 64 + 1;
    const uint64_t parents = parent_bits == 0 ? vertices / 2 + 1 : 0;
    gws__rank_memory_close(&self->shared);
    const gws_status status = gws__rank_memory_open(search->runtime, self->graph->transport,
                                                    vertices + marks + marks_of_64 + parents, &self->shared, where);
    uint64_t *memory = self->shared.all;
    search->all = (_Atomic uint64_t *)memory; /* both types have the same size */
    if (!memory) return status;
    search->parent_bits = parent_bits;
    search->mark = search->all + vertices;
    search->mark_of_64 = search->mark + marks;
    search->all_parents = parents > 0 ? (_Atomic uint32_t *)(memory + vertices + marks + marks_of_64) : NULL;
    search->word = search->all + self->graph->first;
    return GWS_OK;
}

/* Reserves arrays, which later searches of the same graph reuse. */
static gws_status prepare(struct gws_runtime *runtime, const struct gws_rank_graph *graph, bool shares_memory,
                          struct gws_rank_sssp_result *result)
{
    if (!fits(runtime, graph, result->memory)) {
        gws_rank_sssp_result_clear(result);
        struct gws__rank_sssp_memory *memory = gws_allocate(runtime, 1, sizeof *memory);
        if (!memory) return GWS_NO_MEMORY;
        *memory = (struct gws__rank_sssp_memory){
            .runtime = runtime, .graph = graph, .vertices = graph->vertices, .arcs = graph->arcs};
        result->memory = memory;
        memory->rows = (struct gws_graph){.vertices = graph->rows,
                                          .arcs = graph->offset[graph->rows],
                                          .offset = graph->offset,
                                          .target = graph->target,
                                          .weight = graph->weight,
                                          .real_weight = graph->real_weight};
    }
    gws_status status = shares_memory ? GWS_OK : gws__rank_sssp_open_outbox(runtime, graph, &result->memory->outbox);
    return status == GWS_OK ? gws__sssp_prepare(runtime, &result->memory->rows, &result->memory->own) : status;
}

gws_status gws__rank_sssp_open(struct gws__rank_sssp *self, struct gws_rank_sssp_result *result,
                               struct gws_diagnostic *where)
{
    const struct gws_rank_graph *graph = self->graph;
    struct sssp *search = &self->search;
    uint32_t parent_bits = 0;
    while (!graph->real_weight && graph->vertices >> parent_bits) parent_bits++;
    gws_status status = gws__rank_sssp_share(self, parent_bits, where);
    if (status != GWS_OK) return status;
    status = prepare(search->runtime, graph, search->all != NULL, result);
    status = gws__ranks_agree(graph->transport, status, where);
    if (status != GWS_OK) return status;
    struct gws__rank_sssp_memory *memory = result->memory;
    if (search->all)
        self->loops = graph->real_weight ? &gws__rank_sssp_shared_real : &gws__rank_sssp_shared_integer;
    else
        self->loops = graph->real_weight ? &gws__rank_sssp_real : &gws__rank_sssp_integer;
    self->outbox = search->outbox = &memory->outbox;
    self->workers = search->workers;
    gws_transport_sum(graph->transport, &self->workers, 1);
    search->graph = &memory->rows;
    search->loops = &self->loops->rounds;
    search->scratch = memory->own.scratch;
    search->parent = search->scratch->parent;
    if (!search->all) search->word = search->scratch->distance;
    return GWS_OK;
}
