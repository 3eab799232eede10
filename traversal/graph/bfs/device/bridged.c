/* SPDX-License-Identifier: MIT */
/* Groups and CPU workers where device and host share no atomics; kernels/bfs/bfs_bridged.cl has the device's side.
 *
 * All deques are the host's. The caller is the device's agent: whenever the device has nothing to do, it takes a batch
 * of chunks for it, out of the groups' own deques, and when these are empty by stealing from CPU workers'; a kernel
 * runs just these. CPU workers steal from the groups' deques what the agent has not taken yet, so chunks go over both
 * ways. The agent takes half of what is left each time, so that something stays to be stolen, and looks after the
 * device between two chunks that it runs itself.
 *
 * Both sides hold the graph and know what was visited. At the end of a level that the device joined, what it found is
 * fetched, and what the host has not found as well is added to its list. Other levels are the CPU's without any
 * exchange; the device gets what it missed when it joins again. So the host holds the whole result. */
#include <string.h>

#include "hybrid.h"

enum {
    range_room = 16384, /* chunks in a batch */
    piece = 1 << 18,    /* vertices fetched at once */
    control_tail = 32,
    all_at_once = 1 << 30
};

struct bridged {
    struct gws__bfs_sides sides;
    _Atomic uint32_t tail;
    _Atomic uint64_t found;
    _Atomic uint64_t *queue;
    uint64_t *stats;
    struct gws_device_buffer *ranges, *parents; /* on the device */
    uint32_t *range;                            /* two words for each of a batch */
    uint32_t *fetched;                          /* a piece of vertices, then one of their parents */
    /* Of the search. */
    bool fresh;     /* the device's arrays are cleared */
    uint32_t known; /* list[0 .. known - 1] was brought to the device */
    /* Of the level. */
    uint32_t share;    /* chunks of a group in the next batch */
    bool busy;         /* a batch runs */
    gws_status status; /* the first error */
    struct gws_where *where;
};

/* ---- opening ---- */

static gws_status open_host(struct gws_bfs_device *search, struct bridged *bridged, struct gws_where *where)
{
    uint64_t workers = search->workers;
    bridged->queue = gws_allocate(search->runtime, workers * bfs_queue_words, 8);
    bridged->stats = gws_allocate(search->runtime, workers * bfs_stats_words, 8);
    bridged->range = gws_allocate(search->runtime, range_room, 8);
    bridged->fetched = gws_allocate(search->runtime, piece, 8);
    if (!bridged->queue || !bridged->stats || !bridged->range || !bridged->fetched)
        return gws__bfs_device_no_memory(where);
    memset(bridged->queue, 0, workers * bfs_queue_words * 8);
    bridged->sides.tail = &bridged->tail;
    bridged->sides.found = &bridged->found;
    bridged->sides.queue = bridged->queue;
    bridged->sides.stats = bridged->stats;
    return gws__bfs_sides_open(search, &bridged->sides, where);
}

static gws_status open_device(struct gws_bfs_device *search, struct bridged *bridged, struct gws_where *where)
{
    gws_status status = gws__bfs_device_program(search, "", where);
    if (status == GWS_OK) status = gws__bfs_device_graph(search, where);
    if (status == GWS_OK) status = gws__bfs_device_arrays(search, where);
    if (status == GWS_OK) status = gws_device_buffer_new(search->device, range_room * 8, &bridged->ranges, where);
    if (status == GWS_OK)
        status = gws_device_buffer_new(search->device, search->graph->vertices * 4, &bridged->parents, where);
    return status;
}

static gws_status open_bridged(struct gws_bfs_device *search, struct gws_where *where)
{
    struct bridged *bridged = gws_allocate(search->runtime, 1, sizeof *bridged);
    if (!bridged) return gws__bfs_device_no_memory(where);
    *bridged = (struct bridged){.status = GWS_OK};
    search->own = bridged;
    gws_status status = open_host(search, bridged, where);
    return status == GWS_OK ? open_device(search, bridged, where) : status;
}

