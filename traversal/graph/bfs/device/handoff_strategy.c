/* SPDX-License-Identifier: MIT */
/* The strategy of searches that a kernel for whole searches and one CPU thread hand off to each other (handoff.h). A
 * handoff is the end of one launch or the start of another, and a bit a vertex over the bus: in memory of both sides,
 * or where there is none, by copies. */
#include <string.h>

#include "handoff.h"

enum { rule, state, list, visited };

static uint64_t bytes_of(const struct gws_bfs_device *search, int which)
{
    const uint64_t bytes[] = {[state] = sizeof *search->handoff->hand.state,
                              [list] = GWS_HAND_ROOM * sizeof *search->handoff->hand.list,
                              [visited] = (search->graph->vertices + 63) / 64 * 8};
    return bytes[which];
}

/* ---- a launch ---- */

static gws_status copy_to_device(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_handoff *handoff = search->handoff;
    const struct gws__bfs_hand *hand = &handoff->hand;
    gws_status status = gws_device_write(handoff->buffer[state], 0, hand->state, sizeof *hand->state, where);
    if (status != GWS_OK || !hand->rule.resumes) return status;
    status = gws_device_write(handoff->buffer[list], 0, hand->list, hand->rule.size * sizeof *hand->list, where);
    if (status != GWS_OK) return status;
    return gws_device_write(handoff->buffer[visited], 0, hand->visited, bytes_of(search, visited), where);
}

static gws_status copy_to_host(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_handoff *handoff = search->handoff;
    const struct gws__bfs_hand *hand = &handoff->hand;
    gws_status status = gws_device_read(handoff->buffer[state], 0, hand->state, sizeof *hand->state, where);
    if (status != GWS_OK || !hand->state->handed) return status;
    status = gws_device_read(handoff->buffer[list], 0, hand->list, hand->state->entries * sizeof *hand->list, where);
    if (status != GWS_OK) return status;
    return gws_device_read(handoff->buffer[visited], 0, hand->visited, bytes_of(search, visited), where);
}

static gws_status launch(void *context, struct gws_where *where)
{
    struct gws_bfs_device *search = context;
    struct gws__bfs_handoff *handoff = search->handoff;
    memset(handoff->hand.state, 0, sizeof *handoff->hand.state);
    handoff->looks = true;
    gws_status status = handoff->in_place ? GWS_OK : copy_to_device(search, where);
    if (status == GWS_OK) status = gws__bfs_persistent_launch(search, where);
    return status == GWS_OK && !handoff->in_place ? copy_to_host(search, where) : status;
}

/* ---- opening and closing ---- */

/* Clear: the device's words are half as long as the host's, so the last may not be its. */
static gws_status new_memory(struct gws_bfs_device *search, int which, void **host, struct gws_where *where)
{
    struct gws__bfs_handoff *handoff = search->handoff;
    uint64_t bytes = bytes_of(search, which);
    gws_status status;
    if (handoff->in_place) {
        status = gws_device_shared_new(search->device, bytes, &handoff->buffer[which], host, where);
    } else {
        *host = gws_allocate(search->runtime, bytes, 1);
        if (!*host) return gws__bfs_device_no_memory(where);
        status = gws_device_buffer_new(search->device, bytes, &handoff->buffer[which], where);
        if (status == GWS_OK) status = gws_device_fill(handoff->buffer[which], 0, 0, bytes / 4, where);
    }
    handoff->argument[which].buffer = handoff->buffer[which];
    if (status == GWS_OK) memset(*host, 0, bytes);
    return status;
}

static gws_status open_hand(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_handoff *handoff = search->handoff;
    struct gws__bfs_hand *hand = &handoff->hand;
    void *at[gws__bfs_handoff_arguments] = {NULL};
    if (gws__bfs_hand_open(search->runtime, search->graph, hand) != GWS_OK) return gws__bfs_device_no_memory(where);
    handoff->argument[rule] = (struct gws_device_argument){.value = &hand->rule, .bytes = sizeof hand->rule};
    handoff->in_place = gws_device_describe(search->device)->svm >= GWS_SVM_FINE;
    gws_status status = GWS_OK;
    for (int i = state; i <= visited && status == GWS_OK; i++) status = new_memory(search, i, &at[i], where);
    hand->state = at[state];
    hand->list = at[list];
    hand->visited = at[visited];
    return status;
}

/* Meshes claim the frontier that they take over, and do not count its arcs. */
static gws_status fit(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_hand *hand = &search->handoff->hand;
    hand->claims = search->kernel == &gws__bfs_mesh;
    hand->counts_arcs = !hand->claims;
    return gws__bfs_hand_fit(hand, launch, search, where);
}

