/* SPDX-License-Identifier: MIT */
/* Searches from many sources at once (see batch.h). */
#include "batch.h"

#include <string.h>

enum {
    short_list = 1 << 16, /* max arcs of a frontier that one worker pushes while the other workers wait */
    line = 128,
    ahead = 8,
    strip = 8, /* arcs that pull reads between two tests for searches that can still reach the vertex */
};

/* ---- counting bits by position ---- */

static void move_planes(struct gws__batch_counter *counter, uint32_t words)
{
    for (uint32_t p = 0; p < gws__batch_planes && counter->added >> p; p++)
        for (uint32_t w = 0; w < words; w++) {
            uint64_t bits = counter->plane[p][w];
            counter->plane[p][w] = 0;
            for (; bits; bits &= bits - 1) counter->count[64 * w + (uint32_t)__builtin_ctzll(bits)] += UINT64_C(1) << p;
        }
    counter->added = 0;
}

static inline void count_bits(struct gws__batch_counter *counter, const uint64_t *bits, const uint32_t words)
{
    uint64_t carry[gws__batch_words], any = 1;
    for (uint32_t w = 0; w < words; w++) carry[w] = bits[w];
    for (uint32_t p = 0; any; p++) {
        any = 0;
        for (uint32_t w = 0; w < words; w++) {
            uint64_t old = counter->plane[p][w];
            counter->plane[p][w] = old ^ carry[w];
            carry[w] &= old;
            any |= carry[w];
        }
    }
    if (++counter->added == (1u << gws__batch_planes) - 1) move_planes(counter, words);
}

/* Adds up the counters of all workers, and clears them. */
static void collect(struct gws__batch *batch)
{
    memset(batch->count, 0, sizeof batch->count);
    batch->size = batch->arcs = 0;
    for (uint32_t c = 0; c < batch->counters; c++) {
        struct gws__batch_counter *counter = &batch->counter[c];
        move_planes(counter, batch->words);
        for (uint32_t i = 0; counter->vertices && i < 64 * batch->words; i++) {
            batch->count[i] += counter->count[i];
            counter->count[i] = 0;
        }
        batch->size += counter->vertices;
        batch->arcs += counter->arcs;
        counter->vertices = counter->arcs = 0;
    }
}

/* Marks and counts the new bits of a vertex. */
static inline void reach(struct gws__batch *batch, struct gws__batch_counter *counter, uint64_t vertex,
                         const uint64_t *bits, const uint32_t words)
{
    for (uint32_t w = 0; w < words; w++) batch->seen[vertex * words + w] |= bits[w];
    count_bits(counter, bits, words);
    counter->vertices++;
    counter->arcs += gws_graph_degree(batch->graph, (uint32_t)vertex);
}

/* ---- push, on one worker ---- */

static inline void push_row(struct gws__batch *batch, uint32_t from, uint64_t *touched, const uint32_t words)
{
    const uint64_t *front = batch->front + (uint64_t)from * words;
    const uint64_t *offset = batch->graph->offset;
    for (uint64_t arc = offset[from]; arc < offset[from + (uint64_t)1]; arc++) {
        uint64_t to = batch->graph->target[arc], fresh = 0, old = 0;
        uint64_t *next = batch->next + to * words;
        const uint64_t *seen = batch->seen + to * words;
        for (uint32_t w = 0; w < words; w++) {
            uint64_t bits = front[w] & ~seen[w];
            old |= next[w];
            fresh |= bits;
            next[w] |= bits;
        }
        batch->touched[*touched] = (uint32_t)to;
        *touched += fresh && !old;
    }
}

/* Pushes a level. Also clears the old front, because the next level needs an empty bitmap. */
static inline void push(struct gws__batch *batch, const uint32_t words)
{
    uint64_t touched = 0;
    for (uint64_t i = 0; i < batch->size; i++) {
        if (i + 2 * ahead < batch->size) __builtin_prefetch(&batch->graph->offset[batch->list[i + 2 * ahead]]);
        push_row(batch, batch->list[i], &touched, words);
    }
    for (uint64_t i = 0; i < batch->size; i++)
        memset(batch->front + (uint64_t)batch->list[i] * words, 0, words * sizeof *batch->front);
    for (uint64_t i = 0; i < touched; i++)
        reach(batch, batch->counter, batch->touched[i], batch->next + (uint64_t)batch->touched[i] * words, words);
    uint32_t *list = batch->list;
    batch->list = batch->touched;
    batch->touched = list;
}

/* ---- pull, on all workers ---- */

static inline void pull(struct gws__batch *batch, struct gws__batch_counter *counter, uint64_t begin, uint64_t end,
                        const uint32_t words)
{
    const uint64_t *offset = batch->in->offset;
    const uint32_t *target = batch->in->target;
    for (uint64_t v = begin; v < end; v++) {
        const uint64_t *seen = batch->seen + v * words;
        uint64_t found[gws__batch_words] = {0}, missing = 0, fresh = 0;
        for (uint32_t w = 0; w < words; w++) missing |= batch->all[w] & ~seen[w];
        for (uint64_t arc = offset[v], until; missing && arc < offset[v + 1];) {
            for (until = arc + strip < offset[v + 1] ? arc + strip : offset[v + 1]; arc < until; arc++)
                for (uint32_t w = 0; w < words; w++) found[w] |= batch->front[(uint64_t)target[arc] * words + w];
            missing = 0;
            for (uint32_t w = 0; w < words; w++) missing |= batch->all[w] & ~(seen[w] | found[w]);
        }
        for (uint32_t w = 0; w < words; w++) {
            found[w] &= ~seen[w];
            fresh |= found[w];
            batch->next[v * words + w] = found[w];
        }
        if (fresh) reach(batch, counter, v, found, words);
    }
}