static void close_bridged(struct gws_bfs_device *search)
{
    struct bridged *bridged = search->own;
    if (!bridged) return;
    gws_device_buffer_free(bridged->ranges);
    gws_device_buffer_free(bridged->parents);
    gws_release(search->runtime, bridged->queue, (uint64_t)search->workers * bfs_queue_words, 8);
    gws_release(search->runtime, bridged->stats, (uint64_t)search->workers * bfs_stats_words, 8);
    gws_release(search->runtime, bridged->range, range_room, 8);
    gws_release(search->runtime, bridged->fetched, piece, 8);
    gws__bfs_sides_close(&bridged->sides);
    gws_release(search->runtime, bridged, 1, sizeof *bridged);
}

/* ---- the agent ---- */

static bool is_robbed(const struct gws_bfs_device *search)
{
    bool open = search->options.steal == GWS_BFS_STEAL_ALL || search->options.steal == GWS_BFS_STEAL_CPU;
    return open && (search->container == gws__bfs_chunked || search->container == gws__bfs_abp);
}

/* How many chunks of each group to take first: all that nobody else may take; of a shared cursor one by one; else half
 * of a group's part. */
static uint32_t first_share(const struct bridged *bridged)
{
    const struct gws__bfs_sides *sides = &bridged->sides;
    const struct gws_bfs_device *search = sides->search;
    if (!gws__bfs_sides_cpu(sides)) return all_at_once;
    if (search->container == gws__bfs_cursor) return 1;
    if (!is_robbed(search)) return all_at_once;
    return (uint32_t)(sides->count / sides->chunk / gws__bfs_sides_workers(sides) / 2 + 1);
}

/* Takes up to `most` chunks for each group into the batch, which has count; returns how many it has then. */
static uint32_t take_batch(struct bridged *bridged, uint32_t count, uint32_t most, bool steals)
{
    struct gws__bfs_sides *sides = &bridged->sides;
    const struct gws_bfs_device *search = sides->search;
    const struct gws__queue_calls *queue = &sides->call->queue[search->container];
    uint32_t base = sides->bottom_up ? 0 : sides->begin, groups = search->options.groups;
    for (uint32_t g = 0; g < groups; g++)
        for (uint32_t taken = 0; taken < most && count < range_room; taken++) {
            uint64_t range[2];
            queue->take(bridged->queue, bridged->stats + (uint64_t)g * bfs_stats_words, g,
                        gws__bfs_sides_workers(sides), groups, steals, range);
            if (range[0] == range[1]) break;
            bridged->range[2 * count] = base + (uint32_t)range[0];
            bridged->range[2 * count + 1] = base + (uint32_t)range[1];
            count++;
        }
    return count;
}

static gws_status start_batch(struct bridged *bridged, uint32_t count)
{
    struct gws__bfs_sides *sides = &bridged->sides;
    struct gws_bfs_device *search = sides->search;
    struct gws__bfs_more more = {.count = 0};
    gws_status status = gws_device_write(bridged->ranges, 0, bridged->range, (uint64_t)count * 8, bridged->where);
    if (status != GWS_OK) return status;
    gws__bfs_more_buffer(&more, bridged->ranges);
    gws__bfs_more_word(&more, &count);
    gws__bfs_more_word(&more, &sides->level);
    uint32_t groups = count < search->options.groups ? count : search->options.groups;
    const char *kernel = sides->bottom_up ? "bfs_ranges_up" : "bfs_ranges_down";
    return gws__bfs_device_launch(search, kernel, groups, &more, bridged->where);
}

