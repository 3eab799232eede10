/* SPDX-License-Identifier: MIT */
/* Breadth-first search by windows of levels, for graphs whose neighbours are near in memory: meshes, and road networks
 * in a spatial order. Level by level such a graph is walked through from end to end thousands of times, and every
 * visit of a page costs its translation anew. Here the vertices are cut into regions that fit a core's cache and TLB,
 * and a region runs 32 levels at once before it hears of its neighbours: the k-level-asynchronous paradigm
 * (Harshvardhan, Fidel, Amato, Rauchwerger, PACT 2014), which is delta-stepping (Meyer, Sanders, 2003) with unit
 * weights.
 *
 * A task is a region in a round. Whoever runs it, by right or by theft, has it to himself until the barrier: it reads
 * the letters of the other regions, and expands its own vertices by depth. A depth may be corrected later by a letter
 * with a smaller one; then the vertex is expanded again. A window is over when no letter is within it any more, so
 * then its depths are final. Parents stay right: whoever gives a vertex its depth is its parent, and if the parent's
 * depth falls later, so does the vertex's, unless another parent has done as much.
 *
 * Orders: depth of a vertex is written by who has its region only. Others read it (relaxed) to save letters that cannot
 * matter: depths only fall, so an old value costs a letter, no more. All else is handed over at the barrier. */
#include "regions.h"

struct task {
    struct gws__bfs *bfs;
    struct gws__bfs_windows *windows;
    struct gws__bfs_window_desk *me;
    struct gws__bfs_box **outbox;
    uint32_t region;
};

static uint32_t depth_of(const struct gws__bfs *bfs, uint32_t vertex)
{
    return atomic_load_explicit((_Atomic uint32_t *)&bfs->depth[vertex], memory_order_relaxed);
}

/* The region's own vertex was reached at depth. */
static inline void reach(struct task *task, uint32_t vertex, uint32_t parent, uint32_t depth)
{
    struct gws__bfs *bfs = task->bfs;
    if (depth >= depth_of(bfs, vertex)) return;
    atomic_store_explicit((_Atomic uint32_t *)&bfs->depth[vertex], depth, memory_order_relaxed);
    bfs->parent[vertex] = parent;
    uint32_t ahead = depth - task->windows->begin;
    struct gws__bfs_list *list = ahead < bfs_window ? &task->me->bucket[ahead] : &task->windows->pending[task->region];
    if (!gws__bfs_list_add(list, &task->windows->allocator, vertex)) task->me->failed = true;
}

static void write_letter(struct task *task, uint32_t region, struct gws__bfs_letter letter)
{
    struct gws__bfs_box *box = task->outbox[region];
    if (!box || box->count == bfs_box_letters) {
        box = gws__bfs_box_take(&task->me->boxes, &task->windows->allocator);
        if (!box) {
            task->me->failed = true;
            return;
        }
        box->next = task->outbox[region];
        task->outbox[region] = box;
    }
    box->letter[box->count++] = letter;
    if (letter.depth < task->me->least) task->me->least = letter.depth;
}

static void expand(struct task *task, uint32_t vertex, uint32_t depth)
{
    const struct gws_graph *graph = task->bfs->graph;
    uint32_t shift = task->windows->shift;
    for (uint64_t a = graph->offset[vertex], end = graph->offset[vertex + (uint64_t)1]; a < end; a++) {
        uint32_t target = graph->target[a];
        if (target >> shift == task->region)
            reach(task, target, vertex, depth + 1);
        else if (depth + 1 < depth_of(task->bfs, target))
            write_letter(task, target >> shift, (struct gws__bfs_letter){target, vertex, depth + 1});
    }
}

/* Reads what the last round wrote to this region; the empty boxes are the reader's. */
static void read_letters(struct task *task)
{
    struct gws__bfs_windows *windows = task->windows;
    for (uint32_t w = 0; w < windows->workers; w++) {
        struct gws__bfs_box **inbox = &windows->desk[w].outbox[(windows->round - 1) & 1][task->region];
        for (struct gws__bfs_box *box = *inbox, *next; box; box = next) {
            next = box->next;
            for (uint64_t i = 0; i < box->count; i++)
                reach(task, box->letter[i].vertex, box->letter[i].parent, box->letter[i].depth);
            box->next = task->me->boxes.empty;
            task->me->boxes.empty = box;
        }
        *inbox = NULL;
    }
}

/* What the last window left for this one is of depth begin, unless it was corrected since and so has run already. */
static void take_pending(struct task *task)
{
    struct gws__bfs_list *pending = &task->windows->pending[task->region], *bucket = &task->me->bucket[0];
    struct gws__bfs_list swapped = *bucket;
    *bucket = *pending;
    *pending = swapped;
}

