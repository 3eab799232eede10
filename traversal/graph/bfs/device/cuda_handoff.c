/* SPDX-License-Identifier: MIT */
/* The way of searches that CUDA's own kernels and one CPU thread pass to each other (bfs_hand.h): the kernels are those
 * of a device alone (bfs_cuda.c), in a form that may end before the search does. A pass is the end of one launch or the
 * start of another, and a bit a vertex over the bus. */
#include <string.h>

#include "cuda_handoff.h"

enum { rule, state, list, visited };

static uint64_t bitmap_bytes(const struct gws_bfs_device *search)
{
    return (search->graph->vertices + 63) / 64 * 8;
}

static gws_status launch(void *context, struct gws_where *where)
{
    struct gws_bfs_device *search = context;
    struct gws__bfs_cuda_handed *own = search->own;
    memset(own->hand.state, 0, sizeof *own->hand.state);
    own->cuda.resumes = own->hand.rule.resumes != 0;
    own->cuda.more = own->more;
    own->cuda.mores = bfs_hand_arguments;
    return gws__bfs_cuda_run(search, where);
}

/* ---- opening and closing ---- */

static gws_status share(struct gws_bfs_device *search, uint32_t which, uint64_t bytes, void **host,
                        struct gws_where *where)
{
    struct gws__bfs_cuda_handed *own = search->own;
    gws_status status = gws_device_shared_new(search->device, bytes, &own->shared[which], host, where);
    own->more[which].buffer = own->shared[which];
    return status;
}

static gws_status open_hand(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda_handed *own = search->own;
    struct gws__bfs_hand *hand = &own->hand;
    void *at[3] = {NULL, NULL, NULL};
    if (gws__bfs_hand_open(search->runtime, search->graph, hand) != GWS_OK) return gws__bfs_device_no_memory(where);
    own->more[rule] = (struct gws_device_argument){.value = &hand->rule, .bytes = sizeof hand->rule};
    gws_status status = share(search, state, sizeof *hand->state, &at[0], where);
    if (status == GWS_OK) status = share(search, list, GWS_HAND_ROOM * sizeof *hand->list, &at[1], where);
    if (status == GWS_OK) status = share(search, visited, bitmap_bytes(search), &at[2], where);
    if (status != GWS_OK) return status;
    hand->state = at[0];
    hand->list = at[1];
    hand->visited = at[2];
    memset(hand->visited, 0, bitmap_bytes(search)); /* the device's words are half as long: the last may not be its */
    return GWS_OK;
}

static gws_status fit(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda_handed *own = search->own;
    own->hand.claims = own->cuda.mesh;
    own->hand.counts_arcs = !own->cuda.mesh;
    return gws__bfs_hand_fit(&own->hand, launch, search, where);
}

gws_status gws__bfs_cuda_hand_open(struct gws_bfs_device *search, struct gws_where *where)
{
    gws_status status = gws__bfs_cuda_open(search, where);
    if (status == GWS_OK) status = open_hand(search, where);
    return status == GWS_OK ? fit(search, where) : status;
}

void gws__bfs_cuda_hand_free(struct gws_bfs_device *search)
{
    struct gws__bfs_cuda_handed *own = search->own;
    gws__bfs_cuda_free(search);
    for (int i = 0; i < bfs_hand_arguments; i++) gws_device_buffer_free(own->shared[i]);
    gws__bfs_hand_close(&own->hand);
}

static gws_status open_handed(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda_handed *own = gws_allocate(search->runtime, 1, sizeof *own);
    if (!own) return gws__bfs_device_no_memory(where);
    memset(own, 0, sizeof *own);
    search->own = own;
    return gws__bfs_cuda_hand_open(search, where);
}

static void close_handed(struct gws_bfs_device *search)
{
    if (!search->own) return;
    gws__bfs_cuda_hand_free(search);
    gws_release(search->runtime, search->own, 1, sizeof(struct gws__bfs_cuda_handed));
}