/* A new batch for the device, which has nothing to do; busy tells whether there was any. */
static void give_batch(struct bridged *bridged)
{
    const struct gws_bfs_device *search = bridged->sides.search;
    bool stealing = search->container == gws__bfs_chunked || search->container == gws__bfs_abp;
    stealing &= search->options.steal == GWS_BFS_STEAL_ALL || search->options.steal == GWS_BFS_STEAL_GPU;
    uint32_t count = take_batch(bridged, 0, bridged->share, false);
    if (count == 0 && stealing) count = take_batch(bridged, 0, 1, true);
    bridged->share = bridged->share > 1 && bridged->share < all_at_once ? (bridged->share + 1) / 2 : bridged->share;
    if (count == 0) return;
    bridged->status = start_batch(bridged, count);
    bridged->busy = bridged->status == GWS_OK;
}

/* Between two chunks of the caller's own. */
static void attend(void *context)
{
    struct bridged *bridged = context;
    bool done = true;
    if (bridged->status != GWS_OK) return;
    if (bridged->busy) bridged->status = gws_device_poll(bridged->sides.search->device, &done, bridged->where);
    if (bridged->status != GWS_OK || !done) return;
    bridged->busy = false;
    give_batch(bridged);
}

/* When the caller has nothing else to do: until the device's side of the level is done. */
static void attend_alone(struct bridged *bridged)
{
    while (bridged->status == GWS_OK) {
        if (bridged->busy) bridged->status = gws_device_wait(bridged->sides.search->device, bridged->where);
        bridged->busy = false;
        if (bridged->status == GWS_OK) give_batch(bridged);
        if (!bridged->busy) return;
    }
}

/* ---- what crosses between levels ---- */

static gws_status clear_device(struct gws_bfs_device *search, struct gws_where *where)
{
    uint64_t vertices = search->graph->vertices;
    gws_status status = gws_device_fill(search->array[gws__bfs_depth], 0, GWS_NO_VERTEX, vertices, where);
    if (status != GWS_OK) return status;
    return gws_device_fill(search->array[gws__bfs_visited], 0, 0, (vertices + 31) / 32, where);
}

/* Tells the device what it does not know of the list, and begins the level there. */
static gws_status teach(struct bridged *bridged)
{
    struct gws__bfs_sides *sides = &bridged->sides;
    struct gws_bfs_device *search = sides->search;
    gws_status status = bridged->fresh ? GWS_OK : clear_device(search, bridged->where);
    bridged->fresh = true;
    uint32_t from = bridged->known;
    if (status == GWS_OK)
        status = gws_device_write(search->array[gws__bfs_list], (uint64_t)from * 4, sides->list + from,
                                  (uint64_t)(sides->end - from) * 4, bridged->where);
    if (status != GWS_OK) return status;
    bridged->known = sides->end;
    struct gws__bfs_more more = {.count = 0};
    gws__bfs_more_word(&more, &from);
    gws__bfs_more_word(&more, &sides->begin);
    gws__bfs_more_word(&more, &sides->end);
    gws__bfs_more_word(&more, &sides->level);
    return gws__bfs_device_launch(search, "bfs_learn", search->options.groups, &more, bridged->where);
}

static void merge(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct bridged *bridged = context;
    struct gws__bfs_sides *sides = &bridged->sides;
    const uint32_t *vertex = bridged->fetched, *parent = bridged->fetched + piece;
    sides->call->merge(sides, &sides->hand[worker], vertex + begin, parent + begin, end - begin);
}

static void merge_finish(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)begin;
    (void)end;
    struct gws__bfs_sides *sides = &((struct bridged *)context)->sides;
    sides->call->flush(sides, &sides->hand[worker]);
}

/* Fetches count vertices that the device found, from place `from` of its list, and adds them to the host's. */
static gws_status learn_piece(struct bridged *bridged, uint64_t from, uint64_t count)
{
    struct gws_bfs_device *search = bridged->sides.search;
    uint64_t end = bridged->sides.end;
    gws_status status =
        gws_device_read(search->array[gws__bfs_list], from * 4, bridged->fetched, count * 4, bridged->where);
    if (status == GWS_OK)
        status =
            gws_device_read(bridged->parents, (from - end) * 4, bridged->fetched + piece, count * 4, bridged->where);
    if (status != GWS_OK) return status;
    struct gws_loop loop = {
        .count = count, .grain = 4096, .body = merge, .finish = merge_finish, .context = bridged, .aside = true};
    gws_parallel_run(search->runtime, &loop);
    return GWS_OK;
}

