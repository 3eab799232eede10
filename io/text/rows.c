/* SPDX-License-Identifier: MIT */
/* The reader of a chunk does not know the number of rows before the chunk. So it numbers the chunk's rows from 0 and
 * stores a summary. Once all summaries exist, the workers add the number of rows before each chunk to the sources of
 * the chunk's arcs. Ranks gather the summaries before. */
#include "../ranks/ranks.h"
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "scan.h"

/* The content of a chunk. */
struct row_summary {
    uint64_t index; /* index of the chunk */
    uint64_t rows;
    uint64_t full;  /* the last row that is not blank, from 1; 0: none */
    uint64_t blank; /* the first blank row, from 1; 0: none */
    /* The edges, on this rank: of a block of a worker; the whole block if blocks are packed. */
    uint64_t worker, block, begin, count;
    uint64_t rank;
    uint64_t before; /* rows in earlier chunks */
};

/* The summaries of all workers and ranks, in the order of the chunks. */
struct all_rows {
    struct row_summary *summary;
    uint64_t count;
    uint64_t rank; /* this rank */
    const struct gws__edges *edges;
};

struct row_summaries {
    struct row_summary *summary;
    uint64_t count, capacity;
};

struct rows_reading {
    struct gws__input *input;
    const struct gws__row_syntax *syntax;
    struct gws__syntax ids;
    struct gws__edges *edges;
    struct row_summaries *summaries; /* one for each worker */
};

/* A position in a row, and the destination of its arcs. */
struct row_reader {
    const struct rows_reading *reading;
    const struct gws__chunk *chunk;
    const char *at, *end;
    uint32_t row;
    struct gws_edge *edge;
    struct gws__block *block;
};

static gws_status read_weight(struct row_reader *row, struct gws__weight *weight)
{
    uint64_t value = 0;
    const char *stop = gws__scan_short(row->at, &value);
    if (stop != row->at && value <= INT32_MAX && (gws__scan_is_blank(*stop) || *stop == '\n')) {
        row->at = stop;
        *weight = (struct gws__weight){.integer = (int32_t)value, .number = (float)value};
        return GWS_OK;
    }
    return gws__lines_weight(row->chunk, row->reading->syntax->weights, &row->at, row->end, weight);
}

static gws_status read_neighbour(struct row_reader *row, uint64_t *to)
{
    const char *stop = gws__scan_short(row->at, to);
    if (stop != row->at && *to - 1 < row->reading->ids.vertices && (gws__scan_is_blank(*stop) || *stop == '\n')) {
        *to -= 1;
        row->at = stop;
        return GWS_OK;
    }
    return gws__lines_id(row->chunk, &row->reading->ids, &row->at, row->end, to);
}

static bool skips(const struct gws__row_syntax *syntax)
{
    return syntax->size_skipped || syntax->weights_skipped > 0;
}

static gws_status skip_number(struct row_reader *row)
{
    struct gws__weight number;
    row->at = gws__scan_blanks(row->at, row->end);
    return gws__lines_weight(row->chunk, GWS_WEIGHTS_DROP, &row->at, row->end, &number);
}

static gws_status read_skipped(struct row_reader *row)
{
    gws_status status = row->reading->syntax->size_skipped ? skip_number(row) : GWS_OK;
    for (uint64_t i = 0; status == GWS_OK && i < row->reading->syntax->weights_skipped; i++) status = skip_number(row);
    return status;
}

/* Reads the neighbours at row->at, which is not blank. */
static gws_status read_row(struct row_reader *row)
{
    const struct gws__row_syntax *syntax = row->reading->syntax;
    gws_status status = skips(syntax) ? read_skipped(row) : GWS_OK;
    if (status != GWS_OK) return status;
    for (row->at = gws__scan_blanks(row->at, row->end); row->at < row->end;
         row->at = gws__scan_blanks(row->at, row->end)) {
        uint64_t to = 0;
        struct gws__weight weight = {0};
        status = read_neighbour(row, &to);
        row->at = gws__scan_blanks(row->at, row->end);
        if (status == GWS_OK && syntax->weighted) status = read_weight(row, &weight);
        if (status != GWS_OK) return status;
        if (row->block->weights) gws__block_put_weight(row->block, (uint64_t)(row->edge - row->block->edge), &weight);
        *row->edge++ = (struct gws_edge){.from = row->row, .to = (uint32_t)to};
    }
    return GWS_OK;
}

