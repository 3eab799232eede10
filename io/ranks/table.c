/* SPDX-License-Identifier: MIT */
/* Tables of parted graphs. If all ranks run on one host, and every rank can compute the ids of all vertices, each rank
 * formats its rows and writes them to the draft of rank 0 (lib/base/draft.h), behind those of the ranks before it.
 * Otherwise rank 0 formats and writes all rows, a batch at a time, which the ranks send. */
#include <string.h>

#include "../output/table.h"
#include "../rank_graph_io.h"

struct writing {
    struct gws_runtime *runtime;
    const struct gws_rank_graph *graph;
    const char *path;
    struct gws_diagnostic *where;
    bool first;           /* this is rank 0 */
    bool failed;          /* the ranks have agreed on a failure, and *where has its message */
    struct gws_graph ids; /* on other ranks: describes the vertices if their ids are consecutive */
    struct gws_table table;
    struct gws__table_rows rows;
    struct gws_output *output;
    uint64_t *word; /* an entry for each rank */
    uint64_t batch; /* rows that rank 0 formats at once */
};

/* What rank 0 tells the others. */
struct table_place {
    struct gws__draft_place place;
    uint64_t head_bytes; /* 0: only rank 0 can write */
    uint64_t first_id, batch;
};

enum { place_words = sizeof(struct table_place) / sizeof(uint64_t) };

static gws_status agree(struct writing *writing, gws_status own)
{
    if (writing->failed) return own;
    const gws_status status = gws_transport_agree_on(writing->graph->transport, own, writing->where);
    writing->failed = status != GWS_OK;
    return own != GWS_OK && status == GWS_OK ? own : status; /* never own: for static analysis */
}

/* ---- each rank writes its rows ---- */

/* Finds where this rank's rows begin in the file, behind its head. */
static gws_status find_offset(struct writing *writing, const struct gws__output_chunks *chunks, uint64_t *offset)
{
    struct gws_transport *transport = writing->graph->transport;
    const uint32_t ranks = gws_transport_ranks(transport), rank = gws_transport_rank(transport);
    uint64_t bytes = chunks->count * chunks->item_bytes;
    gws_status status = GWS_OK;
    if (writing->rows.separator)
        status = gws__output_measure(writing->runtime, chunks, writing->path, writing->where, &bytes);
    status = agree(writing, status);
    if (status != GWS_OK) return status;
    memset(writing->word, 0, ranks * sizeof *writing->word);
    writing->word[rank] = bytes;
    gws_transport_sum(transport, writing->word, ranks);
    for (uint32_t r = 0; r < rank; r++) *offset += writing->word[r];
    return GWS_OK;
}

/* Opens rank 0's file on the other ranks. *joined: every rank has it (out). */
static gws_status join(struct writing *writing, const struct table_place *summary, uint64_t offset, bool *joined)
{
    gws_status status = GWS_OK;
    if (!writing->first)
        status = gws__output_join(writing->runtime, writing->path, &summary->place, offset, writing->where,
                                  &writing->output);
    uint64_t refused = status == GWS_SYSTEM; /* as in a sandbox */
    gws_transport_max(writing->graph->transport, &refused, 1);
    *joined = refused == 0;
    if (status == GWS_SYSTEM && writing->where) *writing->where = (struct gws_diagnostic){0};
    if (refused && !writing->first) {
        (void)gws_output_close(writing->output, GWS_SYSTEM);
        writing->output = NULL;
    }
    return agree(writing, status == GWS_SYSTEM ? GWS_OK : status);
}

/* Sets *wrote unless a rank cannot open the file. */
static gws_status write_parts(struct writing *writing, const struct table_place *summary, bool *wrote)
{
    const struct gws__output_chunks chunks = gws__table_chunks(&writing->rows, writing->graph->rows);
    uint64_t offset = summary->head_bytes;
    *wrote = true;
    gws_status status = find_offset(writing, &chunks, &offset);
    if (status == GWS_OK) status = join(writing, summary, offset, wrote);
    return status == GWS_OK && *wrote ? gws__output_chunks(writing->output, &chunks) : status;
}