/* ---- searching ---- */

/* Other kernels than before have another model. */
static gws_status reconsider(struct gws_bfs_device *search, struct gws_where *where)
{
    bool changed;
    gws_status status = gws__bfs_cuda_reconsider(search, &changed, where);
    return status == GWS_OK && changed ? fit(search, where) : status;
}

/* By the kernel that keeps the search, which is a little faster as it need not look out. */
static gws_status run_kept(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda_handed *own = search->own;
    gws__bfs_hand_begin(&own->hand);
    own->cuda.resumes = false;
    own->cuda.more = NULL;
    own->cuda.mores = 0;
    return gws__bfs_cuda_run(search, where);
}

gws_status gws__bfs_cuda_hand_run(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda_handed *own = search->own;
    struct gws__bfs_hand *hand = &own->hand;
    gws_status status = reconsider(search, where);
    if (status != GWS_OK) return status;
    if (!hand->pays) return run_kept(search, where);
    double began = gws_clock_ms();
    gws__bfs_hand_begin(hand);
    do {
        status = launch(search, where);
    } while (status == GWS_OK && hand->state->handed && gws__bfs_hand_run(hand));
    search->result->ms = gws_clock_ms() - began;
    if (status == GWS_OK) status = gws__bfs_cuda_hear(search, where);
    if (status != GWS_OK || !hand->state->handed) return status;
    own->cuda.told.levels = hand->level; /* it ended here */
    own->cuda.told.reached = (uint32_t)hand->reached;
    return GWS_OK;
}

gws_status gws__bfs_cuda_hand_fetch(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda_handed *own = search->own;
    struct gws__bfs_hand *hand = &own->hand;
    gws_status status = gws__bfs_cuda_fetch(search, where);
    if (status != GWS_OK) return status;
    gws__bfs_hand_put(hand, search->result);
    gws__bfs_hand_learn(hand, search->result);
    if (hand->model.host_vertices > 0) search->result->reached_arcs = gws__bfs_device_reached_arcs(search);
    uint64_t *thread = search->ran + (uint64_t)search->options.groups * bfs_stats_words;
    for (uint64_t i = 0; i < hand->model.host_levels; i++) thread[gws__bfs_stats_ran] += hand->ran[i].size;
    thread[gws__bfs_stats_given] = thread[gws__bfs_stats_ran];
    own->sum.passes += hand->model.passes;
    own->sum.host_levels += hand->model.host_levels;
    own->sum.host_vertices += hand->model.host_vertices;
    own->sum.host_ms += hand->model.host_ms;
    return GWS_OK;
}

const struct gws__bfs_way gws__bfs_device_handed = {
    .form = "handed from one to the other",
    .open = open_handed,
    .close = close_handed,
    .run = gws__bfs_cuda_hand_run,
    .fetch = gws__bfs_cuda_hand_fetch,
    .poison = gws__bfs_cuda_poison,
};

/* ---- the model ---- */

static bool is_handed(const struct gws_bfs_device *search)
{
    return search->own && (search->way == &gws__bfs_device_handed || search->way == &gws__bfs_device_mesh_handed);
}

bool gws_bfs_device_model(const struct gws_bfs_device *search, struct gws_bfs_device_model *model)
{
    if (!is_handed(search)) return false;
    const struct gws__bfs_cuda_handed *own = search->own;
    *model = own->hand.model;
    model->passes = own->sum.passes;
    model->host_levels = own->sum.host_levels;
    model->host_vertices = own->sum.host_vertices;
    model->host_ms = own->sum.host_ms;
    model->host_searches = own->sum.host_searches;
    return true;
}

void gws__bfs_cuda_hand_reset(struct gws_bfs_device *search)
{
    if (!is_handed(search)) return;
    struct gws__bfs_cuda_handed *own = search->own;
    own->sum = (struct gws_bfs_device_model){.passes = 0};
}
