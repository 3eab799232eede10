/* SPDX-License-Identifier: MIT */
/* Octrees by tasks on a device (Cederman and Tsigas, section 35.4.2): kernels/octree/octree.cl, with deques from which
 * groups steal, or by the static scheme. The runtime's policy says which: abp, chunked or static.
 *
 * Keys are made by the runtime's workers, as they take less room on the way than points do. The device divides the
 * octants and writes down how; the host lays the nodes out (octree_flatten.c). What is bounded by estimate alone, the
 * room for that record, is grown where it was short, and all is done again. */
#include "octree_tasks.h"

#include <string.h>

#include "../../../lib/poison.h"
#include "../octree_task.h"

enum {
    /* A stack holds seven tasks a level and one for each halving of the pieces; see tests/kernels/octree.h. */
    deque_room = 256,
    tries = 8
};
static const uint64_t most_points = UINT64_C(1) << 31;

/* ---- building ---- */

/* Room to begin with: uniform points take a fifth of it. */
void gws__octree_words_set(struct gws__octree_words *words, uint64_t points, uint64_t leaf, uint32_t depth,
                           uint32_t workers)
{
    uint64_t bound = 3 * points, usual = 10 * (points / leaf);
    words->points = (uint32_t)points;
    words->leaf = leaf < points ? (uint32_t)leaf : (uint32_t)points;
    words->depth = depth;
    words->twigs = (usual < bound ? usual : bound) + 4096 + (uint64_t)workers * octree_twigs_at_once;
    words->room = deque_room;
}

/* Static: for every octant that can wait at once, in two arrays. */
static void set_static_room(struct gws__octree_words *words)
{
    uint64_t waiting = words->points / (words->leaf + UINT64_C(1)) + words->points / words->piece + 16;
    if (waiting > UINT32_MAX / 2) waiting = UINT32_MAX / 2;
    words->room = (uint32_t)(2 * waiting);
}

bool gws__octree_words_grow(struct gws__octree_words *words, uint64_t why)
{
    if (why == octree_out_of_twigs) words->twigs *= 4;
    if (why == octree_out_of_slots) words->room *= 2;
    return why == octree_out_of_twigs || why == octree_out_of_slots;
}

gws_status gws__octree_not_placed(const struct gws__octree_words *words, const uint64_t *control,
                                  struct gws_where *where)
{
    return gws_where_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "%llu points found a place, not %lu",
                         (unsigned long long)control[octree_placed], (unsigned long)words->points);
}

/* Divides the points of those keys, with more room where it was short. */
static gws_status divide_there(struct gws_octree_device *builder, const uint64_t *key, struct gws_where *where)
{
    struct gws__octree_tasks *tasks = builder->own;
    for (int i = 0; i < tries; i++) {
        double began = gws_clock_ms();
        gws_status status = gws__octree_tasks_room(tasks, where);
        if (status == GWS_OK) status = gws__octree_tasks_send(tasks, key, where);
        double sent = gws_clock_ms();
        builder->stats.upload_ms += sent - began;
        if (status == GWS_OK) status = gws__octree_tasks_divide(tasks, where);
        builder->stats.ms = gws_clock_ms() - sent;
        if (status != GWS_OK) return status;
        if (gws__octree_all_placed(&tasks->words, tasks->control)) return GWS_OK;
        gws__octree_tasks_forget(tasks);
        if (!gws__octree_words_grow(&tasks->words, tasks->control[octree_state])) break;
    }
    return gws__octree_not_placed(&tasks->words, tasks->control, where);
}

static gws_status divide(struct gws_octree_device *builder, const uint64_t *key, struct gws_where *where)
{
    struct gws__octree_tasks *tasks = builder->own;
    double began = gws_clock_ms();
    if (!tasks->bridge) return divide_there(builder, key, where);
    gws_status status = gws__octree_bridge_divide(tasks->bridge, &tasks->words, key, &builder->stats.upload_ms, where);
    builder->stats.ms = gws_clock_ms() - began - builder->stats.upload_ms;
    return status;
}

