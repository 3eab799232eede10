/* SPDX-License-Identifier: MIT */
/* Groups and CPU workers on shared deques (Abdelmageed's thesis, chapter 3). All arrays except the graph's lie in
 * memory with atomics that are coherent between host and device. The caller manages the levels, as the thesis's main
 * thread does (section 3.2), and also takes part in each level. The two forms are a persistent kernel
 * (kernels/bfs/bfs_shared.cl), and one kernel per level. CPU workers never wait for the device. The caller waits at a
 * level's end (lib/hetero/flags.h). */
#include <string.h>

#include "shared.h"

static uint64_t buffer_bytes(const struct gws_bfs_device *search)
{
    return gws_runtime_workers(search->runtime) * sizeof(struct gws__bfs_worker_buffer) + engine_line;
}

static bool is_persistent(const struct gws_bfs_device *search)
{
    return search->options.launch == GWS_BFS_PERSISTENT;
}

/* ---- the persistent kernel ---- */

static gws_status launch_persistent(void *context, struct gws_diagnostic *where)
{
    struct gws_bfs_device *search = context;
    const struct gws__flags *flags = &((struct gws__bfs_hybrid *)search->own)->flags;
    const struct gws_device_argument extra = {.buffer = flags->buffer};
    const struct gws_device_launch launch = {
        .kernel = "bfs_persistent", .groups = flags->groups, .resident = true, .argument = &extra, .arguments = 1};
    return gws__bfs_device_launch(search, launch, where);
}

static bool is_idle(void *context, uint32_t group)
{
    const struct gws_bfs_device *search = context;
    const struct gws__bfs_hybrid *hybrid = search->own;
    for (uint32_t part = group; part < search->options.groups; part += hybrid->flags.groups)
        if (hybrid->call->queue[search->work_queue].left(hybrid->queue, part)) return false;
    return true;
}

/* Sets *emulators to the number of groups that emulate the device's workers, at most the number of workers, of
 * resident groups, and of free cores. */
static gws_status choose_emulators(struct gws_bfs_device *search, uint32_t *emulators, struct gws_diagnostic *where)
{
    struct gws_device_launch launch = {.program = search->program,
                                       .kernel = "bfs_persistent",
                                       .group_size = search->options.group_size,
                                       .resident = true};
    uint64_t max;
    gws_status status = gws_device_resident(search->device, &launch, &max, where);
    if (status != GWS_OK) return status;
    uint32_t free_units = gws__bfs_device_free_units(search);
    if (max > free_units) max = free_units;
    *emulators = search->options.groups < max ? search->options.groups : (uint32_t)max;
    return GWS_OK;
}

static gws_status open_persistent(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__flags *flags = &((struct gws__bfs_hybrid *)search->own)->flags;
    *flags =
        (struct gws__flags){.device = search->device, .launch = launch_persistent, .idle = is_idle, .context = search};
    gws_status status = choose_emulators(search, &flags->groups, where);
    return status == GWS_OK ? gws__flags_open(flags, where) : status;
}

/* ---- opening ---- */

static gws_status open_arrays(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__bfs_hybrid *hybrid = search->own;
    void *host[gws__bfs_arrays];
    gws_status status = gws__bfs_device_program(search, NULL, " -DGWS_SCOPE=GWS_HOST_SCOPE", where);
    if (status == GWS_OK) status = gws__bfs_device_graph(search, where);
    if (status == GWS_OK) status = gws__bfs_device_arrays(search, host, where);
    if (status != GWS_OK) return status;
    hybrid->depth = host[gws__bfs_depth];
    hybrid->parent = host[gws__bfs_parent];
    hybrid->visited = host[gws__bfs_visited];
    hybrid->list = host[gws__bfs_list];
    hybrid->control = host[gws__bfs_control];
    hybrid->tail = hybrid->control + CONTROL_TAIL;
    hybrid->found = (_Atomic uint64_t *)host[gws__bfs_sums] + SUM_FOUND;
    hybrid->queue = host[gws__bfs_queue];
    hybrid->stats = host[gws__bfs_stats];
    return GWS_OK;
}