static void pull_range(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__batch *batch = context;
    struct gws__batch_counter *counter = &batch->counter[batch->serial ? 0 : worker];
    if (batch->words == 1)
        pull(batch, counter, begin, end, 1);
    else
        pull(batch, counter, begin, end, gws__batch_words);
}

static void clear_next(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__batch *batch = context;
    memset(batch->next + begin * batch->words, 0, (end - begin) * batch->words * sizeof *batch->next);
}

static void run(struct gws__batch *batch, gws_body *body)
{
    struct gws_loop loop = {.count = batch->graph->vertices, .grain = 1024, .body = body, .context = batch};
    loop.uncounted = body != pull_range;
    if (batch->serial)
        body(batch, 0, 0, loop.count);
    else if (gws_parallel_try(batch->runtime, &loop) != GWS_OK)
        return; /* the next gws__batch_advance() ends the batch, and the caller asks gws_cancelled() */
}

/* Lists the frontier from its bits. relaxed: the add alone makes the reserved range unique. */
static void list_front(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__batch *batch = context;
    for (uint64_t v = begin; v < end; v++) {
        uint64_t any = 0;
        for (uint32_t w = 0; w < batch->words; w++) any |= batch->front[v * batch->words + w];
        if (any) batch->list[atomic_fetch_add_explicit(&batch->tail, 1, memory_order_relaxed)] = (uint32_t)v;
    }
    clear_next(context, worker, begin, end);
}

/* ---- a level ---- */

static bool pushes(const struct gws__batch *batch)
{
    return batch->size <= batch->limit && batch->arcs <= batch->limit;
}

bool gws__batch_advance(struct gws__batch *batch)
{
    bool by_push = pushes(batch);
    if (batch->size == 0 || gws_cancelled(batch->runtime)) return false;
    if (by_push && !batch->listed) {
        atomic_store(&batch->tail, 0);
        run(batch, list_front);
    }
    if (by_push && batch->words == 1)
        push(batch, 1);
    else if (by_push)
        push(batch, gws__batch_words);
    else
        run(batch, pull_range);
    batch->listed = by_push;
    uint64_t *front = batch->front;
    batch->front = batch->next;
    batch->next = front;
    batch->level++;
    collect(batch);
    return batch->size > 0;
}

static void clear_all(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__batch *batch = context;
    uint64_t bytes = (end - begin) * batch->words * sizeof *batch->front;
    memset(batch->seen + begin * batch->words, 0, bytes);
    memset(batch->front + begin * batch->words, 0, bytes);
    clear_next(context, worker, begin, end);
}

void gws__batch_start(struct gws__batch *batch, const uint32_t *source, uint32_t count)
{
    batch->sources = count;
    batch->level = 0;
    batch->size = 0;
    run(batch, clear_all);
    memset(batch->all, 0, sizeof batch->all);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t *front = batch->front + (uint64_t)source[i] * batch->words, any = 0;
        for (uint32_t w = 0; w < batch->words; w++) any |= front[w];
        if (!any) batch->list[batch->size++] = source[i];
        front[i / 64] |= UINT64_C(1) << i % 64;
        batch->all[i / 64] |= UINT64_C(1) << i % 64;
    }
    for (uint64_t i = 0; i < batch->size; i++)
        reach(batch, batch->counter, batch->list[i], batch->front + (uint64_t)batch->list[i] * batch->words,
              batch->words);
    batch->listed = true;
    collect(batch);
}

/* ---- memory, in one allocation ---- */

static uint64_t limit_of(const struct gws_graph *graph, bool serial)
{
    uint64_t limit = serial ? graph->vertices : short_list;
    return limit < gws__batch_max ? gws__batch_max : limit;
}

static uint64_t bytes_for(const struct gws_graph *graph, uint32_t words, uint32_t counters, uint64_t limit)
{
    return 2 * line + counters * sizeof(struct gws__batch_counter) + 3 * graph->vertices * words * sizeof(uint64_t) +
           2 * (limit + 1) * sizeof(uint32_t);
}

uint64_t gws__batch_bytes(const struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t words, bool serial)
{
    return bytes_for(graph, words, serial ? 1 : gws_runtime_workers(runtime), limit_of(graph, serial));
}

gws_status gws__batch_open(struct gws_runtime *runtime, const struct gws_graph *graph, const struct gws_graph *in,
                           uint32_t words, bool serial, struct gws__batch *batch)
{
    uint32_t counters = serial ? 1 : gws_runtime_workers(runtime);
    *batch = (struct gws__batch){.runtime = runtime, .graph = graph, .in = in, .serial = serial, .words = words};
    batch->limit = limit_of(graph, serial);
    batch->bytes = bytes_for(graph, words, counters, batch->limit);
    batch->memory = gws_allocate(runtime, batch->bytes, 1);
    if (!batch->memory) return GWS_NO_MEMORY;
    batch->counter = (void *)((char *)batch->memory + (line - (uintptr_t)batch->memory % line));
    batch->counters = counters;
    memset(batch->counter, 0, counters * sizeof *batch->counter);
    batch->seen = (uint64_t *)(void *)(batch->counter + counters);
    batch->front = batch->seen + graph->vertices * words;
    batch->next = batch->front + graph->vertices * words;
    batch->list = (uint32_t *)(void *)(batch->next + graph->vertices * words);
    batch->touched = batch->list + batch->limit + 1;
    return GWS_OK;
}

void gws__batch_close(struct gws__batch *batch)
{
    if (batch->memory) gws_release(batch->runtime, batch->memory, batch->bytes, 1);
    *batch = (struct gws__batch){0};
}