/* The points in their order, out, numbered as in the set: the index says which those with a key are. */
static gws_status rename_points(struct gws__octree_state *state, const uint32_t *out)
{
    struct gws__octree_state named = {.runtime = state->runtime, .wide = state->wide};
    gws_status status = gws__octree_index_new(&named, state->kept);
    for (uint64_t i = 0; i < state->kept && status == GWS_OK; i++) {
        if (state->wide)
            named.index64[i] = state->index64[out[i]];
        else
            named.index32[i] = state->index32[out[i]];
    }
    if (status != GWS_OK) return status;
    gws_release(state->runtime, state->index32, state->kept, sizeof *state->index32);
    gws_release(state->runtime, state->index64, state->kept, sizeof *state->index64);
    state->index32 = named.index32;
    state->index64 = named.index64;
    return GWS_OK;
}

/* Of the finished tree. */
static gws_status read_array(const struct gws__octree_tasks *tasks, enum gws__octree_array which, void *to,
                             uint64_t bytes, struct gws_where *where)
{
    if (!tasks->bridge) return gws_device_read(tasks->array[which], 0, to, bytes, where);
    memcpy(to, gws__octree_bridge_array(tasks->bridge, which), bytes);
    return GWS_OK;
}

/* The record is the host's where octants were handed over. */
static gws_status fetch_record(struct gws__octree_tasks *tasks, uint64_t *root, struct gws_where *where)
{
    const uint64_t *twig = tasks->bridge ? gws__octree_bridge_array(tasks->bridge, gws__octree_twig) : tasks->twig;
    uint64_t bytes = tasks->control[octree_twigs] * sizeof *twig;
    gws_status status =
        tasks->bridge ? GWS_OK : gws_device_read(tasks->array[gws__octree_twig], 0, tasks->twig, bytes, where);
    *root = twig[0];
    return status;
}

static gws_status fetch_index(struct gws_octree_device *builder, struct gws__octree_state *state,
                              struct gws_where *where)
{
    struct gws__octree_tasks *tasks = builder->own;
    bool direct = !state->wide && state->kept == state->points->count;
    uint32_t *out = direct ? state->index32 : gws_allocate(builder->runtime, state->kept, sizeof *out);
    if (!out) return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s", gws_status_text(GWS_NO_MEMORY));
    gws_status status = read_array(tasks, gws__octree_out, out, state->kept * sizeof *out, where);
    if (direct) return status;
    if (status == GWS_OK) status = rename_points(state, out);
    gws_release(builder->runtime, out, state->kept, sizeof *out);
    return status;
}

static void add_worker(struct gws_octree_device_stats *stats, const uint64_t *words, bool cpu)
{
    stats->tasks += words[octree_stats_tasks];
    stats->steals += words[octree_stats_steals];
    stats->failed_steals += words[octree_stats_failed];
    stats->stolen += words[octree_stats_stolen];
    if (!cpu) return;
    stats->cpu_tasks += words[octree_stats_tasks];
    stats->cpu_steals += words[octree_stats_steals];
    stats->cpu_failed_steals += words[octree_stats_failed];
    stats->cpu_stolen += words[octree_stats_stolen];
}

static void sum_up(struct gws_octree_device *builder)
{
    const struct gws__octree_tasks *tasks = builder->own;
    struct gws_octree_device_stats *stats = &builder->stats;
    uint64_t most = 0;
    uint32_t workers = tasks->groups + tasks->threads;
    for (uint32_t w = 0; w < workers; w++) {
        const uint64_t *words = tasks->stats + (uint64_t)w * octree_stats_words;
        add_worker(stats, words, w >= tasks->groups);
        if (words[octree_stats_high] > most) most = words[octree_stats_high];
    }
    stats->high_water = tasks->steals ? most * workers : tasks->control[octree_high];
    stats->launches = tasks->launches;
    stats->handed = tasks->handed;
    stats->rounds = tasks->control[octree_rounds];
    stats->memory = gws__octree_tasks_bytes(tasks);
}