static gws_status open_shared(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__bfs_hybrid *hybrid = gws_allocate(search->runtime, 1, sizeof *hybrid);
    if (!hybrid) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *hybrid = (struct gws__bfs_hybrid){.search = search};
    search->own = hybrid;
    hybrid->call = search->options.order == GWS_BFS_SEQ_CST ? &gws__bfs_seq_cst : &gws__bfs_weakest;
    hybrid->buffer_memory = gws_allocate(search->runtime, buffer_bytes(search), 1);
    if (!hybrid->buffer_memory) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    memset(hybrid->buffer_memory, 0, buffer_bytes(search));
    hybrid->buffer = gws__engine_align(hybrid->buffer_memory);
    gws_status status = open_arrays(search, where);
    return status == GWS_OK && is_persistent(search) ? open_persistent(search, where) : status;
}

static void close_shared(struct gws_bfs_device *search)
{
    struct gws__bfs_hybrid *hybrid = search->own;
    if (!hybrid) return;
    gws_device_buffer_free(hybrid->flags.buffer);
    gws_release(search->runtime, hybrid->buffer_memory, buffer_bytes(search), 1);
    gws_release(search->runtime, hybrid, 1, sizeof *hybrid);
}

/* ---- levels ---- */

/* Writes the level's words, from CONTROL_LEVEL on. The start of the groups publishes these words. */
static void write_level(struct gws__bfs_hybrid *hybrid)
{
    const uint32_t groups = hybrid->search->options.groups, steals = gws__bfs_steals(hybrid->search, GWS_BFS_STEAL_GPU);
    const uint32_t word[] = {hybrid->level,   hybrid->begin, hybrid->end, hybrid->bottom_up,
                             hybrid->workers, groups,        steals,      STATE_PARTITIONED};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        atomic_store_explicit(&hybrid->control[i], word[i], memory_order_relaxed);
}

static gws_status start_device(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__bfs_hybrid *hybrid = search->own;
    write_level(hybrid);
    if (is_persistent(search) && !hybrid->bottom_up) return gws__flags_start(&hybrid->flags, where);
    gws_status status = gws__flags_end(&hybrid->flags, where);
    const struct gws_device_launch launch = {.kernel = hybrid->bottom_up ? "bfs_bottom_up" : "bfs_top_down",
                                             .groups = search->options.groups};
    return status == GWS_OK ? gws__bfs_device_launch(search, launch, where) : status;
}

static gws_status run_level(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__bfs_hybrid *hybrid = search->own;
    gws_status status = gws__bfs_hybrid_plan(hybrid, where);
    if (status == GWS_OK && hybrid->joined) status = start_device(search, where);
    if (status != GWS_OK) return status;
    if (hybrid->cpu) gws__bfs_hybrid_run(hybrid);
    if (hybrid->joined)
        status =
            hybrid->flags.running ? gws__flags_wait(&hybrid->flags, where) : gws_device_wait(search->device, where);
    gws__bfs_hybrid_advance(hybrid);
    return status;
}

static gws_status run_shared(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__bfs_hybrid *hybrid = search->own;
    struct gws_bfs_result *result = search->result;
    double began = gws_clock_ms();
    gws_status status = GWS_OK;
    gws__bfs_hybrid_begin(hybrid);
    while (status == GWS_OK && hybrid->begin < hybrid->end) status = run_level(search, where);
    result->ms = gws_clock_ms() - began;
    result->reached = hybrid->end;
    result->reached_arcs = search->graph->arcs - hybrid->unexplored;
    gws_status ended = gws__flags_end(&hybrid->flags, status == GWS_OK ? where : NULL);
    return status == GWS_OK ? ended : status;
}

static gws_status fetch_shared(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    (void)where;
    gws__bfs_hybrid_fetch(search->own);
    return GWS_OK;
}

const struct gws__bfs_strategy gws__bfs_shared = {
    .form = GWS_BFS_FORM_SHARED,
    .open = open_shared,
    .close = close_shared,
    .run = run_shared,
    .fetch = fetch_shared,
};