static gws_status read_rows(struct row_reader *row, struct row_summary *summary)
{
    for (const char *p = row->chunk->at; p < row->chunk->end;) {
        const char *newline = memchr(p, '\n', (size_t)(row->chunk->end - p));
        row->end = newline > p && newline[-1] == '\r' ? newline - 1 : newline;
        row->at = gws__scan_blanks(p, row->end);
        p = newline + 1;
        if (row->at < row->end && *row->at == '%') {
            gws_status status = gws__lines_check_skipped(row->chunk, row->at, row->end);
            if (status != GWS_OK) return status;
            continue;
        }
        row->row = (uint32_t)summary->rows++;
        if (row->at == row->end && summary->blank == 0) summary->blank = summary->rows;
        if (row->at == row->end) continue;
        summary->full = summary->rows;
        gws_status status = read_row(row);
        if (status != GWS_OK) return status;
    }
    return GWS_OK;
}

static gws_status read_chunk(void *context, uint32_t worker, const struct gws__chunk *chunk)
{
    struct rows_reading *reading = context;
    uint64_t capacity = (uint64_t)(chunk->end - chunk->at) / 2 + 1; /* the shortest arc is a digit and a blank */
    struct gws__edges *edges = reading->edges;
    struct gws__block *block = edges->packs ? gws__edges_begin_block(edges, worker, false, capacity)
                                            : gws__edges_reserve(edges, worker, false, capacity);
    if (!block) return GWS_NO_MEMORY;
    struct row_summary summary = {.index = chunk->index,
                                  .worker = worker,
                                  .block = edges->buffer[worker].list[0].count - 1,
                                  .begin = block->count,
                                  .rank = edges->ranks ? gws_transport_rank(edges->ranks->transport) : 0};
    struct row_reader row = {.reading = reading, .chunk = chunk, .edge = block->edge + block->count, .block = block};
    gws_status status = read_rows(&row, &summary);
    summary.count = (uint64_t)(row.edge - block->edge) - summary.begin;
    if (status != GWS_OK) return status;
    struct row_summaries *summaries = &reading->summaries[worker];
    if (!gws__grow(reading->input->runtime, &summaries->summary, summaries->count, &summaries->capacity,
                   sizeof summary))
        return GWS_NO_MEMORY;
    summaries->summary[summaries->count++] = summary;
    block->count += summary.count;
    return GWS_OK;
}

static void add_rows_before(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct all_rows *all = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        const struct row_summary *summary = &all->summary[i];
        const uint32_t before = (uint32_t)summary->before;
        if (summary->rank != all->rank) continue;
        const struct gws__block *block = &all->edges->buffer[summary->worker].list[0].block[summary->block];
        if (block->pack) gws__edge_pack_add(block->pack, before);
        for (uint64_t k = 0; !block->pack && k < summary->count; k++) block->edge[summary->begin + k].from += before;
    }
}

/* Counts the rows before each chunk and checks the total. A blank last row without a line feed has no bytes in the
 * file. */
static gws_status check_rows(const struct rows_reading *reading, struct row_summary *summaries, uint64_t count)
{
    const struct gws__header_counts *counts = &reading->syntax->counts;
    const struct gws__input *input = reading->input;
    uint64_t rows = 0, full = 0, blank = 0;
    for (uint64_t i = 0; i < count; i++) {
        summaries[i].before = rows;
        if (summaries[i].full > 0) full = rows + summaries[i].full;
        if (summaries[i].blank > 0 && blank == 0) blank = rows + summaries[i].blank;
        rows += summaries[i].rows;
    }
    if (full > counts->vertices)
        return gws__input_fail(input, GWS_SYNTAX, counts->line, 0,
                               "%" PRIu64 " vertices declared, but there are lines for %" PRIu64, counts->vertices,
                               full);
    if (rows + 1 < counts->vertices)
        return gws__input_fail(input, GWS_TRUNCATED, counts->line, 0,
                               "%" PRIu64 " vertices declared, but there are lines for %" PRIu64, counts->vertices,
                               rows);
    if (skips(reading->syntax) && rows < counts->vertices && blank == 0) blank = rows + 1;
    if (skips(reading->syntax) && blank > 0 && blank <= counts->vertices)
        return gws__input_fail(input, GWS_SYNTAX, 0, 0,
                               "the line of vertex %" PRIu64 " is blank, but sizes or weights are declared", blank);
    return GWS_OK;
}

