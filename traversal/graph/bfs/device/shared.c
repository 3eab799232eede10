/* SPDX-License-Identifier: MIT */
/* Groups and CPU workers on shared deques (Abdelmageed's thesis, chapter 3): all arrays but the graph's lie in memory
 * where atomics of both sides hold. The caller manages levels as the thesis's main thread does (section 3.2), and works
 * in them, too. Two forms: a kernel that stays from level to level (kernels/bfs/bfs_shared.cl), and a kernel a level.
 * CPU workers never wait for the device; the caller does, at a level's end (lib/hetero/flags.h). */
#include <string.h>

#include "../../../../lib/hetero/flags.h"
#include "shared.h"

/* As in kernels/bfs/bfs.cl, bfs_alone.cl and bfs_shared.cl. */
enum {
    control_level = 0,
    control_begin = 1,
    control_end = 2,
    control_bottom = 3,
    control_workers = 4,
    control_gpu = 5,
    control_steals = 6,
    control_state = 7,
    control_tail = 32,
    state_cut = 1,
    sum_found = 1
};

struct shared {
    struct gws__bfs_sides sides;
    void *host[gws__bfs_arrays];
    struct gws__flags flags; /* its groups play all workers of the device */
    bool stays;              /* the form with that kernel */
};

/* ---- arrays ---- */

static gws_status share(struct gws_bfs_device *search, enum gws__bfs_array which, uint64_t words,
                        struct gws_where *where)
{
    struct shared *shared = search->own;
    gws_status status =
        gws_device_shared_new(search->device, words * 4, &search->array[which], &shared->host[which], where);
    if (status == GWS_OK) memset(shared->host[which], 0, words * 4);
    return status;
}

static gws_status share_arrays(struct gws_bfs_device *search, struct gws_where *where)
{
    uint64_t vertices = search->graph->vertices, workers = search->workers;
    const struct {
        enum gws__bfs_array which;
        uint64_t words;
    } need[] = {{gws__bfs_depth, vertices},
                {gws__bfs_parent, vertices},
                {gws__bfs_visited, (vertices + 31) / 32},
                {gws__bfs_list, vertices},
                {gws__bfs_control, bfs_control_words},
                {gws__bfs_sums, 2 * bfs_sum_words},
                {gws__bfs_queue, 2 * workers * bfs_queue_words},
                {gws__bfs_stats, 2 * workers * bfs_stats_words}};
    gws_status status = GWS_OK;
    for (size_t i = 0; i < sizeof need / sizeof *need && status == GWS_OK; i++)
        status = share(search, need[i].which, need[i].words, where);
    return status;
}

static void bind(struct shared *shared)
{
    struct gws__bfs_sides *sides = &shared->sides;
    sides->depth = shared->host[gws__bfs_depth];
    sides->parent = shared->host[gws__bfs_parent];
    sides->visited = shared->host[gws__bfs_visited];
    sides->list = shared->host[gws__bfs_list];
    sides->tail = (_Atomic uint32_t *)shared->host[gws__bfs_control] + control_tail;
    sides->found = (_Atomic uint64_t *)shared->host[gws__bfs_sums] + sum_found;
    sides->queue = shared->host[gws__bfs_queue];
    sides->stats = shared->host[gws__bfs_stats];
}

static gws_status open_arrays(struct gws_bfs_device *search, struct gws_where *where)
{
    struct shared *shared = search->own;
    gws_status status = gws__bfs_sides_open(search, &shared->sides, where);
    if (status == GWS_OK) status = gws__bfs_device_program(search, " -DGWS_SCOPE=GWS_HOST_SCOPE", where);
    if (status == GWS_OK) status = gws__bfs_device_graph(search, where);
    if (status == GWS_OK) status = share_arrays(search, where);
    if (status == GWS_OK) bind(shared);
    return status;
}

/* ---- the kernel that stays ---- */

static gws_status launch_stay(void *context, struct gws_where *where)
{
    struct gws_bfs_device *search = context;
    const struct shared *shared = search->own;
    struct gws__bfs_more more = {.count = 0};
    gws__bfs_more_buffer(&more, shared->flags.buffer);
    return gws__bfs_device_launch_resident(search, "bfs_stay", shared->flags.groups, &more, where);
}

static bool is_idle(void *context, uint32_t group)
{
    const struct gws_bfs_device *search = context;
    const struct shared *shared = search->own;
    for (uint32_t part = group; part < search->options.groups; part += shared->flags.groups)
        if (shared->sides.call->queue[search->container].left(shared->sides.queue, part)) return false;
    return true;
}

static const struct gws__flags_calls stay = {.launch = launch_stay, .idle = is_idle};

static gws_status open_stay(struct gws_bfs_device *search, struct gws_where *where)
{
    struct shared *shared = search->own;
    shared->flags = (struct gws__flags){.device = search->device, .calls = &stay, .context = search};
    gws_status status = gws__bfs_device_players(search, "bfs_stay", &shared->flags.groups, where);
    return status == GWS_OK ? gws__flags_open(&shared->flags, where) : status;
}

