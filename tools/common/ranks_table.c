/* SPDX-License-Identifier: MIT */
/* What the ranks did, as text and as JSON. */
#include <inttypes.h>

#include "console.h"
#include "ranks.h"

void ranks_print_steals(const struct ranks *ranks, FILE *out)
{
    struct gws_rank_stats all = {0};
    char transferred[CONSOLE_NUMBER], steals[CONSOLE_NUMBER], refused[CONSOLE_NUMBER];
    for (uint32_t i = 0; i < ranks->count; i++) ranks_add_across(&all, &ranks->row[i].across);
    if (!ranks->has_no_queues)
        fprintf(out,
                "ranks     %s tasks transferred in %s steal%s; %s refused, %" PRIu64 " failed, %" PRIu64 " aborted\n",
                console_count(all.stolen, transferred), console_count(all.steals, steals), all.steals == 1 ? "" : "s",
                console_count(all.refused, refused), all.failed, all.aborted);
    for (uint32_t i = 0; i < ranks->count; i++)
        if (*ranks->row[i].device)
            fprintf(out, "device    rank %u, %s: %s tasks\n", i, ranks->row[i].device,
                    console_count(ranks->row[i].on_device, transferred));
}

/* The counts of the table, by rank. */
enum { columns = 12 };
static const char *const column[columns] = {"tasks",   "on device", "from ranks", "to ranks", "steals",  "requests",
                                            "refused", "failed",    "aborted",    "polls",    "busy ms", "idle ms"};

static void counts_of(const struct rank_row *row, double count[columns])
{
    const struct gws_rank_stats *across = &row->across;
    const uint64_t whole[] = {row->total.tasks, row->on_device,  across->stolen, across->given,   across->steals,
                              across->requests, across->refused, across->failed, across->aborted, across->polls};
    for (uint32_t c = 0; c < columns - 2; c++) count[c] = (double)whole[c];
    count[columns - 2] = row->total.busy_ms;
    count[columns - 1] = row->total.idle_ms;
}

static void print_row(const struct rank_row *row, FILE *out)
{
    char text[CONSOLE_NUMBER];
    double count[columns];
    counts_of(row, count);
    fprintf(out, "%-9" PRIu64 "%-16.15s%8" PRIu64 "  %-10.10s", row->rank, row->host, row->threads,
            *row->device ? row->device : "-");
    for (uint32_t c = 0; c < columns - 2; c++) fprintf(out, "%15s", console_count((uint64_t)count[c], text));
    fprintf(out, "%12.3f%12.3f\n", count[columns - 2], count[columns - 1]);
}

void ranks_print_ratio(uint32_t ranks, double max, double sum, int width, FILE *out)
{
    if (sum > 0)
        fprintf(out, "%*.2f", width, max * ranks / sum);
    else
        fprintf(out, "%*s", width, "-");
}

/* Prints the skew of each column: the maximum divided by the mean. */
static void print_skew(const struct ranks *ranks, FILE *out)
{
    double sum[columns] = {0}, max[columns] = {0}, count[columns];
    for (uint32_t i = 0; i < ranks->count; i++) {
        counts_of(&ranks->row[i], count);
        for (uint32_t c = 0; c < columns; c++) {
            sum[c] += count[c];
            if (count[c] > max[c]) max[c] = count[c];
        }
    }
    fprintf(out, "%-45s", "max/mean");
    for (uint32_t c = 0; c < columns; c++)
        ranks_print_ratio(ranks->count, max[c], sum[c], c < columns - 2 ? 15 : 12, out);
    fputc('\n', out);
}

void ranks_print_links(const struct ranks *ranks, struct rank_pairs pairs, const char *rest, FILE *out)
{
    fprintf(out, "links     pairs of ranks: %" PRIu64 " by shared memory, %" PRIu64 " by rma, %" PRIu64 " by messages",
            pairs.shared, pairs.rma, pairs.messages);
    if (ranks->links > 0) fprintf(out, ", forced by --transport %s", ranks_link_name[ranks->links]);
    fprintf(out, "; %s\n", rest);
}

/* Every pair counts at both ranks. */
static void print_links(const struct ranks *ranks, FILE *out)
{
    struct rank_pairs pairs = {0};
    uint64_t device = 0;
    char queues[CONSOLE_NUMBER];
    for (uint32_t i = 0; i < ranks->count; i++) {
        pairs.shared += ranks->row[i].across.by_shared;
        pairs.rma += ranks->row[i].across.by_rma;
        pairs.messages += ranks->row[i].across.by_messages;
        device += ranks->row[i].across.by_device;
    }
    if (device > 0) {
        fprintf(out, "links     pairs of ranks: %" PRIu64 " by the memory of their devices\n", device / 2);
        return;
    }
    snprintf(queues, sizeof queues, "%s queues", ranks_queue_name[ranks->queue]);
    ranks_print_links(ranks, (struct rank_pairs){pairs.shared / 2, pairs.rma / 2, pairs.messages / 2},
                      ranks->has_no_queues ? "no queues" : queues, out);
}

void ranks_print(const struct ranks *ranks, FILE *out)
{
    print_links(ranks, out);
    fprintf(out, "%-9s%-16s%8s  %-10s", "rank", "host", "threads", "device");
    for (uint32_t c = 0; c < columns; c++) fprintf(out, "%*s", c < columns - 2 ? 15 : 12, column[c]);
    fputc('\n', out);
    for (uint32_t i = 0; i < ranks->count; i++) print_row(&ranks->row[i], out);
    print_skew(ranks, out);
}

#define FIELD(name, key) JSON_FIELD(struct rank_row, name, key)
static const struct json_field field[] = {{FIELD(rank, "rank")},
                                          {FIELD(threads, "threads")},
                                          {FIELD(total.tasks, "tasks")},
                                          {FIELD(on_device, "on_device")},
                                          {FIELD(total.stolen, "stolen")},
                                          {FIELD(total.steals, "steals")},
                                          {FIELD(across.requests, "requests")},
                                          {FIELD(across.refused, "refused")},
                                          {FIELD(across.steals, "rank_steals")},
                                          {FIELD(across.stolen, "received")},
                                          {FIELD(across.given, "given")},
                                          {FIELD(across.waves, "waves")},
                                          {FIELD(across.polls, "polls")},
                                          {FIELD(across.aborted, "aborted")},
                                          {FIELD(across.failed, "failed")},
                                          {FIELD(across.released, "released")},
                                          {FIELD(across.reacquired, "reacquired")},
                                          {FIELD(across.by_shared, "links_shared")},
                                          {FIELD(across.by_rma, "links_rma")},
                                          {FIELD(across.by_messages, "links_messages")},
                                          {FIELD(across.by_device, "links_device")},
                                          {FIELD(total.busy_ms, "busy_ms")},
                                          {FIELD(total.idle_ms, "idle_ms")}};

void ranks_json(const struct ranks *ranks, struct json *json, const char *key)
{
    static const struct json_table table = JSON_TABLE(field);
    json_name(json, "mpi", ranks->transport ? gws_transport_name(ranks->transport) : NULL);
    json_name(json, "transport", ranks->transport ? ranks_link_name[ranks->links] : NULL);
    json_open(json, key, '[');
    for (uint32_t i = 0; i < ranks->count; i++) {
        json_open(json, NULL, '{');
        json_text(json, "host", ranks->row[i].host);
        json_name(json, "device", *ranks->row[i].device ? ranks->row[i].device : NULL);
        json_fields(json, table, &ranks->row[i]);
        json_close(json, '}');
    }
    json_close(json, ']');
}
