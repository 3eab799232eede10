/* SPDX-License-Identifier: MIT */
/* Octrees by tasks on a device (Cederman and Tsigas, section 35.4.2): kernels/octree.cl, with deques from which groups
 * steal, or by the static scheme. The runtime's policy says which: abp, chunked or static.
 *
 * Keys are made by the runtime's workers, as they take less room on the way than points do. The device divides the
 * octants and writes down how; the host lays the nodes out (octree_flatten.c). What is bounded by estimate alone, the
 * room for that record, is grown where it was short, and all is done again. */
#define _POSIX_C_SOURCE 200809L
#include "octree_tasks.h"

#include <string.h>
#include <unistd.h>

#include "../octree_task.h"

enum {
    gpu_group_size = 128,
    cpu_group_size = 1,
    gpu_piece = 4096,
    cpu_piece = 65536,
    /* A stack holds seven tasks a level and one for each halving of the pieces; see tests/kernels/octree.h. */
    deque_room = 256,
    most_chunk = 32,
    default_chunk = 4,
    tries = 8
};
static const uint64_t most_points = UINT64_C(1) << 31;

/* ---- what is asked for ---- */

/* The container that the policy means; NULL if it means none. */
static const char *container_of(const struct gws_octree_device *builder)
{
    static const char *const known[] = {"abp", "chunked", "static"};
    const char *policy = gws_runtime_policy(builder->runtime);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i], policy) == 0) return known[i];
    return NULL;
}

/* What CPU workers run under that policy; NULL: they take no part. */
static const struct gws__octree_worker_calls *workers_of(const struct gws_octree_device *builder)
{
    const char *policy = gws_runtime_policy(builder->runtime);
    if (strcmp(policy, "abp") == 0) return &gws__octree_worker_abp;
    return strcmp(policy, "chunked") == 0 ? &gws__octree_worker_chunked : NULL;
}

static bool refuse(struct gws_where *where, const char *why)
{
    (void)gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "%s", why);
    return false;
}

/* Tasks that a thief is to take at once; 0: to be chosen. */
static uint32_t chunk_of(const struct gws_octree_device *builder)
{
    return builder->options.chunk ? builder->options.chunk : gws_runtime_chunk(builder->runtime);
}

/* Programs that are translated before have atomics of the device's scope. */
static bool shares_atomics(const struct gws_octree_device *builder)
{
    return gws_device_describe(builder->device)->svm == GWS_SVM_ATOMICS && !gws__octree_device_is(builder, "cuda");
}

static bool suits_both(const struct gws_octree_device *builder, struct gws_where *where)
{
    const struct gws_octree_device_options *options = &builder->options;
    if (!options->cpu && options->form != GWS_OCTREE_FORM_AUTO)
        return refuse(where, "forms are of a device and CPU workers together");
    if (!options->cpu) return true;
    if (!workers_of(builder)) return refuse(where, "CPU workers take part with the policies abp and chunked alone");
    if (!shares_atomics(builder))
        return refuse(where, "its atomics do not hold against the host's, so deques cannot be shared");
    return true;
}

static bool suits(const struct gws_octree_device *builder, struct gws_where *where)
{
    const struct gws_octree_device_options *options = &builder->options;
    bool rows = gws__octree_device_is(builder, "cuda") && options->group_size > 0 && options->group_size < 32;
    if (!container_of(builder)) return refuse(where, "by task the policies are abp, chunked and static");
    if (!suits_both(builder, where)) return false;
    if (options->group_size > octree_most_items || rows)
        return refuse(where, "by task a group has at most 128 items, and on CUDA at least 32");
    if (chunk_of(builder) > most_chunk) return refuse(where, "by task a chunk is what a thief takes, at most 32 tasks");
    if (chunk_of(builder) > 0 && strcmp(container_of(builder), "chunked") != 0)
        return refuse(where, "by task the policy chunked alone has chunks");
    return true;
}

