/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "ranks.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "console.h"

enum { watch_ms = 10000 };

struct rank_outcome {
    int failure;
    char message[CONSOLE_MESSAGE]; /* of a rank that prints nothing */
};

const char *const ranks_link_name[] = {"auto", "shared", "rma", "messages", NULL};
const char *const ranks_queue_name[] = {"saws", "split", NULL};

const struct option_row ranks_row[RANKS_ROWS] = {
    {CHOICE("transport", "NAME", offsetof(struct ranks, links), ranks_link_name,
            "reach other ranks by shared memory, rma or messages (default: auto)")},
    {CHOICE("rank-queue", "NAME", offsetof(struct ranks, queue), ranks_queue_name,
            "let other ranks steal by saws or from a split queue (default: saws)")},
};

/* ---- starting and ending ---- */

int ranks_refuse(const char *tool)
{
    uint32_t rank, count;
    if (!gws_transport_launched(&rank, &count)) return -1;
    console_begin(tool);
    if (rank > 0) return TOOL_DONE;
    return console_usage("runs in one process, but was started as several ranks; gbfs, graphws cc, pagerank and sssp, "
                         "and gtask uts, bpc, quicksort and madness run as ranks");
}

static int fail_to_open(uint32_t rank, gws_status status, const struct gws_diagnostic *where)
{
    /* Usually all ranks fail for the same reason. Rank 0 reports it, and the launcher ends the other ranks meanwhile.
     */
    if (rank > 0) (void)sleep(1);
    return console_fail_at(status, where);
}

static int allocate(struct ranks *ranks)
{
    ranks->row = calloc(ranks->count, sizeof *ranks->row);
    ranks->total = calloc(ranks->count, sizeof *ranks->total);
    ranks->outcome = calloc(ranks->count, sizeof *ranks->outcome);
    return ranks->row && ranks->total && ranks->outcome ? -1 : console_fail("%s", gws_status_text(GWS_NO_MEMORY));
}

/* Returns how many arguments an option has that may differ between ranks, itself included; 0: it may not. */
static int host_arguments(const char *argument)
{
    static const char *const name[] = {"--threads", "--max-memory", "--pin"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        const size_t length = strlen(name[i]);
        if (strncmp(argument, name[i], length) != 0) continue;
        if (argument[length] == '=' || strcmp(argument, "--pin") == 0) return 1;
        if (argument[length] == '\0') return 2;
    }
    return 0;
}

