/* SPDX-License-Identifier: MIT */
/* Workers share one lock around the input and a short queue of chunks. Any worker may fetch the next chunk from the
 * input (`fetching`), so any subset of the workers can finish the run, even one. Fetching a chunk of a stream includes
 * inflating it, which takes longest, so a worker fetches while the queue has capacity, and reads chunks otherwise.
 * Chunks of a file depend only on their range, so a worker takes the next range and reads its chunk itself. */
#include "input.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

struct chunk_run {
    struct gws__input *input;
    struct gws__input view; /* the input at the start; each worker has a copy with its own where */
    gws__chunk_body *body;
    void *context;
    pthread_mutex_t lock;   /* protects everything below, and the input while no worker is fetching */
    pthread_cond_t changed; /* a chunk was queued, or fetching ended */
    struct gws__chunk *queue;
    uint32_t capacity, first, queued; /* queue is a ring buffer of capacity chunks */
    struct gws__buffer *returned;     /* reused by the next fetch */
    bool fetching, over;
    gws_status status;
    uint64_t failed; /* the chunk that status belongs to */
    struct gws_diagnostic where;
};

/* Records the failure of the first chunk in input order. The caller holds the lock. */
static void record_failure(struct chunk_run *chunk_run, uint64_t index, gws_status status,
                           const struct gws_diagnostic *where)
{
    if (status == GWS_OK) return;
    chunk_run->over = true;
    if (chunk_run->status != GWS_OK && chunk_run->failed <= index) return;
    chunk_run->status = status;
    chunk_run->failed = index;
    chunk_run->where = *where;
}

static void reuse_buffers(struct chunk_run *chunk_run)
{
    while (chunk_run->returned) {
        struct gws__chunk chunk = {.buffer = chunk_run->returned};
        chunk_run->returned = chunk.buffer->next;
        gws__input_release(chunk_run->input, &chunk);
    }
}

/* The index of the i-th queued chunk, i below capacity. */
static uint32_t queue_index(const struct chunk_run *chunk_run, uint32_t i)
{
    return i < chunk_run->capacity - chunk_run->first ? chunk_run->first + i
                                                      : i - (chunk_run->capacity - chunk_run->first);
}

static void fetch(struct chunk_run *chunk_run)
{
    struct gws__chunk chunk = {0};
    struct gws_diagnostic where = {0}, *saved = chunk_run->input->where;
    chunk_run->input->where = &where;
    chunk_run->fetching = true;
    reuse_buffers(chunk_run);
    pthread_mutex_unlock(&chunk_run->lock);
    gws_status status = gws__input_next(chunk_run->input, &chunk);
    pthread_mutex_lock(&chunk_run->lock);
    chunk_run->fetching = false;
    chunk_run->input->where = saved;
    if (status != GWS_OK)
        record_failure(chunk_run, chunk_run->input->chunks, status, &where);
    else if (!chunk.text)
        chunk_run->over = true;
    else
        chunk_run->queue[queue_index(chunk_run, chunk_run->queued++)] = chunk;
    pthread_cond_broadcast(&chunk_run->changed);
}

static void read_one(struct chunk_run *chunk_run, uint32_t worker, const struct gws__input *view)
{
    struct gws__chunk chunk = chunk_run->queue[chunk_run->first];
    chunk_run->first = queue_index(chunk_run, 1);
    chunk_run->queued--;
    if (chunk_run->status == GWS_OK || chunk.index < chunk_run->failed) {
        pthread_mutex_unlock(&chunk_run->lock);
        *view->where = (struct gws_diagnostic){0};
        chunk.input = view;
        gws_status status = chunk_run->body(chunk_run->context, worker, &chunk);
        pthread_mutex_lock(&chunk_run->lock);
        record_failure(chunk_run, chunk.index, status, view->where);
    }
    chunk.buffer->next = chunk_run->returned;
    chunk_run->returned = chunk.buffer;
}

/* ---- files ---- */