static int by_index(const void *a, const void *b)
{
    const struct row_summary *first = a, *second = b;
    return (first->index > second->index) - (first->index < second->index);
}

/* Copies the summaries of all workers of this rank into one array. */
static gws_status join_workers(const struct rows_reading *reading, struct all_rows *all)
{
    const uint32_t workers = gws_runtime_workers(reading->input->runtime);
    uint64_t made = 0;
    for (uint32_t worker = 0; worker < workers; worker++) all->count += reading->summaries[worker].count;
    all->summary = gws_allocate(reading->input->runtime, all->count, sizeof *all->summary);
    for (uint32_t worker = 0; all->summary && worker < workers; worker++) {
        const struct row_summaries *own = &reading->summaries[worker];
        if (own->count > 0) memcpy(all->summary + made, own->summary, own->count * sizeof *own->summary);
        made += own->count;
    }
    return all->summary ? GWS_OK : GWS_NO_MEMORY;
}

/* Adds the summaries of the other ranks. */
static gws_status join_ranks(const struct rows_reading *reading, gws_status own, struct all_rows *all)
{
    struct gws__read_ranks *ranks = reading->edges->ranks;
    struct gws_runtime *runtime = reading->input->runtime;
    struct gws__gathered gathered;
    if (!ranks) return own;
    gws_status status =
        gws__read_ranks_gather(ranks, runtime, own, all->summary, all->count * sizeof *all->summary, &gathered);
    gws_release(runtime, all->summary, all->count, sizeof *all->summary);
    *all = (struct all_rows){.edges = all->edges,
                             .rank = gws_transport_rank(ranks->transport),
                             .count = gathered.total * sizeof *gathered.all / sizeof *all->summary};
    if (status == GWS_OK) all->summary = gws_allocate(runtime, all->count, sizeof *all->summary);
    if (status == GWS_OK && !all->summary) status = GWS_NO_MEMORY;
    if (status == GWS_OK) memcpy(all->summary, gathered.all, all->count * sizeof *all->summary);
    gws__gathered_free(ranks, runtime, &gathered);
    return status;
}

static gws_status number_rows(const struct rows_reading *reading)
{
    struct gws_runtime *runtime = reading->input->runtime;
    struct all_rows all = {.edges = reading->edges};
    gws_status status = join_ranks(reading, join_workers(reading, &all), &all);
    if (status == GWS_OK) {
        qsort(all.summary, all.count, sizeof *all.summary, by_index);
        status = check_rows(reading, all.summary, all.count);
    }
    if (status == GWS_OK) status = gws_parallel_try_for(runtime, all.count, 1, add_rows_before, &all);
    gws_release(runtime, all.summary, all.count, sizeof *all.summary);
    return status;
}

gws_status gws__rows_read(struct gws__input *input, const struct gws__row_syntax *syntax, struct gws__edges *edges)
{
    uint32_t workers = gws_runtime_workers(input->runtime);
    struct rows_reading reading = {.input = input, .syntax = syntax, .edges = edges};
    reading.ids = (struct gws__syntax){.base = 1, .vertices = syntax->counts.vertices};
    reading.summaries = gws_allocate(input->runtime, workers, sizeof *reading.summaries);
    if (!reading.summaries) return GWS_NO_MEMORY;
    memset(reading.summaries, 0, workers * sizeof *reading.summaries);
    edges->packs = edges->ranks != NULL;
    gws_status status = gws__chunks_run(input, read_chunk, &reading);
    edges->packs = false;
    if (status == GWS_OK) status = number_rows(&reading);
    if (status == GWS_OK) status = gws__edges_unify_weights(edges);
    for (uint32_t worker = 0; worker < workers; worker++) {
        struct row_summaries *summaries = &reading.summaries[worker];
        gws_release(input->runtime, summaries->summary, summaries->capacity, sizeof *summaries->summary);
    }
    gws_release(input->runtime, reading.summaries, workers, sizeof *reading.summaries);
    return status;
}