static gws_status learn(struct bridged *bridged)
{
    struct gws__bfs_sides *sides = &bridged->sides;
    struct gws_bfs_device *search = sides->search;
    struct gws__bfs_more more = {.count = 0};
    uint32_t tail = 0;
    gws__bfs_more_buffer(&more, bridged->parents);
    gws__bfs_more_word(&more, &sides->end);
    gws_status status = gws__bfs_device_launch(search, "bfs_parents", search->options.groups, &more, bridged->where);
    if (status == GWS_OK)
        status = gws_device_read(search->array[gws__bfs_control], control_tail * 4, &tail, 4, bridged->where);
    for (uint64_t from = sides->end; status == GWS_OK && from < tail; from += piece)
        status = learn_piece(bridged, from, tail - from < piece ? tail - from : piece);
    return status;
}

/* ---- a search ---- */

static gws_status run_joined(struct bridged *bridged)
{
    struct gws__bfs_sides *sides = &bridged->sides;
    bridged->status = teach(bridged);
    if (bridged->status != GWS_OK) return bridged->status;
    bridged->share = first_share(bridged);
    sides->attend = attend;
    sides->context = bridged;
    attend(bridged);
    if (gws__bfs_sides_cpu(sides)) gws__bfs_sides_run(sides);
    sides->attend = NULL;
    attend_alone(bridged);
    return bridged->status == GWS_OK ? learn(bridged) : bridged->status;
}

static gws_status run_level(struct bridged *bridged)
{
    struct gws__bfs_sides *sides = &bridged->sides;
    gws_status status = gws__bfs_sides_plan(sides, bridged->where);
    if (status != GWS_OK) return status;
    gws__bfs_sides_cut(sides);
    if (sides->joined)
        status = run_joined(bridged);
    else
        gws__bfs_sides_run(sides);
    gws__bfs_sides_advance(sides);
    return status;
}

/* The host's arrays are the result's own. */
static void bind(struct bridged *bridged, struct gws_bfs_result *result)
{
    struct gws__bfs_sides *sides = &bridged->sides;
    sides->depth = (_Atomic uint32_t *)result->depth;
    sides->parent = (_Atomic uint32_t *)result->parent;
    sides->visited = (_Atomic uint32_t *)result->scratch->memory->bitmap;
    sides->list = result->scratch->memory->queue;
}

static gws_status run_bridged(struct gws_bfs_device *search, struct gws_where *where)
{
    struct bridged *bridged = search->own;
    struct gws__bfs_sides *sides = &bridged->sides;
    gws_status status = GWS_OK;
    double began = gws_clock_ms();
    bind(bridged, search->result);
    bridged->fresh = bridged->busy = false;
    bridged->known = 0;
    bridged->where = where;
    gws__bfs_sides_begin(sides);
    while (status == GWS_OK && sides->begin < sides->end) status = run_level(bridged);
    search->result->ms = gws_clock_ms() - began;
    gws__bfs_sides_finish(sides);
    return status;
}

static gws_status fetch_bridged(struct gws_bfs_device *search, struct gws_where *where)
{
    (void)where;
    gws__bfs_sides_fetch_stats(&((struct bridged *)search->own)->sides);
    return GWS_OK;
}

const struct gws__bfs_way gws__bfs_device_bridged = {
    .form = "bridged",
    .open = open_bridged,
    .close = close_bridged,
    .run = run_bridged,
    .fetch = fetch_bridged,
    .poison = gws__bfs_device_poison_arrays,
};
