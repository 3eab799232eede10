/* SPDX-License-Identifier: MIT */
/* Quicksort on several ranks. The ranks divide the keys into a part for each (quicksort_division.c). Then the parts lie
 * in memory that the ranks of a host share, and their ranges are tasks that these ranks steal (quicksort.c; Rudolph et
 * al., SPAA 1991, section 4, on the ranks of Dinan et al., SC 2009). If ranks have devices, each rank has several
 * parts, which the sides of all ranks of a host take (quicksort_sides.c). */
#include "quicksort_ranks.h"

#include <string.h>

#include "../lib/parallel.h"
#include "quicksort_division.h"

static void sum_results(struct gws_transport *transport, struct gws_quicksort_result *result)
{
    uint64_t counts[] = {result->tasks, result->splits}, depth = result->depth;
    gws_transport_sum(transport, counts, 2);
    gws_transport_max(transport, &depth, 1);
    *result = (struct gws_quicksort_result){.tasks = counts[0], .splits = counts[1], .depth = depth};
}

/* ---- on devices ---- */

/* Lists the ranks of this host, from this one on. Returns their number. */
static uint32_t list_shares(const struct gws__key_division *all)
{
    uint32_t shares = 0;
    for (uint32_t i = 0; i < all->ranks; i++) {
        const uint32_t rank = (all->self + i) % all->ranks;
        uint64_t *keys = all->base[rank];
        if (!keys) continue;
        all->share[shares++] = (struct gws__quicksort_share){.part = all->part + (uint64_t)rank * all->each,
                                                             .parts = all->each,
                                                             .from = keys,
                                                             .to = keys,
                                                             .next = (_Atomic uint64_t *)(keys - GWS__QUICKSORT_HEAD)};
    }
    return shares;
}

/* Counts the parts that moved between ranks. */
static void count_parts(const struct gws__key_division *all, const struct gws_quicksort_side_result *found,
                        uint32_t sides, struct gws_rank_stats *stats)
{
    uint64_t own = 0;
    struct gws_transport_links links;
    gws_transport_describe_links(all->transport, &links);
    *stats = (struct gws_rank_stats){.by_shared = links.by_shared, .by_messages = links.by_messages};
    for (uint32_t i = 0; i < sides; i++) {
        stats->requests += found[i].requests;
        stats->stolen += found[i].stolen;
        own += found[i].parts - found[i].stolen;
    }
    stats->steals = stats->stolen;
    stats->refused = stats->requests - stats->steals;
    stats->given = all->each - own;
}

static gws_status sort_on_sides(const struct gws__key_division *all, const struct gws_quicksort_sides *sides,
                                const struct gws_quicksort_options *options, struct gws_rank_stats *stats,
                                struct gws_quicksort_result *result, struct gws_diagnostic *where)
{
    struct gws_quicksort_side_result found[GWS_DEVICE_TASK_SIDES + 1];
    struct gws_quicksort_sides own = *sides;
    struct gws_diagnostic message = {0};
    const uint32_t count = sides->devices + sides->workers;
    own.found = found;
    (void)gws_transport_agree(all->transport, GWS_OK); /* all keys have arrived */
    gws_status status =
        gws__quicksort_sort_shares(all->runtime, &own, all->share, list_shares(all), options, result, &message);
    status = gws_transport_agree_on(all->transport, status, &message);
    if (status != GWS_OK) {
        if (where) *where = message;
        return status;
    }
    if (stats) count_parts(all, found, count, stats);
    if (sides->found) memcpy(sides->found, found, count * sizeof *found);
    return status;
}

/* ---- the call ---- */

/* Finds the number of parts of each rank. Returns whether some rank has a device. */
static bool choose_parts(struct gws__key_division *all, const struct gws_quicksort_sides *sides)
{
    uint64_t max[] = {sides->devices, sides->devices + sides->workers, all->count};
    gws_transport_max(all->transport, max, sizeof max / sizeof *max);
    const uint32_t wanted = max[0] > 0 ? gws__quicksort_wanted(max[2], (uint32_t)max[1]) : 1;
    const uint32_t limit = GWS__QUICKSORT_ALL_PARTS / all->ranks;
    all->each = wanted < limit ? wanted : limit > 0 ? limit : 1;
    all->parts = all->each * all->ranks;
    return max[0] > 0;
}

static gws_status sort_on_ranks(struct gws__key_division *all, const struct gws_ranks *ranks,
                                const struct gws_quicksort_options *options, struct gws_quicksort_result *result,
                                struct gws_quicksort_parted *sorted, struct gws_diagnostic *where)
{
    static const struct gws_quicksort_sides workers = {.workers = true};
    const struct gws_quicksort_sides *sides = options->sides ? options->sides : &workers;
    struct gws_ranks own = *ranks;
    struct gws_quicksort_result found;
    const bool on_devices = choose_parts(all, sides);
    gws_status status = gws__key_division_open(all);
    if (status == GWS_OK) status = gws__key_division_run(all, options->seed, sorted, where);
    own.all_roots = true;
    own.reach = all->base;
    if (status == GWS_OK)
        status = on_devices ? sort_on_sides(all, sides, options, ranks->stats, &found, where)
                            : gws__quicksort_sort_parts(all->runtime, &own, sorted->count, options, &found);
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
        gws_release(sorted->runtime, sorted->counted, GWS__QUICKSORT_HEAD + sorted->count, sizeof *sorted->keys);
    *sorted = (struct gws_quicksort_parted){0};
}