/* ---- rank 0 writes all rows ---- */

static uint64_t entry_bytes(enum gws_column_kind kind)
{
    return kind == GWS_COLUMN_U32 || kind == GWS_COLUMN_VERTEX ? sizeof(uint32_t) : sizeof(uint64_t);
}

struct table_fill {
    uint64_t *place; /* of each rank's next entry */
    char *entry;
    uint64_t bytes; /* of an entry */
};

static void take_entries(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct table_fill *fill = context;
    memcpy(fill->entry + fill->place[rank] * fill->bytes, data, items * fill->bytes);
    fill->place[rank] += items;
}

/* Copies rows begin .. end - 1 of a column to rank 0. */
static void send_column(const struct writing *writing, const struct gws_column *column, uint64_t begin, uint64_t end,
                        void *entry)
{
    const struct gws_rank_graph *graph = writing->graph;
    const uint64_t bytes = entry_bytes(column->kind), last = graph->first + graph->rows;
    const uint64_t from = begin < graph->first ? graph->first
                          : begin > last       ? last
                                               : begin,
                   to = end < last ? end : last;
    const uint32_t ranks = gws_transport_ranks(graph->transport);
    uint64_t *items = writing->word, *place = items + ranks;
    memset(items, 0, ranks * sizeof *items);
    items[0] = to > from ? to - from : 0;
    for (uint64_t r = 0; r < ranks; r++) place[r] = r * graph->block > begin ? r * graph->block - begin : 0;
    struct table_fill fill = {place, entry, bytes};
    const struct gws_exchange exchange = {.from = (const char *)column->data + (from - graph->first) * bytes,
                                          .items = items,
                                          .item_bytes = bytes,
                                          .receive = take_entries,
                                          .context = &fill};
    gws_transport_exchange(graph->transport, &exchange);
}

/* Writes rows begin .. end - 1. Returns the status of rank 0. */
static gws_status write_batch(struct writing *writing, const struct gws_column *column, uint64_t begin, uint64_t end)
{
    const struct gws_table *table = writing->rows.table;
    for (uint32_t i = 0; i < table->columns; i++)
        if (column[i].kind != GWS_COLUMN_ID)
            send_column(writing, &writing->table.column[i], begin, end, (void *)(uintptr_t)column[i].data);
    if (!writing->first) return GWS_OK;
    gws_report_progress(writing->runtime, "writing", begin, table->rows);
    writing->rows.first = begin;
    const struct gws__output_chunks chunks = gws__table_chunks(&writing->rows, end - begin);
    return gws__output_chunks(writing->output, &chunks);
}

/* Makes columns of `batch` entries on rank 0. */
static gws_status open_columns(const struct writing *writing, struct gws_column *column)
{
    memcpy(column, writing->table.column, writing->table.columns * sizeof *column);
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < writing->table.columns; i++) {
        column[i].data = writing->first && column[i].kind != GWS_COLUMN_ID
                             ? gws_allocate(writing->runtime, writing->batch, entry_bytes(column[i].kind))
                             : NULL;
        if (writing->first && column[i].kind != GWS_COLUMN_ID && !column[i].data) status = GWS_NO_MEMORY;
    }
    return status;
}

static gws_status write_all(struct writing *writing, struct gws_column *column)
{
    struct gws_table table = writing->table;
    gws_status status = agree(writing, open_columns(writing, column)), all = status;
    table.column = column;
    writing->rows.table = &table;
    for (uint64_t begin = 0, end; begin < table.rows && all == GWS_OK; begin = end) {
        end = table.rows - begin < writing->batch ? table.rows : begin + writing->batch;
        status = write_batch(writing, column, begin, end);
        all = gws_transport_agree(writing->graph->transport, status);
    }
    writing->rows.table = &writing->table;
    for (uint32_t i = 0; i < table.columns; i++)
        if (writing->first)
            gws_release(writing->runtime, (void *)(uintptr_t)column[i].data, writing->batch,
                        entry_bytes(column[i].kind));
    return status;
}