/* The record of the tree and the points' order, brought over and laid out. */
static gws_status fetch(struct gws_octree_device *builder, struct gws__octree_state *state, struct gws_octree *tree,
                        struct gws_where *where)
{
    struct gws__octree_tasks *tasks = builder->own;
    double began = gws_clock_ms();
    gws_status status = fetch_record(tasks, &state->root, where);
    if (status == GWS_OK) status = fetch_index(builder, state, where);
    double fetched = gws_clock_ms();
    if (status == GWS_OK) status = gws__octree_flatten(state, tree);
    tree->stats.flatten_ms = gws_clock_ms() - fetched;
    builder->stats.download_ms = fetched - began;
    sum_up(builder);
    return status;
}

static gws_status divide_and_fetch(struct gws_octree_device *builder, struct gws__octree_state *state,
                                   const uint64_t *key, struct gws_octree *tree, struct gws_where *where)
{
    struct gws__octree_tasks *tasks = builder->own;
    if (state->kept > most_points) return gws_where_set(where, GWS_TOO_LARGE, NULL, 0, 0, "more than 2^31 points");
    gws__octree_words_set(&tasks->words, state->kept, state->leaf, state->depth, tasks->groups + tasks->threads);
    if (!tasks->steals) set_static_room(&tasks->words);
    gws_status status = divide(builder, key, where);
    if (status == GWS_OK) status = fetch(builder, state, tree, where);
    if (tasks->bridge)
        gws__octree_bridge_forget(tasks->bridge);
    else
        gws__octree_tasks_forget(tasks);
    tree->stats.sort_ms = builder->stats.ms;
    tree->stats.tasks = builder->stats.tasks;
    return status;
}

static gws_status find_box(struct gws__octree_state *state)
{
    double low[3], high[3];
    uint64_t strange;
    gws_status status = gws__octree_bound(state->runtime, state->points, low, high, &strange);
    if (status == GWS_OK) status = gws__octree_grid_make(&state->grid, low, high);
    return status == GWS_OK && strange > 0 && !state->drop ? gws__octree_no_key(state) : status;
}

static gws_status run_tasks(struct gws_octree_device *builder, struct gws__octree_state *state, struct gws_octree *tree,
                            struct gws_where *where)
{
    struct gws__octree_work work = {.state = state};
    double began = gws_clock_ms();
    gws_status status = builder->options.tree.has_box ? GWS_OK : find_box(state);
    if (status == GWS_OK) status = gws__octree_gather_points(&work);
    double gathered = gws_clock_ms();
    if (status == GWS_OK && state->kept <= state->leaf) { /* the root is a leaf */
        state->root = gws__octree_leaf(state->kept);
        status = gws__octree_flatten(state, tree);
    } else if (status == GWS_OK) {
        status = divide_and_fetch(builder, state, work.key, tree, where);
    }
    gws_release(builder->runtime, work.key, state->kept, sizeof *work.key);
    tree->stats.bounds_ms = gathered - began;
    tree->stats.ms = tree->stats.sort_ms + tree->stats.flatten_ms;
    return status;
}

/* The host follows what it finds: every point becomes the first one, and every octant a leaf. */
static gws_status poison_tasks(struct gws_octree_device *builder, struct gws_where *where)
{
    enum { first_point = 0, leaves = 1 };
    const struct gws__octree_tasks *tasks = builder->own;
    gws_status status = gws_buffer_poison(tasks->array[gws__octree_out], first_point, where);
    return status == GWS_OK ? gws_buffer_poison(tasks->array[gws__octree_twig], leaves, where) : status;
}

const struct gws__octree_way gws__octree_tasks = {
    .form = "tasks",
    .builder = GWS_OCTREE_BY_TASK,
    .suits = gws__octree_tasks_suits,
    .open = gws__octree_tasks_open,
    .close = gws__octree_tasks_close,
    .run = run_tasks,
    .poison = poison_tasks,
};