gws_status gws__bfs_handoff_open(struct gws_bfs_device *search, struct gws_where *where)
{
    search->handoff = gws_allocate(search->runtime, 1, sizeof *search->handoff);
    if (!search->handoff) return gws__bfs_device_no_memory(where);
    memset(search->handoff, 0, sizeof *search->handoff);
    gws_status status = gws__bfs_persistent_open(search, where);
    if (status == GWS_OK) status = open_hand(search, where);
    search->result = &(struct gws_bfs_result){.source = 0}; /* of the kernels' launches for the model */
    if (status == GWS_OK) status = fit(search, where);
    search->result = NULL;
    return status;
}

void gws__bfs_handoff_close(struct gws_bfs_device *search)
{
    struct gws__bfs_handoff *handoff = search->handoff;
    gws__bfs_persistent_close(search);
    if (!handoff) return;
    void *const host[] = {
        [state] = handoff->hand.state, [list] = handoff->hand.list, [visited] = handoff->hand.visited};
    for (int i = state; i <= visited; i++) {
        if (!handoff->in_place) gws_release(search->runtime, host[i], bytes_of(search, i), 1);
        gws_device_buffer_free(handoff->buffer[i]);
    }
    gws__bfs_hand_close(&handoff->hand);
    gws_release(search->runtime, handoff, 1, sizeof *handoff);
    search->handoff = NULL;
}

/* ---- searching ---- */

/* Other kernels than before have another model. */
static gws_status reconsider(struct gws_bfs_device *search, struct gws_where *where)
{
    bool changed;
    gws_status status = gws__bfs_persistent_reconsider(search, &changed, where);
    return status == GWS_OK && changed ? fit(search, where) : status;
}

/* By the kernel that keeps the search, which is a little faster as it need not look out. */
static gws_status run_kept(struct gws_bfs_device *search, struct gws_where *where)
{
    gws__bfs_hand_begin(&search->handoff->hand);
    search->handoff->looks = false;
    return gws__bfs_persistent_run(search, where);
}

gws_status gws__bfs_handoff_run(struct gws_bfs_device *search, struct gws_where *where)
{
    gws_status status = reconsider(search, where);
    struct gws__bfs_hand *hand = &search->handoff->hand;
    if (status != GWS_OK) return status;
    if (!hand->pays) return run_kept(search, where);
    double began = gws_clock_ms();
    gws__bfs_hand_begin(hand);
    do {
        status = launch(search, where);
    } while (status == GWS_OK && hand->state->handed && gws__bfs_hand_run(hand));
    search->result->ms = gws_clock_ms() - began;
    if (status == GWS_OK) status = gws__bfs_persistent_hear(search, 0, where);
    if (status != GWS_OK || !hand->state->handed) return status;
    search->told.levels = hand->level; /* it ended here */
    search->told.reached = (uint32_t)hand->reached;
    return GWS_OK;
}

gws_status gws__bfs_handoff_fetch(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_hand *hand = &search->handoff->hand;
    struct gws_bfs_device_model *sum = &search->handoff->sum;
    gws_status status = gws__bfs_persistent_fetch(search, where);
    if (status != GWS_OK) return status;
    gws__bfs_hand_put(hand, search->result);
    gws__bfs_hand_learn(hand, search->result);
    if (hand->model.host_vertices > 0) search->result->reached_arcs = gws__bfs_device_reached_arcs(search);
    uint64_t *thread = search->ran + (uint64_t)search->options.groups * bfs_stats_words;
    for (uint64_t i = 0; i < hand->model.host_levels; i++) thread[gws__bfs_stats_run] += hand->ran[i].size;
    thread[gws__bfs_stats_made] = thread[gws__bfs_stats_run];
    sum->passes += hand->model.passes;
    sum->host_levels += hand->model.host_levels;
    sum->host_vertices += hand->model.host_vertices;
    sum->host_ms += hand->model.host_ms;
    return GWS_OK;
}

const struct gws__bfs_way gws__bfs_device_handoff = {
    .form = GWS_BFS_FORM_HANDOFF,
    .open = gws__bfs_handoff_open,
    .close = gws__bfs_handoff_close,
    .run = gws__bfs_handoff_run,
    .fetch = gws__bfs_handoff_fetch,
    .poison = gws__bfs_persistent_poison,
};

/* ---- the model ---- */

bool gws_bfs_device_model(const struct gws_bfs_device *search, struct gws_bfs_device_model *model)
{
    if (!search->handoff) return false;
    const struct gws_bfs_device_model *sum = &search->handoff->sum;
    *model = search->handoff->hand.model;
    model->passes = sum->passes;
    model->host_levels = sum->host_levels;
    model->host_vertices = sum->host_vertices;
    model->host_ms = sum->host_ms;
    return true;
}
