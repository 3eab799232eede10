/* SPDX-License-Identifier: MIT */
/* Choosing what a device keeps of a graph's rows (bfs_bridge_rows.h): the row length up to which, or from which on,
 * there is room, by a histogram of lengths. It is taken digit by digit, each time of the rows whose length begins with
 * the digits found before, so that it is as exact as one bin for each length and never has more than 2^11 of them. */
#include "host_resident_rows.h"

#include <string.h>

#include "../state.h"

enum { bins = 2048, grain = 16 /* blocks */ };

/* Rows, and the arcs in them. */
struct tally {
    uint64_t rows, arcs;
};

struct histogram {
    const struct gws__bridge_rows *rows;
    struct tally *bin; /* bins of them for each worker */
    uint32_t shift, width;
    uint64_t prefix; /* of the lengths that count, above this digit */
};

static void tally_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct histogram *histogram = context;
    struct tally *bin = histogram->bin + (uint64_t)worker * bins;
    for (uint64_t v = gws__bridge_rows_vertex(histogram->rows, begin);
         v < gws__bridge_rows_vertex(histogram->rows, end); v++) {
        uint64_t arcs = gws__bridge_rows_length(histogram->rows, v), digits = arcs >> histogram->shift;
        if (digits >> histogram->width != histogram->prefix) continue;
        digits &= ((uint64_t)1 << histogram->width) - 1;
        bin[digits].rows++;
        bin[digits].arcs += arcs;
    }
}

static void take_histogram(struct gws_runtime *runtime, struct histogram *histogram)
{
    uint32_t workers = gws_runtime_workers(runtime);
    memset(histogram->bin, 0, (uint64_t)workers * bins * sizeof *histogram->bin);
    gws__bfs_aside_for(runtime, histogram->rows->blocks, grain, tally_blocks, histogram);
    for (uint32_t w = 1; w < workers; w++)
        for (uint32_t b = 0; b < bins; b++) {
            histogram->bin[b].rows += histogram->bin[(uint64_t)w * bins + b].rows;
            histogram->bin[b].arcs += histogram->bin[(uint64_t)w * bins + b].arcs;
        }
}

/* What there is room for, and up to which length to look. */
struct limit {
    const struct gws__bridge_rows *rows;
    uint64_t room, most;
};

/* What has to hold up to some length and not above, and holds for 0; below: what the shorter rows are. */
typedef bool holds(const struct limit *limit, uint64_t length, struct tally below);

/* The largest length for which it holds; the rows below it, and those of that length. */
struct found {
    uint64_t length;
    struct tally below, equal;
};

static struct tally sum(struct tally a, struct tally b)
{
    return (struct tally){a.rows + b.rows, a.arcs + b.arcs};
}

/* The next digit of the length. */
static void find_digit(struct histogram *histogram, holds *up_to, const struct limit *limit, struct found *found)
{
    uint64_t at = 0, last = ((uint64_t)1 << histogram->width) - 1, prefix = histogram->prefix << histogram->width;
    for (; at < last; at++) {
        struct tally below = sum(found->below, histogram->bin[at]);
        if (!up_to(limit, (prefix | (at + 1)) << histogram->shift, below)) break;
        found->below = below;
    }
    found->equal = histogram->bin[at];
    histogram->prefix = prefix | at;
}

static gws_status find(struct gws_runtime *runtime, holds *up_to, const struct limit *limit, struct found *found,
                       struct gws_where *where)
{
    static const uint32_t shift[] = {20, 10, 0}, width[] = {11, 10, 10};
    uint64_t count = (uint64_t)gws_runtime_workers(runtime) * bins;
    struct histogram histogram = {.rows = limit->rows, .bin = gws_allocate(runtime, count, sizeof *histogram.bin)};
    if (!histogram.bin) return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "out of memory");
    *found = (struct found){0};
    for (uint32_t digit = 0; digit < 3; digit++) {
        histogram.shift = shift[digit];
        histogram.width = width[digit];
        take_histogram(runtime, &histogram);
        find_digit(&histogram, up_to, limit, found);
    }
    found->length = histogram.prefix;
    gws_release(runtime, histogram.bin, count, sizeof *histogram.bin);
    return GWS_OK;
}

/* ---- of equal rows the last ones ---- */

struct equals {
    const struct gws__bridge_rows *rows;
    uint64_t least, most; /* lengths */
};

static void count_equals(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct equals *equals = context;
    for (uint64_t b = begin; b < end; b++) {
        uint64_t count = 0;
        for (uint64_t v = gws__bridge_rows_vertex(equals->rows, b); v < gws__bridge_rows_vertex(equals->rows, b + 1);
             v++) {
            uint64_t arcs = gws__bridge_rows_length(equals->rows, v);
            count += arcs >= equals->least && arcs <= equals->most;
        }
        equals->rows->base[b] = count;
    }
}

