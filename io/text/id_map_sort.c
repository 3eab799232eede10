/* SPDX-License-Identifier: MIT */
/* Sorts sparse ids. Each task radix-sorts the ids of its edges and removes duplicates. Then the workers merge
 * neighbouring runs in pairs until one run is left. Ranks gather their runs and merge them in the same way. */
#include <string.h>

#include "../ranks/ranks.h"
#include "id_map.h"

struct id_run {
    uint64_t at, count;
};

struct id_sort {
    const struct gws__edge_range *range;
    uint64_t *from, *to; /* two ids for each edge, which each round of merging moves from one array to the other */
    struct id_run *run, *next;
    uint64_t runs;
};

/* Sorts by the byte at shift. Returns false without sorting if all ids have the same byte. */
static bool sort_by_byte(const uint64_t *from, uint64_t *to, uint64_t count, unsigned shift)
{
    uint64_t position[256] = {0}, before = 0;
    for (uint64_t i = 0; i < count; i++) position[from[i] >> shift & 255]++;
    if (position[from[0] >> shift & 255] == count) return false;
    for (unsigned byte = 0; byte < 256; byte++) {
        uint64_t source = position[byte];
        position[byte] = before;
        before += source;
    }
    for (uint64_t i = 0; i < count; i++) to[position[from[i] >> shift & 255]++] = from[i];
    return true;
}

static uint64_t drop_repetitions(uint64_t *id, uint64_t count)
{
    uint64_t unique = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (unique == 0 || id[unique - 1] != id[i]) id[unique++] = id[i];
    }
    return unique;
}

static void gather(const struct gws__edge_range *range, uint64_t *id)
{
    struct gws_edge buffer[GWS__PACK_EDGES];
    for (uint64_t i = range->begin; range->wide && i < range->end; i++) {
        *id++ = range->block.wide[i].from;
        *id++ = range->block.wide[i].to;
    }
    for (uint64_t at = range->begin, count; !range->wide && at < range->end; at += count) {
        const struct gws_edge *edge = gws__block_edges(&range->block, at, range->end, &count, buffer);
        for (uint64_t i = 0; i < count; i++) {
            *id++ = edge[i].from;
            *id++ = edge[i].to;
        }
    }
}

static void sort_ranges(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct id_sort *sort = context;
    (void)worker;
    for (uint64_t s = begin; s < end; s++) {
        struct id_run *run = &sort->run[s];
        uint64_t *source = sort->from + run->at, *target = sort->to + run->at;
        gather(&sort->range[s], source);
        for (unsigned shift = 0; shift < 64; shift += 8) {
            if (!sort_by_byte(source, target, run->count, shift)) continue;
            uint64_t *swap = source;
            source = target;
            target = swap;
        }
        if (source != sort->from + run->at) memcpy(target, source, run->count * sizeof *source);
        run->count = drop_repetitions(sort->from + run->at, run->count);
    }
}

static uint64_t merge(const uint64_t *a, uint64_t as, const uint64_t *b, uint64_t bs, uint64_t *to)
{
    uint64_t made = 0, i = 0, j = 0;
    while (i < as && j < bs) {
        uint64_t x = a[i], y = b[j];
        to[made++] = x < y ? x : y;
        i += x <= y;
        j += y <= x;
    }
    memcpy(to + made, a + i, (as - i) * sizeof *a);
    made += as - i;
    memcpy(to + made, b + j, (bs - j) * sizeof *b);
    return made + bs - j;
}

static void merge_pairs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct id_sort *sort = context;
    (void)worker;
    for (uint64_t pair = begin; pair < end; pair++) {
        struct id_run first = sort->run[2 * pair], second = {0};
        if (2 * pair + 1 < sort->runs) second = sort->run[2 * pair + 1];
        sort->next[pair].at = first.at;
        sort->next[pair].count =
            merge(sort->from + first.at, first.count, sort->from + second.at, second.count, sort->to + first.at);
    }
}