/* ---- both ---- */

static gws_status open_table(struct writing *writing, struct table_place *summary)
{
    struct gws_transport *transport = writing->graph->transport;
    const struct gws_graph *names = writing->table.graph;
    gws_status status = writing->word ? GWS_OK : GWS_NO_MEMORY;
    if (status == GWS_OK) status = gws__table_rows_open(&writing->table, writing->path, &writing->rows, writing->where);
    if (status == GWS_OK && writing->first)
        status = gws__table_begin(writing->runtime, &writing->rows, writing->path, writing->where, &writing->output);
    if (status == GWS_OK && writing->output) {
        summary->batch = gws__output_batch(writing->output, gws__table_chunks(&writing->rows, 1).item_bytes);
        summary->first_id = names->first_id;
        if (!names->id && !names->names.text && gws_transport_ranks_here(transport) == gws_transport_ranks(transport))
            status = gws__output_share(writing->output, &summary->place, &summary->head_bytes);
    }
    return agree(writing, status);
}

static gws_status write_table(struct writing *writing)
{
    struct table_place summary = {0};
    uint64_t word[place_words];
    bool wrote = false;
    gws_status status = open_table(writing, &summary);
    if (status != GWS_OK) return status;
    memcpy(word, &summary, sizeof summary);
    gws_transport_sum(writing->graph->transport, word, place_words);
    memcpy(&summary, word, sizeof summary);
    writing->batch = summary.batch;
    writing->ids.first_id = summary.first_id;
    writing->rows.first = writing->graph->first;
    if (summary.head_bytes > 0) status = write_parts(writing, &summary, &wrote);
    if (wrote || status != GWS_OK) return status;
    const uint32_t columns = writing->table.columns;
    struct gws_column *column = gws_allocate(writing->runtime, columns, sizeof *column);
    status = agree(writing, column ? GWS_OK : GWS_NO_MEMORY);
    if (status == GWS_OK && column) status = write_all(writing, column);
    gws_release(writing->runtime, column, columns, sizeof *column);
    return status;
}

static gws_status rank_table_write(struct writing *writing)
{
    const uint64_t words = 2 * (uint64_t)gws_transport_ranks(writing->graph->transport);
    writing->word = gws_allocate(writing->runtime, words, sizeof *writing->word);
    gws_status status = write_table(writing);
    if (!writing->first) status = gws_output_close(writing->output, status);
    status = agree(writing, status);
    if (writing->first && status == GWS_OK)
        status = gws_output_close(writing->output, GWS_OK);
    else if (writing->first)
        (void)gws_output_close(writing->output, GWS_SYSTEM); /* adds no message */
    gws_release(writing->runtime, writing->word, words, sizeof *writing->word);
    return agree(writing, status);
}

gws_status gws_rank_table_write(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                const struct gws_column *column, uint32_t columns, const char *path,
                                struct gws_diagnostic *where)
{
    struct writing writing = {.runtime = runtime, .graph = graph, .path = path, .where = where};
    writing.first = gws_transport_rank(graph->transport) == 0;
    writing.ids.vertices = graph->vertices;
    writing.table = (struct gws_table){.graph = graph->names ? graph->names : &writing.ids,
                                       .rows = graph->vertices,
                                       .columns = columns,
                                       .column = column};
    const gws_status own = gws_call_begin(runtime);
    gws_status status = gws_transport_agree_on(graph->transport, own, where);
    if (status == GWS_OK) status = rank_table_write(&writing);
    return own == GWS_OK ? gws_call_end(runtime, status) : status;
}