/* ---- opening ---- */

static gws_status open_shared(struct gws_bfs_device *search, bool stays, struct gws_where *where)
{
    struct shared *shared = gws_allocate(search->runtime, 1, sizeof *shared);
    if (!shared) return gws__bfs_device_no_memory(where);
    *shared = (struct shared){.stays = stays};
    search->own = shared;
    gws_status status = open_arrays(search, where);
    return status == GWS_OK && stays ? open_stay(search, where) : status;
}

static gws_status open_kept(struct gws_bfs_device *search, struct gws_where *where)
{
    return open_shared(search, true, where);
}

static gws_status open_levels(struct gws_bfs_device *search, struct gws_where *where)
{
    return open_shared(search, false, where);
}

static void close_shared(struct gws_bfs_device *search)
{
    struct shared *shared = search->own;
    if (!shared) return;
    gws__flags_close(&shared->flags);
    gws__bfs_sides_close(&shared->sides);
    gws_release(search->runtime, shared, 1, sizeof *shared);
}

/* ---- levels ---- */

/* Writes the level's words; what starts the groups publishes them. */
static void tell_level(struct gws_bfs_device *search)
{
    const struct shared *shared = search->own;
    const struct gws__bfs_sides *sides = &shared->sides;
    const struct gws_bfs_device_options *options = &search->options;
    bool steals = options->steal == GWS_BFS_STEAL_ALL || options->steal == GWS_BFS_STEAL_GPU;
    _Atomic uint32_t *control = shared->host[gws__bfs_control];
    const struct {
        uint32_t word, value;
    } words[] = {{control_level, sides->level},
                 {control_begin, sides->begin},
                 {control_end, sides->end},
                 {control_bottom, sides->bottom_up},
                 {control_workers, gws__bfs_sides_workers(sides)},
                 {control_gpu, options->groups},
                 {control_steals, steals},
                 {control_state, state_cut}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        atomic_store_explicit(&control[words[i].word], words[i].value, memory_order_relaxed);
}

static gws_status start_device(struct gws_bfs_device *search, struct gws_where *where)
{
    struct shared *shared = search->own;
    tell_level(search);
    if (shared->stays && !shared->sides.bottom_up) return gws__flags_start(&shared->flags, where);
    gws_status status = gws__flags_end(&shared->flags, where);
    if (status != GWS_OK) return status;
    const char *kernel = shared->sides.bottom_up ? "bfs_bottom_up" : "bfs_top_down";
    return gws__bfs_device_launch(search, kernel, search->options.groups, NULL, where);
}

static gws_status wait_device(struct gws_bfs_device *search, struct gws_where *where)
{
    struct shared *shared = search->own;
    return shared->flags.running ? gws__flags_wait(&shared->flags, where) : gws_device_wait(search->device, where);
}

static gws_status run_level(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_sides *sides = &((struct shared *)search->own)->sides;
    gws_status status = gws__bfs_sides_plan(sides, where);
    if (status != GWS_OK) return status;
    gws__bfs_sides_cut(sides);
    if (sides->joined) status = start_device(search, where);
    if (status != GWS_OK) return status;
    if (gws__bfs_sides_cpu(sides)) gws__bfs_sides_run(sides);
    if (sides->joined) status = wait_device(search, where);
    gws__bfs_sides_advance(sides);
    return status;
}

static gws_status run_shared(struct gws_bfs_device *search, struct gws_where *where)
{
    struct shared *shared = search->own;
    struct gws__bfs_sides *sides = &shared->sides;
    double began = gws_clock_ms();
    gws_status status = GWS_OK;
    gws__bfs_sides_begin(sides);
    while (status == GWS_OK && sides->begin < sides->end) status = run_level(search, where);
    search->result->ms = gws_clock_ms() - began;
    gws__bfs_sides_finish(sides);
    gws_status ended = gws__flags_end(&shared->flags, status == GWS_OK ? where : NULL);
    return status == GWS_OK ? ended : status;
}

static gws_status fetch_shared(struct gws_bfs_device *search, struct gws_where *where)
{
    (void)where;
    gws__bfs_sides_fetch(&((struct shared *)search->own)->sides);
    return GWS_OK;
}

const struct gws__bfs_way gws__bfs_device_kept = {
    .form = GWS_BFS_FORM_SHARED,
    .open = open_kept,
    .close = close_shared,
    .run = run_shared,
    .fetch = fetch_shared,
    .poison = gws__bfs_device_poison_arrays,
};

const struct gws__bfs_way gws__bfs_device_levels = {
    .form = GWS_BFS_FORM_SHARED_PER_LEVEL,
    .open = open_levels,
    .close = close_shared,
    .run = run_shared,
    .fetch = fetch_shared,
    .poison = gws__bfs_device_poison_arrays,
};
