/* SPDX-License-Identifier: MIT */
/* Ids that an edge list says beforehand, "# Ids: FIRST to LAST": then vertices without edges are known, too, and the
 * ids need not be searched for. The word of a comment is not taken: all edges are looked at. */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "names.h"
#include "scan.h"

/* Vertices that the smallest file may declare, and how many more for each byte: see declared.c. */
enum { few_vertices = 1 << 24, vertices_a_byte = 64, most_digits = 19 };

static const char *scan_id(const char *p, const char *end, uint64_t *id)
{
    const char *begin = p;
    for (*id = 0; p < end && gws__scan_is_digit(*p) && p - begin < most_digits; p++)
        *id = *id * 10 + (uint64_t)(*p - '0');
    return p == begin ? NULL : p;
}

/* Takes word at p; NULL if it is not there. */
static const char *scan_word(const char *p, const char *end, const char *word)
{
    size_t length = strlen(word);
    return p && (size_t)(end - p) >= length && memcmp(p, word, length) == 0 ? p + length : NULL;
}

bool gws__names_range_scan(const char *p, const char *end, struct gws__names_range *range)
{
    struct gws__names_range read = {.declared = true};
    p = scan_word(p, end, "# Ids: ");
    if (p) p = scan_id(p, end, &read.first);
    p = scan_word(p, end, " to ");
    if (p) p = scan_id(p, end, &read.last);
    if (!p || (p < end && *p != '\r') || read.last < read.first) return false;
    *range = read;
    return true;
}

struct shift {
    const struct gws__slice *slice;
    uint32_t first, last;
    atomic_bool outside; /* relaxed: read after the loop's barrier */
};

static void look(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct shift *shift = context;
    uint32_t width = shift->last - shift->first;
    uint64_t outside = 0;
    (void)worker;
    for (const struct gws__slice *slice = shift->slice + begin; slice < shift->slice + end; slice++) {
        for (uint64_t i = slice->begin; i < slice->end; i++) {
            struct gws_edge edge = slice->block.edge[i];
            outside += edge.from - shift->first > width || edge.to - shift->first > width;
        }
    }
    if (outside > 0) atomic_store_explicit(&shift->outside, true, memory_order_relaxed);
}

static void subtract(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct shift *shift = context;
    (void)worker;
    for (const struct gws__slice *slice = shift->slice + begin; slice < shift->slice + end; slice++) {
        for (uint64_t i = slice->begin; i < slice->end; i++) {
            slice->block.edge[i].from -= shift->first;
            slice->block.edge[i].to -= shift->first;
        }
    }
}

gws_status gws__names_range_apply(const struct gws__names_range *range, uint64_t bytes, struct gws__edges *edges,
                                  bool *applied)
{
    struct gws__slices slices = {0};
    *applied = false;
    uint64_t width = range->last - range->first;
    bool likely = range->declared && range->last < GWS_NO_VERTEX && width < GWS_NO_VERTEX - 1 &&
                  (width < few_vertices || width / vertices_a_byte <= bytes) && gws__edges_count(edges, true) == 0;
    if (!likely) return GWS_OK;
    gws_status status = gws__slices_open(edges, &slices);
    if (status != GWS_OK) return status;
    struct shift shift = {.slice = slices.slice, .first = (uint32_t)range->first, .last = (uint32_t)range->last};
    gws_parallel_for(edges->runtime, slices.count, 1, look, &shift);
    *applied = !atomic_load_explicit(&shift.outside, memory_order_relaxed);
    if (*applied && shift.first > 0) gws_parallel_for(edges->runtime, slices.count, 1, subtract, &shift);
    gws__slices_close(edges, &slices);
    return GWS_OK;
}