static void choose_sizes(struct gws_octree_device *builder)
{
    const struct gws_device_info *info = gws_device_describe(builder->device);
    struct gws_octree_device_options *options = &builder->options;
    bool gpu = info->type == GWS_DEVICE_GPU;
    if (options->group_size == 0) options->group_size = gpu ? gpu_group_size : cpu_group_size;
    while (options->group_size > info->max_group_size) options->group_size /= 2;
    if (options->piece == 0) options->piece = gpu ? gpu_piece : cpu_piece;
    options->chunk = chunk_of(builder) ? chunk_of(builder) : default_chunk;
}

/* ---- opening ---- */

/* A CPU device's groups run on the CPU workers' cores. */
static uint64_t units_left(const struct gws_octree_device *builder)
{
    uint64_t threads = gws_runtime_workers(builder->runtime), cores = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    if (gws_device_describe(builder->device)->type != GWS_DEVICE_CPU) return UINT64_MAX;
    return cores > threads ? cores - threads : 1;
}

static gws_status choose_groups(struct gws_octree_device *builder, struct gws__octree_tasks *tasks,
                                struct gws_where *where)
{
    uint64_t most = 0;
    tasks->groups = builder->options.groups;
    if (tasks->groups > 0) return GWS_OK;
    gws_status status = gws__octree_tasks_resident(tasks, &most, where);
    if (tasks->threads && most > units_left(builder)) most = units_left(builder);
    if (status == GWS_OK && most == 0)
        return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "groups of %u items: not even one of them fits",
                             tasks->group_size);
    tasks->groups = builder->options.groups = (uint32_t)most;
    return status;
}

static void join_workers(struct gws_octree_device *builder, struct gws__octree_tasks *tasks)
{
    tasks->threads = gws_runtime_workers(builder->runtime);
    tasks->worker = workers_of(builder);
    builder->options.form = GWS_OCTREE_FORM_KEPT;
    builder->form = "tasks, shared, kernel kept alive";
}

static gws_status open_tasks(struct gws_octree_device *builder, struct gws_where *where)
{
    struct gws_runtime *runtime = builder->runtime;
    struct gws__octree_tasks *tasks = gws_allocate(runtime, 1, sizeof *tasks);
    if (!tasks) return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s", gws_status_text(GWS_NO_MEMORY));
    const char *container = container_of(builder);
    choose_sizes(builder);
    *tasks = (struct gws__octree_tasks){.runtime = runtime,
                                        .device = builder->device,
                                        .steals = strcmp(container, "static") != 0,
                                        .group_size = builder->options.group_size};
    if (builder->options.cpu) join_workers(builder, tasks);
    tasks->words.piece = builder->options.piece;
    tasks->words.chunk = builder->options.chunk;
    builder->own = tasks;
    gws_status status = gws__octree_tasks_program(tasks, container, where);
    if (status == GWS_OK) status = choose_groups(builder, tasks, where);
    if (status != GWS_OK) return status;
    uint64_t counts = (uint64_t)gws__octree_tasks_workers(tasks) * octree_stats_words;
    tasks->stats = gws_allocate(runtime, counts, sizeof *tasks->stats);
    if (tasks->stats) return GWS_OK;
    return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s", gws_status_text(GWS_NO_MEMORY));
}

static void close_tasks(struct gws_octree_device *builder)
{
    struct gws__octree_tasks *tasks = builder->own;
    if (!tasks) return;
    gws__octree_tasks_free(tasks);
    gws_release(builder->runtime, tasks, 1, sizeof *tasks);
}

/* ---- building ---- */

/* Room to begin with: uniform points take a fifth of it. Static: for every octant that can wait at once. */
static void set_words(struct gws__octree_tasks *tasks, const struct gws__octree_state *state)
{
    uint64_t points = state->kept, leaf = state->leaf, bound = 3 * points;
    struct gws__octree_words *words = &tasks->words;
    words->points = (uint32_t)points;
    words->leaf = leaf < points ? (uint32_t)leaf : (uint32_t)points;
    words->depth = state->depth;
    words->twigs = 10 * (points / leaf) < bound ? 10 * (points / leaf) : bound;
    words->twigs += 4096 + (uint64_t)gws__octree_tasks_workers(tasks) * octree_twigs_at_once;
    uint64_t waiting = points / (leaf + 1) + points / words->piece + 16;
    if (waiting > UINT32_MAX / 2) waiting = UINT32_MAX / 2;
    words->room = tasks->steals ? deque_room : (uint32_t)(2 * waiting);
}