/* Takes the chunk that contains the header, or the next range. */
static bool take_range(struct chunk_run *chunk_run, struct gws__chunk *chunk, struct gws__buffer **buffer,
                       uint64_t *range)
{
    struct gws__input *input = chunk_run->input;
    if (input->chunk.text) return gws__input_next(input, chunk) == GWS_OK;
    if (input->range == gws__input_ranges(input)) return false;
    *range = input->range++;
    *buffer = chunk_run->returned;
    if (*buffer) chunk_run->returned = (*buffer)->next;
    return true;
}

/* Takes a range and reads its chunk. The caller holds the lock, also on return. False when no range is left. */
static bool read_range(struct chunk_run *chunk_run, uint32_t worker, const struct gws__input *view)
{
    struct gws__chunk chunk = {0};
    struct gws__buffer *buffer = NULL;
    uint64_t range = 0;
    gws_status status = GWS_OK;
    if (chunk_run->over || !take_range(chunk_run, &chunk, &buffer, &range)) return false;
    const bool header = chunk.text != NULL;
    *view->where = (struct gws_diagnostic){0};
    if (header) {
        buffer = chunk.buffer;
        range = chunk.index;
    }
    pthread_mutex_unlock(&chunk_run->lock);
    if (!header) status = gws__input_read_range(view, range, &buffer, &chunk);
    chunk.input = view;
    if (status == GWS_OK && chunk.text) status = chunk_run->body(chunk_run->context, worker, &chunk);
    pthread_mutex_lock(&chunk_run->lock);
    record_failure(chunk_run, range, status, view->where);
    if (chunk.text) gws__input_progress(chunk_run->input, &chunk);
    if (!buffer) return true;
    buffer->next = chunk_run->returned;
    chunk_run->returned = buffer;
    return true;
}

static void work(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct chunk_run *chunk_run = context;
    struct gws_diagnostic where;
    struct gws__input view = chunk_run->view;
    view.where = &where;
    (void)begin, (void)end;
    pthread_mutex_lock(&chunk_run->lock);
    while (chunk_run->input->file && read_range(chunk_run, worker, &view)) continue;
    while (!chunk_run->input->file) {
        bool may_take = !chunk_run->fetching && !chunk_run->over && chunk_run->queued < chunk_run->capacity;
        if (may_take && (chunk_run->queued == 0 || chunk_run->capacity > 1))
            fetch(chunk_run);
        else if (chunk_run->queued > 0)
            read_one(chunk_run, worker, &view);
        else if (chunk_run->fetching)
            pthread_cond_wait(&chunk_run->changed, &chunk_run->lock);
        else
            break;
    }
    pthread_mutex_unlock(&chunk_run->lock);
}

/* The number of workers that the input's size justifies. */
static uint32_t workers_for(const struct gws__input *input)
{
    uint32_t workers = gws_runtime_workers(input->runtime);
    uint64_t chunks = input->total / (input->inflater ? input->chunk_size / 8 : input->chunk_size) + 1;
    return input->total > 0 && chunks < workers ? (uint32_t)chunks : workers;
}

gws_status gws__chunks_run(struct gws__input *input, gws__chunk_body *body, void *context)
{
    uint32_t workers = workers_for(input);
    struct chunk_run chunk_run = {.input = input, .view = *input, .body = body, .context = context};
    chunk_run.capacity = !input->file && workers > 1 ? 2 * workers : 1;
    chunk_run.queue = gws_allocate(input->runtime, chunk_run.capacity, sizeof *chunk_run.queue);
    if (!chunk_run.queue) return GWS_NO_MEMORY;
    pthread_mutex_init(&chunk_run.lock, NULL);
    pthread_cond_init(&chunk_run.changed, NULL);
    struct gws_loop loop = {.count = workers, .chunk = 1, .grain = 1, .body = work, .context = &chunk_run};
    gws_parallel_run(input->runtime, &loop);
    reuse_buffers(&chunk_run);
    if (input->file) input->offset = input->total;
    pthread_cond_destroy(&chunk_run.changed);
    pthread_mutex_destroy(&chunk_run.lock);
    gws_release(input->runtime, chunk_run.queue, chunk_run.capacity, sizeof *chunk_run.queue);
    if (chunk_run.status != GWS_OK && input->where) *input->where = chunk_run.where;
    return chunk_run.status;
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