uint64_t ranks_hash(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Returns a hash of the other arguments. */
static uint64_t hash_arguments(int argc, char *const *argv)
{
    uint64_t hash = RANKS_HASH;
    for (int i = 1; i < argc;) {
        const int skipped = host_arguments(argv[i]);
        if (skipped == 0) hash = ranks_hash(hash, argv[i], strlen(argv[i]) + 1);
        i += skipped > 0 ? skipped : 1;
    }
    return hash;
}

/* Collective. */
static int check_arguments(const struct ranks *ranks, int argc, char *const *argv)
{
    const uint64_t own = hash_arguments(argc, argv);
    uint64_t first = ranks->rank == 0 ? own : 0;
    gws_transport_sum(ranks->transport, &first, 1);
    return own == first ? -1
                        : console_usage("its arguments are not those of rank 0; only --threads, --max-memory and --pin "
                                        "may differ");
}

int ranks_open(struct ranks *ranks, const char *tool, int argc, char *const *argv)
{
    uint32_t rank, count;
    struct gws_diagnostic where = {0};
    *ranks = (struct ranks){.count = 1};
    if (!gws_transport_launched(&rank, &count)) return allocate(ranks);
    console_begin(tool);
    if (rank == 0 && ranks_launcher_has_terminal()) console_progress_forwarded();
    ranks_watch(rank);
    gws_status status = gws_transport_open(&ranks->transport, &where);
    if (status != GWS_OK) return fail_to_open(rank, status, &where);
    ranks->rank = gws_transport_rank(ranks->transport);
    ranks->count = gws_transport_ranks(ranks->transport);
    ranks->own.rank = ranks->rank;
    ranks->run = (struct gws_ranks){.transport = ranks->transport, .stats = &ranks->last};
    (void)gethostname(ranks->own.host, sizeof ranks->own.host - 1);
    memory_share(gws_transport_ranks_here(ranks->transport));
    if (ranks->rank > 0) console_mute();
    int failure = ranks_agree(ranks, ranks->rank == 0 ? allocate(ranks) : -1);
    return failure < 0 ? ranks_agree(ranks, check_arguments(ranks, argc, argv)) : failure;
}

void ranks_close(struct ranks *ranks)
{
    gws_transport_close(ranks->transport);
    free(ranks->row);
    free(ranks->total);
    free(ranks->outcome);
    *ranks = (struct ranks){0};
}

int ranks_choose(struct ranks *ranks)
{
    const char *links = ranks_link_name[ranks->links];
    if (!ranks->transport && ranks->links + ranks->queue > 0)
        return console_usage("--%s requires several ranks, which mpirun starts",
                             ranks->links > 0 ? "transport" : "rank-queue");
    if (!ranks->transport) return -1;
    ranks->run.queue = ranks_queue_name[ranks->queue];
    gws_status status = gws_transport_choose_links(ranks->transport, links);
    if (status == GWS_UNSUPPORTED) return console_fail("--transport %s does not connect all of these ranks", links);
    return status == GWS_OK ? -1 : console_fail("%s", gws_status_text(status));
}

int ranks_choose_for_graphs(struct ranks *ranks)
{
    enum { rma = 2 };
    if (ranks->links == 0) return -1;
    if (ranks->links == rma) return console_usage("--transport rma: graphs on ranks use shared memory or messages");
    return ranks_choose(ranks);
}

int ranks_watch_calls(const struct ranks *ranks, bool quiet)
{
    if (quiet || gws_transport_watch(ranks->transport, watch_ms, console_log, NULL) == GWS_OK) return -1;
    return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
}

/* ---- errors ---- */

/* Prints the message of the first rank that failed; rank 0 has printed its own. */
static void report_first(const struct ranks *ranks)
{
    uint32_t first = 0;
    while (first + 1 < ranks->count && ranks->outcome[first].failure <= TOOL_DONE) first++;
    if (first > 0) (void)console_fail("rank %u: %s", first, ranks->outcome[first].message);
}

int ranks_agree(const struct ranks *ranks, int failure)
{
    uint64_t status = (uint64_t)(failure + 1), can_report = ranks->rank > 0 || ranks->outcome;
    if (!ranks->transport) return failure;
    gws_transport_max(ranks->transport, &status, 1);
    if (status <= TOOL_DONE + 1) return (int)status - 1;
    struct rank_outcome own = {.failure = failure};
    snprintf(own.message, sizeof own.message, "%s", console_muted_message());
    gws_transport_sum(ranks->transport, &can_report, 1);
    if (can_report == ranks->count) gws_transport_gather(ranks->transport, &own, sizeof own, ranks->outcome);
    if (can_report == ranks->count && ranks->rank == 0) report_first(ranks);
    return (int)status - 1;
}

/* ---- statistics ---- */

void ranks_add_across(struct gws_rank_stats *sum, const struct gws_rank_stats *part)
{
    sum->requests += part->requests;
    sum->refused += part->refused;
    sum->steals += part->steals;
    sum->stolen += part->stolen;
    sum->given += part->given;
    sum->waves += part->waves;
    sum->polls += part->polls;
    sum->aborted += part->aborted;
    sum->failed += part->failed;
    sum->released += part->released;
    sum->reacquired += part->reacquired;
    sum->by_messages = part->by_messages;
    sum->by_rma = part->by_rma;
    sum->by_shared = part->by_shared;
    sum->by_device = part->by_device;
}

void ranks_add_run(struct ranks *ranks, struct gws_worker_stats *total)
{
    workers_add(&ranks->own.total, total);
    ranks_add_across(&ranks->own.across, &ranks->last);
    if (!ranks->transport) return;
    gws_transport_gather(ranks->transport, total, sizeof *total, ranks->total);
    if (ranks->rank > 0) return;
    *total = (struct gws_worker_stats){0};
    for (uint32_t i = 0; i < ranks->count; i++) workers_add(total, &ranks->total[i]);
}

/* Moves the rows of all ranks' workers, `max` for each rank, together. */
static uint32_t compact(const struct ranks *ranks, struct gws_worker_stats *all, uint64_t max)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < ranks->count; r++)
        for (uint64_t w = 0; w < ranks->row[r].threads; w++) all[count++] = all[r * max + w];
    return count;
}

/* On rank 0, replaces the workers by those of all ranks. */
static void gather_workers(struct ranks *ranks, struct workers *workers, const struct gws_worker_stats *own,
                           struct gws_worker_stats *all, uint64_t max)
{
    gws_transport_gather(ranks->transport, &ranks->own, sizeof ranks->own, ranks->row);
    gws_transport_gather(ranks->transport, own, max * sizeof *own, all);
    if (ranks->rank > 0) return;
    workers->count = compact(ranks, all, max);
    free(workers->sum);
    workers->sum = all;
}

int ranks_gather(struct ranks *ranks, struct workers *workers)
{
    uint64_t max = workers->count;
    ranks->own.threads = workers->count;
    if (!ranks->transport) {
        ranks->row[0] = ranks->own;
        return -1;
    }
    gws_transport_max(ranks->transport, &max, 1);
    struct gws_worker_stats *own = calloc(max, sizeof *own), *all = calloc(ranks->count * max, sizeof *all);
    int failure = ranks_agree(ranks, own && all ? -1 : console_fail("%s", gws_status_text(GWS_NO_MEMORY)));
    if (failure < 0 && own && all) {
        memcpy(own, workers->sum, workers->count * sizeof *own);
        gather_workers(ranks, workers, own, all, max);
    }
    free(own);
    if (workers->sum != all) free(all);
    return failure;
}