/* The vertex from which on there are `count` rows of least .. most words; there are that many. */
static uint64_t from_where(struct gws_runtime *runtime, const struct gws__bridge_rows *rows, uint64_t least,
                           uint64_t most, uint64_t count)
{
    struct equals equals = {rows, least, most};
    if (count == 0) return rows->graph->vertices;
    gws__bfs_aside_for(runtime, rows->blocks, grain, count_equals, &equals);
    uint64_t block = rows->blocks;
    while (block > 0 && rows->base[block - 1] < count) count -= rows->base[--block];
    uint64_t vertex = gws__bridge_rows_vertex(rows, block);
    while (count > 0 && vertex > 0) {
        uint64_t arcs = gws__bridge_rows_length(rows, --vertex);
        count -= arcs >= least && arcs <= most;
    }
    return vertex;
}

/* Of `rows` rows that cost so many words each, as many as there is room for. */
static uint64_t afford(uint64_t rows, uint64_t words, uint64_t *room)
{
    uint64_t count = words > 0 && *room / words < rows ? *room / words : rows;
    *room -= count * words;
    return count;
}

/* ---- what to keep ---- */

/* The first words of all rows, where so many of each are kept. */
static uint64_t first_words(const struct gws__bridge_rows *rows, uint64_t head, struct tally below)
{
    return below.arcs + head * (rows->graph->vertices - below.rows);
}

static bool heads_fit(const struct limit *limit, uint64_t head, struct tally below)
{
    return head <= limit->most && first_words(limit->rows, head, below) <= limit->room;
}

gws_status gws__bridge_keep_heads(struct gws_runtime *runtime, struct gws__bridge_rows *rows, uint64_t most,
                                  uint64_t *room, struct gws_where *where)
{
    struct limit limit = {rows, *room, most};
    struct found found = {0};
    gws_status status = find(runtime, heads_fit, &limit, &found, where);
    if (status != GWS_OK) return status;
    struct tally up_to = sum(found.below, found.equal);
    rows->head = found.length;
    *room -= first_words(rows, found.length, found.below);
    if (found.length == most) return GWS_OK;
    uint64_t more = afford(rows->graph->vertices - up_to.rows, 1, room);
    rows->head_from = from_where(runtime, rows, found.length + 1, gws__bridge_all, more);
    return GWS_OK;
}

/* What the heads leave of the rows that are not below. */
static uint64_t behind_heads(const struct gws__bridge_rows *rows, struct tally below)
{
    return rows->graph->arcs - below.arcs - rows->head * (rows->graph->vertices - below.rows);
}

/* Rows from that length on do not all fit. */
static bool hubs_fit_not(const struct limit *limit, uint64_t length, struct tally below)
{
    return length <= limit->rows->head || behind_heads(limit->rows, below) > limit->room;
}

gws_status gws__bridge_keep_hubs(struct gws_runtime *runtime, struct gws__bridge_rows *rows, uint64_t *room,
                                 struct gws_where *where)
{
    struct limit limit = {rows, *room, gws__bridge_all};
    struct found found = {0};
    gws_status status = find(runtime, hubs_fit_not, &limit, &found, where);
    if (status != GWS_OK) return status;
    rows->hub = found.length;
    if (found.length >= gws__bridge_all) return GWS_OK; /* the heads are all there is */
    *room -= behind_heads(rows, sum(found.below, found.equal));
    uint64_t each = found.length - rows->head;
    uint64_t more = each > 0 ? afford(found.equal.rows, each, room) : 0; /* 0: those are whole */
    rows->hub_from = from_where(runtime, rows, found.length, found.length, more);
    return GWS_OK;
}

static bool small_fit(const struct limit *limit, uint64_t length, struct tally below)
{
    (void)length;
    return below.arcs <= limit->room;
}

gws_status gws__bridge_keep_small(struct gws_runtime *runtime, struct gws__bridge_rows *rows, uint64_t *room,
                                  struct gws_where *where)
{
    struct limit limit = {rows, *room, gws__bridge_all};
    struct found found = {0};
    gws_status status = find(runtime, small_fit, &limit, &found, where);
    if (status != GWS_OK) return status;
    rows->small = found.length;
    *room -= found.below.arcs;
    uint64_t more = afford(found.equal.rows, found.length, room);
    rows->small_from = from_where(runtime, rows, found.length, found.length, more);
    return GWS_OK;
}
