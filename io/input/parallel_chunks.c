/* SPDX-License-Identifier: MIT */
/* Runs over the chunks of an input in parallel. Workers share one lock around the input and a short queue of chunks.
 * Any worker may fetch the next chunk from the input (`fetching`), so any number of workers, even one, can finish the
 * run. Inflating, the slowest step, is part of fetching a chunk of a stream. So a worker fetches while the queue has
 * capacity, and reads chunks otherwise. A chunk of a file depends only on its range, so a worker takes the next range
 * and reads the chunk itself. */
#include "../ranks/ranks.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

struct chunk_run {
    struct gws__input *input;
    struct gws__input view; /* the input at the start, which each worker copies with its own `where` */
    gws__chunk_body *body;
    void *context;
    pthread_mutex_t lock;   /* protects everything below, and the input while no worker is fetching */
    pthread_cond_t changed; /* signals that a worker has queued a chunk or ended fetching */
    struct gws__chunk *queue;
    uint32_t capacity, first, queued; /* queue is a ring buffer of capacity chunks */
    struct gws__buffer *returned;     /* buffers that the next fetch reuses */
    bool fetching, over;
    gws_status status;
    uint64_t failed; /* the chunk that status belongs to */
    uint64_t end;    /* files: the range after the last one to read */
    struct gws_diagnostic where;
};

/* Records the failure of the first chunk in input order. The caller holds the lock. */
static void record_failure(struct chunk_run *run, uint64_t index, gws_status status, const struct gws_diagnostic *where)
{
    if (status == GWS_OK) return;
    run->over = true;
    if (run->status != GWS_OK && run->failed <= index) return;
    run->status = status;
    run->failed = index;
    run->where = *where;
}

static void reuse_buffers(struct chunk_run *run)
{
    while (run->returned) {
        struct gws__chunk chunk = {.buffer = run->returned};
        run->returned = chunk.buffer->next;
        gws__input_release(run->input, &chunk);
    }
}

/* Returns the queue index of the i-th queued chunk, i below capacity. */
static uint32_t queue_index(const struct chunk_run *run, uint32_t i)
{
    return i < run->capacity - run->first ? run->first + i : i - (run->capacity - run->first);
}

static void fetch(struct chunk_run *run)
{
    struct gws__chunk chunk = {0};
    struct gws_diagnostic where = {0}, *saved = run->input->where;
    run->input->where = &where;
    run->fetching = true;
    reuse_buffers(run);
    pthread_mutex_unlock(&run->lock);
    gws_status status = gws__input_next(run->input, &chunk);
    pthread_mutex_lock(&run->lock);
    run->fetching = false;
    run->input->where = saved;
    if (status != GWS_OK)
        record_failure(run, run->input->chunks, status, &where);
    else if (!chunk.text)
        run->over = true;
    else
        run->queue[queue_index(run, run->queued++)] = chunk;
    pthread_cond_broadcast(&run->changed);
}

static void read_one(struct chunk_run *run, uint32_t worker, const struct gws__input *view)
{
    struct gws__chunk chunk = run->queue[run->first];
    run->first = queue_index(run, 1);
    run->queued--;
    if (run->status == GWS_OK || chunk.index < run->failed) {
        pthread_mutex_unlock(&run->lock);
        *view->where = (struct gws_diagnostic){0};
        chunk.input = view;
        gws_status status = run->body(run->context, worker, &chunk);
        pthread_mutex_lock(&run->lock);
        record_failure(run, chunk.index, status, view->where);
    }
    chunk.buffer->next = run->returned;
    run->returned = chunk.buffer;
}

/* ---- files ---- */

/* Takes the chunk that contains the header, or the next range. */
static bool take_range(struct chunk_run *run, struct gws__chunk *chunk, struct gws__buffer **buffer, uint64_t *range)
{
    struct gws__input *input = run->input;
    if (input->chunk.text) return gws__input_next(input, chunk) == GWS_OK;
    if (input->range >= run->end) return false;
    *range = input->range++;
    *buffer = run->returned;
    if (*buffer) run->returned = (*buffer)->next;
    return true;
}

/* Takes a range and reads its chunk. The caller holds the lock before and after the call. Returns false when no range
 * is left. */
