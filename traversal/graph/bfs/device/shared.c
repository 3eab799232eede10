/* SPDX-License-Identifier: MIT */
/* Groups and CPU workers on shared deques (Abdelmageed's thesis, chapter 3): all arrays but the graph's lie in memory
 * where atomics of both sides hold. The caller manages levels as the thesis's main thread does (section 3.2), and works
 * in them, too. Two forms: a persistent kernel (kernels/bfs/bfs_shared.cl), and a kernel a level.
 * CPU workers never wait for the device; the caller does, at a level's end (lib/hetero/flags.h). */
#include <string.h>

#include "shared.h"

/* As in kernels/bfs/bfs.cl and bfs_alone.cl. */
enum { control_tail = 32, state_cut = 1, sum_found = 1 };

static uint64_t hand_bytes(const struct gws_bfs_device *search)
{
    return gws_runtime_workers(search->runtime) * sizeof(struct gws__bfs_hand) + engine_line;
}

static bool is_persistent(const struct gws_bfs_device *search)
{
    return search->options.launch == GWS_BFS_PERSISTENT;
}

/* ---- the persistent kernel ---- */

static gws_status launch_stay(void *context, struct gws_where *where)
{
    struct gws_bfs_device *search = context;
    const struct gws__flags *flags = &((struct gws__bfs_sides *)search->own)->flags;
    const struct gws_device_argument more = {.buffer = flags->buffer};
    const struct gws__bfs_launch launch = {"bfs_stay", flags->groups, true, &more, 1};
    return gws__bfs_device_launch(search, &launch, where);
}

static bool is_idle(void *context, uint32_t group)
{
    const struct gws_bfs_device *search = context;
    const struct gws__bfs_sides *sides = search->own;
    for (uint32_t part = group; part < search->options.groups; part += sides->flags.groups)
        if (sides->call->queue[search->container].left(sides->queue, part)) return false;
    return true;
}

/* How many resident groups play the device's workers best: not more than there are workers, than run at the same time,
 * or than have a core for themselves. */
static gws_status choose_players(struct gws_bfs_device *search, uint32_t *players, struct gws_where *where)
{
    struct gws_device_launch launch = {
        .program = search->program, .kernel = "bfs_stay", .group_size = search->options.group_size, .resident = true};
    uint64_t most;
    gws_status status = gws_device_resident(search->device, &launch, &most, where);
    if (status != GWS_OK) return status;
    if (most == 0)
        return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "groups of %u items: not even one of them fits",
                             search->options.group_size);
    uint32_t suit = gws__bfs_device_free_units(search);
    if (most > suit) most = suit;
    *players = search->options.groups < most ? search->options.groups : (uint32_t)most;
    return GWS_OK;
}

static gws_status open_stay(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__flags *flags = &((struct gws__bfs_sides *)search->own)->flags;
    *flags = (struct gws__flags){.device = search->device, .launch = launch_stay, .idle = is_idle, .context = search};
    gws_status status = choose_players(search, &flags->groups, where);
    return status == GWS_OK ? gws__flags_open(flags, where) : status;
}

/* ---- opening ---- */

static gws_status open_arrays(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_sides *sides = search->own;
    void *host[gws__bfs_arrays];
    gws_status status = gws__bfs_device_program(search, NULL, " -DGWS_SCOPE=GWS_HOST_SCOPE", where);
    if (status == GWS_OK) status = gws__bfs_device_graph(search, where);
    if (status == GWS_OK) status = gws__bfs_device_arrays(search, host, where);
    if (status != GWS_OK) return status;
    sides->depth = host[gws__bfs_depth];
    sides->parent = host[gws__bfs_parent];
    sides->visited = host[gws__bfs_visited];
    sides->list = host[gws__bfs_list];
    sides->control = host[gws__bfs_control];
    sides->tail = sides->control + control_tail;
    sides->found = (_Atomic uint64_t *)host[gws__bfs_sums] + sum_found;
    sides->queue = host[gws__bfs_queue];
    sides->stats = host[gws__bfs_stats];
    return GWS_OK;
}

