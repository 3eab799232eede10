/* SPDX-License-Identifier: MIT */
/* What the ranks of a graph did, as text and as JSON. */
#include "rank_graphs.h"

#include <stdlib.h>
#include <string.h>

#include "console.h"

int rank_session_gather(struct rank_session *self, struct workers *workers)
{
    struct ranks *ranks = self->ranks;
    const uint64_t own[RANK_PART_WORDS] = {self->graph->rows, self->graph->offset[self->graph->rows],
                                           self->graph->bytes_read};
    int failure = ranks_gather(ranks, workers);
    if (failure < 0 && ranks->rank == 0) self->part = calloc(ranks->count, sizeof own);
    if (failure < 0)
        failure =
            ranks_agree(ranks, ranks->rank > 0 || self->part ? -1 : console_fail("%s", gws_status_text(GWS_NO_MEMORY)));
    if (failure < 0) gws_transport_gather(ranks->transport, own, sizeof own, self->part);
    return failure;
}

static void print_links(const struct rank_session *self, const char *rest, FILE *out)
{
    struct gws_transport_links links;
    char bytes[CONSOLE_NUMBER], arrays[CONSOLE_NUMBER + 32];
    gws_transport_describe_links(self->ranks->transport, &links);
    const uint64_t ranks = self->ranks->count;
    const struct rank_pairs pairs = {.shared = ranks * links.by_shared / 2, .messages = ranks * links.by_messages / 2};
    snprintf(arrays, sizeof arrays, "%s bytes of shared arrays", console_count(links.shared_bytes, bytes));
    ranks_print_links(self->ranks, pairs, rest ? rest : arrays, out);
}

enum { table_columns = 6, whole_columns = 4 };

/* The counts of the table, by rank; the last two are milliseconds. */
static void counts_of(const struct rank_session *self, uint32_t rank, double count[table_columns])
{
    const struct rank_row *row = &self->ranks->row[rank];
    const uint64_t *part = self->part + (uint64_t)rank * RANK_PART_WORDS;
    const double counts[table_columns] = {(double)part[RANK_PART_BYTES],
                                          (double)part[RANK_PART_VERTICES],
                                          (double)part[RANK_PART_ARCS],
                                          (double)row->total.tasks,
                                          row->total.busy_ms,
                                          row->total.idle_ms};
    memcpy(count, counts, sizeof counts);
}

static void print_counts(const double count[table_columns], FILE *out)
{
    char text[CONSOLE_NUMBER];
    for (uint32_t c = 0; c < whole_columns; c++) fprintf(out, "%15s", console_count((uint64_t)count[c], text));
    fprintf(out, "%12.3f%12.3f\n", count[whole_columns], count[whole_columns + 1]);
}

void rank_session_print(const struct rank_session *self, const char *rest, FILE *out)
{
    double count[table_columns], sum[table_columns] = {0}, max[table_columns] = {0};
    print_links(self, rest, out);
    fprintf(out, "%-9s%-16s%8s%15s%15s%15s%15s%12s%12s\n", "rank", "host", "threads", "bytes read", "vertices", "arcs",
            "tasks", "busy ms", "idle ms");
    for (uint32_t i = 0; i < self->ranks->count; i++) {
        const struct rank_row *row = &self->ranks->row[i];
        fprintf(out, "%-9u%-16.15s%8u", i, row->host, (uint32_t)row->threads);
        counts_of(self, i, count);
        print_counts(count, out);
        for (uint32_t c = 0; c < table_columns; c++) {
            sum[c] += count[c];
            if (count[c] > max[c]) max[c] = count[c];
        }
    }
    fprintf(out, "%-33s", "max/mean");
    for (uint32_t c = 0; c < table_columns; c++)
        ranks_print_ratio(self->ranks->count, max[c], sum[c], c < whole_columns ? 15 : 12, out);
    fputc('\n', out);
}

void rank_session_json(const struct rank_session *self, struct json *json)
{
    struct gws_transport_links links;
    gws_transport_describe_links(self->ranks->transport, &links);
    json_text(json, "mpi", gws_transport_name(self->ranks->transport));
    json_text(json, "transport", ranks_link_name[self->ranks->links]);
    json_count(json, "shared_bytes", links.shared_bytes);
    json_open(json, "ranks", '[');
    for (uint32_t i = 0; i < self->ranks->count; i++) {
        const struct rank_row *row = &self->ranks->row[i];
        const uint64_t *part = self->part + (uint64_t)i * RANK_PART_WORDS;
        json_open(json, NULL, '{');
        json_text(json, "host", row->host);
        json_count(json, "rank", i);
        json_count(json, "threads", row->threads);
        json_count(json, "links_shared", links.by_shared);
        json_count(json, "links_messages", links.by_messages);
        json_count(json, "bytes_read", part[RANK_PART_BYTES]);
        json_count(json, "vertices", part[RANK_PART_VERTICES]);
        json_count(json, "arcs", part[RANK_PART_ARCS]);
        json_number(json, "busy_ms", row->total.busy_ms);
        json_number(json, "idle_ms", row->total.idle_ms);
        json_close(json, '}');
    }
    json_close(json, ']');
}