static void expand_bucket(struct task *task, uint32_t ahead)
{
    enum { far = 12, near = 6 };
    const struct gws_graph *graph = task->bfs->graph;
    struct gws__bfs_list *bucket = &task->me->bucket[ahead];
    uint32_t depth = task->windows->begin + ahead;
    for (uint64_t i = 0; i < bucket->count; i++) {
        if (i + far < bucket->count) __builtin_prefetch(&graph->offset[bucket->vertex[i + far]]);
        if (i + near < bucket->count) __builtin_prefetch(&graph->target[graph->offset[bucket->vertex[i + near]]]);
        if (depth_of(task->bfs, bucket->vertex[i]) == depth) expand(task, bucket->vertex[i], depth);
    }
    if (bucket->count && depth + 1 > task->me->deepest) task->me->deepest = depth + 1;
    bucket->count = 0;
}

static void run_regions(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__bfs *bfs = context;
    struct gws__bfs_windows *windows = bfs->scratch->windows;
    struct gws__bfs_window_desk *me = &windows->desk[worker];
    if (me->round != windows->round) {
        me->round = windows->round;
        me->least = UINT32_MAX;
    }
    for (uint64_t i = begin; i < end; i++) {
        struct task task = {bfs, windows, me, me->outbox[windows->round & 1], windows->active[i]};
        windows->home[task.region] = worker;
        if (windows->first) take_pending(&task);
        read_letters(&task);
        for (uint32_t ahead = 0; ahead < bfs_window; ahead++) expand_bucket(&task, ahead);
    }
}

static bool is_active(const struct gws__bfs_windows *windows, uint32_t region)
{
    if (windows->first && windows->pending[region].count) return true;
    for (uint32_t w = 0; w < windows->workers; w++)
        if (windows->desk[w].outbox[(windows->round - 1) & 1][region]) return true;
    return false;
}

/* Lists the regions that have something to do, each for the worker who ran it last and has it in his cache: what was
 * stolen once need not be stolen again (affinity scheduling, Markatos and LeBlanc, TPDS 1994). */
static void list_active(struct gws__bfs_windows *windows)
{
    uint32_t found[bfs_most_regions];
    windows->actives = 0;
    for (uint32_t w = 0; w < windows->workers; w++) windows->part[w] = (struct gws_range){0, 0};
    for (uint32_t region = 0; region < windows->regions; region++) {
        if (!is_active(windows, region)) continue;
        found[windows->actives++] = region;
        windows->part[windows->home[region]].end++;
    }
    uint64_t begin = 0;
    for (uint32_t w = 0; w < windows->workers; w++) {
        uint64_t count = windows->part[w].end;
        windows->part[w] = (struct gws_range){begin, begin};
        begin += count;
    }
    for (uint32_t i = 0; i < windows->actives; i++)
        windows->active[windows->part[windows->home[found[i]]].end++] = found[i];
}

/* Looks at the round that is over: is memory short, and is a letter still within the window? */
static gws_status judge(const struct gws__bfs_windows *windows, bool *goes_on)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t w = 0; w < windows->workers; w++) {
        const struct gws__bfs_window_desk *desk = &windows->desk[w];
        if (desk->failed) return GWS_NO_MEMORY;
        if (desk->round == windows->round && desk->least < least) least = desk->least;
    }
    *goes_on = least < windows->begin + bfs_window;
    return GWS_OK;
}

static gws_status run_rounds(struct gws__bfs *bfs)
{
    struct gws__bfs_windows *windows = bfs->scratch->windows;
    for (;;) {
        windows->round++;
        list_active(windows);
        if (windows->actives == 0) return GWS_OK;
        struct gws_loop loop = {.count = windows->actives,
                                .part = windows->part,
                                .chunk = 1,
                                .grain = 1,
                                .body = run_regions,
                                .context = bfs};
        gws_parallel_run(bfs->runtime, &loop);
        bool goes_on;
        gws_status status = judge(windows, &goes_on);
        if (status != GWS_OK) return status;
        windows->first = !goes_on;
        if (!goes_on) windows->begin += bfs_window;
    }
}

static void fill_depths(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__bfs *bfs = context;
    for (uint64_t v = begin; v < end; v++) bfs->depth[v] = GWS_NO_VERTEX;
}

gws_status gws__bfs_by_windows(struct gws__bfs *bfs)
{
    gws_status status = gws__bfs_windows_prepare(bfs);
    if (status != GWS_OK) return status;
    struct gws__bfs_windows *windows = bfs->scratch->windows;
    gws__bfs_aside(bfs, bfs->graph->vertices, 65536, fill_depths);
    uint32_t source = bfs->result->source;
    bfs->depth[source] = 0;
    if (!gws__bfs_list_add(&windows->pending[source >> windows->shift], &windows->allocator, source))
        return GWS_NO_MEMORY;
    status = run_rounds(bfs);
    return status == GWS_OK ? gws__bfs_windows_count(bfs) : status;
}