/* Makes room where it was short. */
static bool grow(struct gws__octree_tasks *tasks)
{
    uint64_t why = tasks->control[octree_state];
    if (why == octree_out_of_twigs) tasks->words.twigs *= 4;
    if (why == octree_out_of_slots) tasks->words.room *= 2;
    return why == octree_out_of_twigs || why == octree_out_of_slots;
}

/* Divides the points of those keys, with more room where it was short. */
static gws_status divide(struct gws_octree_device *builder, const uint64_t *key, struct gws_where *where)
{
    struct gws__octree_tasks *tasks = builder->own;
    for (int i = 0; i < tries; i++) {
        double began = gws_clock_ms();
        gws_status status = gws__octree_tasks_room(tasks, tasks->words.points, where);
        if (status == GWS_OK) status = gws__octree_tasks_send(tasks, key, where);
        double sent = gws_clock_ms();
        builder->stats.upload_ms += sent - began;
        if (status == GWS_OK) status = gws__octree_tasks_divide(tasks, where);
        builder->stats.ms = gws_clock_ms() - sent;
        if (status != GWS_OK) return status;
        if (tasks->control[octree_placed] == tasks->words.points && tasks->control[octree_state] == octree_on)
            return GWS_OK;
        gws__octree_tasks_forget(tasks);
        if (!grow(tasks)) break;
    }
    return gws_where_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "%llu points found a place, not %lu",
                         (unsigned long long)tasks->control[octree_placed], (unsigned long)tasks->words.points);
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

static gws_status fetch_index(struct gws_octree_device *builder, struct gws__octree_state *state,
                              struct gws_where *where)
{
    struct gws__octree_tasks *tasks = builder->own;
    bool direct = !state->wide && state->kept == state->points->count;
    uint32_t *out = direct ? state->index32 : gws_allocate(builder->runtime, state->kept, sizeof *out);
    if (!out) return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s", gws_status_text(GWS_NO_MEMORY));
    gws_status status = gws_device_read(tasks->array[gws__octree_out], 0, out, state->kept * sizeof *out, where);
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
    uint32_t workers = gws__octree_tasks_workers(tasks);
    for (uint32_t w = 0; w < workers; w++) {
        const uint64_t *words = tasks->stats + (uint64_t)w * octree_stats_words;
        add_worker(stats, words, w >= tasks->groups);
        if (words[octree_stats_high] > most) most = words[octree_stats_high];
    }
    stats->high_water = tasks->steals ? most * workers : tasks->control[octree_high];
    stats->rounds = tasks->control[octree_rounds];
    stats->memory = gws__octree_tasks_bytes(tasks);
}

/* The record of the tree and the points' order, brought over and laid out. */
static gws_status fetch(struct gws_octree_device *builder, struct gws__octree_state *state, struct gws_octree *tree,
                        struct gws_where *where)
{
    struct gws__octree_tasks *tasks = builder->own;
    double began = gws_clock_ms();
    gws_status status =
        gws_device_read(tasks->array[gws__octree_twig], 0, tasks->twig, tasks->control[octree_twigs] * 8, where);
    if (status == GWS_OK) status = fetch_index(builder, state, where);
    double fetched = gws_clock_ms();
    state->root = tasks->twig[0];
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
    set_words(tasks, state);
    gws_status status = divide(builder, key, where);
    if (status == GWS_OK) status = fetch(builder, state, tree, where);
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

const struct gws__octree_way gws__octree_tasks = {
    .form = "tasks",
    .builder = GWS_OCTREE_BY_TASK,
    .suits = suits,
    .open = open_tasks,
    .close = close_tasks,
    .run = run_tasks,
};