static gws_status merge_all(struct gws_runtime *runtime, struct id_sort *sort)
{
    gws_status status = GWS_OK;
    while (status == GWS_OK && sort->runs > 1) {
        uint64_t pairs = (sort->runs + 1) / 2;
        status = gws_parallel_try_for(runtime, pairs, 1, merge_pairs, sort);
        uint64_t *from = sort->from;
        struct id_run *run = sort->run;
        sort->from = sort->to;
        sort->to = from;
        sort->run = sort->next;
        sort->next = run;
        sort->runs = pairs;
    }
    return status;
}

/* Replaces this rank's ids by those of all ranks. */
static gws_status unite(struct gws__read_ranks *ranks, gws_status own, struct gws__id_map *names)
{
    struct gws_runtime *runtime = names->runtime;
    struct gws__gathered gathered;
    gws_status status =
        gws__read_ranks_gather(ranks, runtime, own, names->id, names->vertices * sizeof *names->id, &gathered);
    struct id_sort sort = {.from = gathered.all, .runs = gws_transport_ranks(ranks->transport)};
    const uint64_t runs = sort.runs, ids = gathered.total;
    if (status == GWS_OK) {
        sort.to = gws_allocate(runtime, ids, sizeof *sort.to);
        sort.run = gws_allocate(runtime, runs, sizeof *sort.run);
        sort.next = gws_allocate(runtime, runs, sizeof *sort.next);
        status = sort.to && sort.run && sort.next ? GWS_OK : GWS_NO_MEMORY;
    }
    for (uint64_t r = 0, at = 0; status == GWS_OK && r < runs; at += gathered.words[r++])
        sort.run[r] = (struct id_run){at, gathered.words[r]};
    if (status == GWS_OK) status = merge_all(runtime, &sort);
    if (status == GWS_OK) {
        gws_release(runtime, names->id, names->ids, sizeof *names->id);
        names->id = sort.from;
        names->ids = ids;
        names->vertices = sort.run[0].count;
        sort.from = NULL;
    }
    gathered.all = NULL; /* one of the two arrays of the sort */
    gws__gathered_free(ranks, runtime, &gathered);
    gws_release(runtime, sort.from, ids, sizeof *sort.from);
    gws_release(runtime, sort.to, ids, sizeof *sort.to);
    gws_release(runtime, sort.run, runs, sizeof *sort.run);
    gws_release(runtime, sort.next, runs, sizeof *sort.next);
    return status;
}

gws_status gws__id_map_sort(const struct gws__edges *edges, const struct gws__edge_ranges *ranges,
                            struct gws__id_map *names)
{
    struct gws_runtime *runtime = edges->runtime;
    uint64_t ids = 2 * (gws__edges_count(edges, false) + gws__edges_count(edges, true)), at = 0;
    struct id_sort sort = {.range = ranges->range, .runs = ranges->count};
    sort.from = gws_allocate(runtime, ids, sizeof *sort.from);
    sort.to = gws_allocate(runtime, ids, sizeof *sort.to);
    sort.run = gws_allocate(runtime, ranges->count, sizeof *sort.run);
    sort.next = gws_allocate(runtime, ranges->count, sizeof *sort.next);
    gws_status status = sort.from && sort.to && sort.run && sort.next ? GWS_OK : GWS_NO_MEMORY;
    if (status == GWS_OK) {
        for (uint64_t s = 0; s < ranges->count; s++) {
            sort.run[s] = (struct id_run){.at = at, .count = 2 * (ranges->range[s].end - ranges->range[s].begin)};
            at += sort.run[s].count;
        }
        status = gws_parallel_try_for(runtime, sort.runs, 1, sort_ranges, &sort);
        if (status == GWS_OK) status = merge_all(runtime, &sort);
        names->id = sort.from;
        names->ids = ids;
        names->vertices = sort.runs > 0 ? sort.run[0].count : 0;
        sort.from = NULL;
    }
    gws_release(runtime, sort.from, ids, sizeof *sort.from);
    gws_release(runtime, sort.to, ids, sizeof *sort.to);
    gws_release(runtime, sort.run, ranges->count, sizeof *sort.run);
    gws_release(runtime, sort.next, ranges->count, sizeof *sort.next);
    return edges->ranks ? unite(edges->ranks, status, names) : status;
}
