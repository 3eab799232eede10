/* SPDX-License-Identifier: MIT */
/* Quicksort on several ranks. The ranks divide the keys into a part for each (quicksort_division.c). Then the parts lie
 * in memory that the ranks of a host share, and their ranges are tasks that these ranks steal (quicksort.c; Rudolph et
 * al., SPAA 1991, section 4, on the ranks of Dinan et al., SC 2009). If ranks have devices, each rank first sorts the
 * keys that it has, and then all merge (quicksort_merge.c). */
#include "quicksort_ranks.h"

#include "../lib/parallel.h"
#include "quicksort_division.h"

enum {
    merged_parts = 64,      /* of a rank: its workers merge them in parallel */
    max_merged_parts = 4096 /* of all ranks, if they are fewer: each rank has all counts */
};

static void sum_results(struct gws_transport *transport, struct gws_quicksort_result *result)
{
    uint64_t counts[] = {result->tasks, result->splits}, depth = result->depth;
    gws_transport_sum(transport, counts, 2);
    gws_transport_max(transport, &depth, 1);
    *result = (struct gws_quicksort_result){.tasks = counts[0], .splits = counts[1], .depth = depth};
}

/* Returns the number of parts that each rank merges. */
static uint32_t parts_of_rank(uint32_t ranks)
{
    const uint32_t parts = max_merged_parts / ranks;
    return parts > merged_parts ? merged_parts : parts > 0 ? parts : 1;
}

/* No task moves between ranks. */
static void describe_links(const struct gws_transport *transport, struct gws_rank_stats *stats)
{
    struct gws_transport_links links;
    gws_transport_describe_links(transport, &links);
    *stats = (struct gws_rank_stats){.by_shared = links.by_shared, .by_messages = links.by_messages};
}

static gws_status sort_on_ranks(struct gws__key_division *all, const struct gws_ranks *ranks,
                                const struct gws_quicksort_options *options, struct gws_quicksort_result *result,
                                struct gws_quicksort_parted *sorted, struct gws_diagnostic *where)
{
    static const struct gws_quicksort_sides workers = {.workers = true};
    const struct gws_quicksort_sides *sides = options->sides ? options->sides : &workers;
    struct gws_ranks own = *ranks;
    struct gws_quicksort_result found;
    uint64_t devices = sides->devices;
    gws_transport_max(all->transport, &devices, 1);
    all->each = devices > 0 ? parts_of_rank(all->ranks) : 1;
    all->parts = all->each * all->ranks;
    gws_status status = gws__key_division_open(all);
    if (status == GWS_OK && devices > 0) {
        status = gws__quicksort_merge(all, sides, options, &found, sorted, where);
        if (ranks->stats) describe_links(all->transport, ranks->stats);
    } else if (status == GWS_OK) {
        status = gws__key_division_run(all, options->seed, sorted, where);
        own.all_roots = true;
        own.reach = all->base;
        if (status == GWS_OK) status = gws__quicksort_sort_parts(all->runtime, &own, sorted->count, options, &found);
    }
    if (status == GWS_OK) {
        *result = found;
        sum_results(all->transport, result);
    }
    gws__key_division_close(all);
    if (status != GWS_OK) gws_quicksort_parted_free(all->transport, sorted);
    return status;
}

gws_status gws_quicksort_on_ranks(struct gws_runtime *runtime, const struct gws_ranks *ranks, const uint64_t *keys,
                                  uint64_t count, const struct gws_quicksort_options *options,
                                  struct gws_quicksort_result *result, struct gws_quicksort_parted *sorted,
                                  struct gws_diagnostic *where)
{
    struct gws__key_division all = {.runtime = runtime,
                                    .transport = ranks->transport,
                                    .ranks = gws_transport_ranks(ranks->transport),
                                    .self = gws_transport_rank(ranks->transport),
                                    .from = keys,
                                    .count = count};
    gws_quicksort_parted_free(ranks->transport, sorted);
    return GWS_CALL(runtime, where, sort_on_ranks(&all, ranks, options, result, sorted, where));
}

void gws_quicksort_parted_free(struct gws_transport *transport, struct gws_quicksort_parted *sorted)
{
    gws_transport_memory_close(transport, sorted->memory);
    if (sorted->runtime)
        gws_release(sorted->runtime, sorted->counted ? sorted->counted : sorted->keys, sorted->count,
                    sizeof *sorted->keys);
    *sorted = (struct gws_quicksort_parted){0};
}