static bool read_range(struct chunk_run *run, uint32_t worker, const struct gws__input *view)
{
    struct gws__chunk chunk = {0};
    struct gws__buffer *buffer = NULL;
    uint64_t range = 0;
    gws_status status = gws_cancelled(run->input->runtime) ? GWS_CANCELLED : GWS_OK;
    if (run->over || !take_range(run, &chunk, &buffer, &range)) return false;
    const bool header = chunk.text != NULL;
    *view->where = (struct gws_diagnostic){0};
    if (header) {
        buffer = chunk.buffer;
        range = chunk.index;
    }
    pthread_mutex_unlock(&run->lock);
    if (status != GWS_OK) gws_diagnostic_status(view->where, status);
    if (!header && status == GWS_OK) status = gws__input_read_range(view, range, &buffer, &chunk);
    chunk.input = view;
    if (status == GWS_OK && chunk.text) status = run->body(run->context, worker, &chunk);
    pthread_mutex_lock(&run->lock);
    record_failure(run, range, status, view->where);
    if (chunk.text) gws__input_progress(run->input, &chunk);
    if (!buffer) return true;
    buffer->next = run->returned;
    run->returned = buffer;
    return true;
}

static void work(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct chunk_run *run = context;
    struct gws_diagnostic where;
    struct gws__input view = run->view;
    view.where = &where;
    (void)begin, (void)end;
    pthread_mutex_lock(&run->lock);
    while (run->input->file && read_range(run, worker, &view)) continue;
    while (!run->input->file) {
        bool may_take = !run->fetching && !run->over && run->queued < run->capacity;
        if (may_take && (run->queued == 0 || run->capacity > 1))
            fetch(run);
        else if (run->queued > 0)
            read_one(run, worker, &view);
        else if (run->fetching)
            pthread_cond_wait(&run->changed, &run->lock);
        else
            break;
    }
    pthread_mutex_unlock(&run->lock);
}

/* Returns the number of workers that the input's size justifies. */
static uint32_t workers_for(const struct gws__input *input)
{
    uint32_t workers = gws_runtime_workers(input->runtime);
    uint64_t chunks = input->total / (input->inflater ? input->chunk_size / 8 : input->chunk_size) + 1;
    return input->total > 0 && chunks < workers ? (uint32_t)chunks : workers;
}

gws_status gws__chunks_run_to(struct gws__input *input, uint64_t end, gws__chunk_body *body, void *context,
                              uint64_t *failed)
{
    uint32_t workers = workers_for(input);
    struct chunk_run run = {.input = input, .view = *input, .body = body, .context = context, .end = end};
    *failed = input->range;
    run.capacity = !input->file && workers > 1 ? 2 * workers : 1;
    run.queue = gws_allocate(input->runtime, run.capacity, sizeof *run.queue);
    if (!run.queue) return GWS_NO_MEMORY;
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.changed, NULL);
    struct gws_loop loop = {.count = workers, .chunk = 1, .grain = 1, .body = work, .context = &run};
    gws_parallel_run(input->runtime, &loop);
    reuse_buffers(&run);
    if (input->file) input->offset = input->total;
    pthread_cond_destroy(&run.changed);
    pthread_mutex_destroy(&run.lock);
    gws_release(input->runtime, run.queue, run.capacity, sizeof *run.queue);
    if (run.status != GWS_OK && input->where) *input->where = run.where;
    *failed = run.failed;
    return run.status;
}

gws_status gws__chunks_run(struct gws__input *input, gws__chunk_body *body, void *context)
{
    uint64_t failed;
    if (input->ranks) return gws__read_ranks_chunks(input, body, context);
    return gws__chunks_run_to(input, input->file ? gws__input_ranges(input) : 0, body, context, &failed);
}

gws_status gws__chunk_fail(const struct gws__chunk *chunk, const char *at, gws_status status, const char *format, ...)
{
    char message[sizeof chunk->input->where->message];
    const char *start = at;
    va_list rest;
    va_start(rest, format);
    vsnprintf(message, sizeof message, format, rest);
    va_end(rest);
    while (start > chunk->text && start[-1] != '\n') start--;
    const struct gws__input *input = chunk->input;
    uint64_t before = input->file ? gws__file_lines(input, chunk->offset) : chunk->lines;
    uint64_t line = before + gws__count_lines(chunk->text, at) + 1, column = (uint64_t)(at - start) + 1;
    return gws__input_fail(input, status, line, column, "%s", message);
}