static gws_status open_shared(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_sides *sides = gws_allocate(search->runtime, 1, sizeof *sides);
    if (!sides) return gws__device_status(GWS_NO_MEMORY, where);
    *sides = (struct gws__bfs_sides){.search = search};
    search->own = sides;
    sides->call = search->options.order == GWS_BFS_SEQ_CST ? &gws__bfs_seq_cst : &gws__bfs_weakest;
    sides->hands = gws_allocate(search->runtime, hand_bytes(search), 1);
    if (!sides->hands) return gws__device_status(GWS_NO_MEMORY, where);
    memset(sides->hands, 0, hand_bytes(search));
    sides->hand = gws__engine_align(sides->hands);
    gws_status status = open_arrays(search, where);
    return status == GWS_OK && is_persistent(search) ? open_stay(search, where) : status;
}

static void close_shared(struct gws_bfs_device *search)
{
    struct gws__bfs_sides *sides = search->own;
    if (!sides) return;
    gws_device_buffer_free(sides->flags.buffer);
    gws_release(search->runtime, sides->hands, hand_bytes(search), 1);
    gws_release(search->runtime, sides, 1, sizeof *sides);
}

/* ---- levels ---- */

/* Writes the level's words, CONTROL_LEVEL and those behind it; what starts the groups publishes them. */
static void write_level(struct gws__bfs_sides *sides)
{
    const struct gws_bfs_device_options *options = &sides->search->options;
    const bool steals = options->steal == GWS_BFS_STEAL_ALL || options->steal == GWS_BFS_STEAL_GPU;
    const uint32_t word[] = {sides->level,   sides->begin,    sides->end, sides->bottom_up,
                             sides->workers, options->groups, steals,     state_cut};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        atomic_store_explicit(&sides->control[i], word[i], memory_order_relaxed);
}

static gws_status start_device(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_sides *sides = search->own;
    write_level(sides);
    if (is_persistent(search) && !sides->bottom_up) return gws__flags_start(&sides->flags, where);
    gws_status status = gws__flags_end(&sides->flags, where);
    const struct gws__bfs_launch launch = {.kernel = sides->bottom_up ? "bfs_bottom_up" : "bfs_top_down",
                                           .groups = search->options.groups};
    return status == GWS_OK ? gws__bfs_device_launch(search, &launch, where) : status;
}

static gws_status run_level(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_sides *sides = search->own;
    gws_status status = gws__bfs_sides_plan(sides, where);
    if (status == GWS_OK && sides->joined) status = start_device(search, where);
    if (status != GWS_OK) return status;
    if (sides->cpu) gws__bfs_sides_run(sides);
    if (sides->joined)
        status = sides->flags.running ? gws__flags_wait(&sides->flags, where) : gws_device_wait(search->device, where);
    gws__bfs_sides_advance(sides);
    return status;
}

static gws_status run_shared(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_sides *sides = search->own;
    struct gws_bfs_result *result = search->result;
    double began = gws_clock_ms();
    gws_status status = GWS_OK;
    gws__bfs_sides_begin(sides);
    while (status == GWS_OK && sides->begin < sides->end) status = run_level(search, where);
    result->ms = gws_clock_ms() - began;
    result->reached = sides->end;
    result->reached_arcs = search->graph->arcs - sides->unexplored;
    gws_status ended = gws__flags_end(&sides->flags, status == GWS_OK ? where : NULL);
    return status == GWS_OK ? ended : status;
}

static gws_status fetch_shared(struct gws_bfs_device *search, struct gws_where *where)
{
    (void)where;
    gws__bfs_sides_fetch(search->own);
    return GWS_OK;
}

#define SHARED_WAY(its_form)                                                                                           \
    {                                                                                                                  \
        .form = (its_form), .open = open_shared, .close = close_shared, .run = run_shared, .fetch = fetch_shared       \
    }

const struct gws__bfs_way gws__bfs_shared_persistent = SHARED_WAY(GWS_BFS_FORM_SHARED);
const struct gws__bfs_way gws__bfs_shared_per_level = SHARED_WAY(GWS_BFS_FORM_SHARED_PER_LEVEL);
