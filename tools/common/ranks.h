/* SPDX-License-Identifier: MIT */
/* A tool under mpirun (lib/transport.h): rank 0 alone prints, and all ranks end with the same exit status. */
#ifndef TOOLS_COMMON_RANKS_H
#define TOOLS_COMMON_RANKS_H

#include "../../graphws.h"
#include "json.h"
#include "options.h"
#include "workers.h"

enum { RANKS_HOST = 64, RANKS_ROWS = 2, RANKS_GRAPH_ROWS = 1 }; /* graphs: only transport */

/* What one rank did in all measured runs. */
struct rank_row {
    uint64_t rank, threads;
    char host[RANKS_HOST];
    struct gws_worker_stats total; /* over its workers */
    struct gws_rank_stats across;
    char device[RANKS_HOST]; /* the address of its device; empty: none */
    uint64_t on_device;      /* tasks that the device created */
};

struct rank_outcome;

struct ranks {
    struct gws_transport *transport; /* NULL: one process */
    uint32_t rank, count;
    int links, queue;           /* options; 0: the default */
    bool has_no_queues;         /* no tasks move between ranks */
    struct gws_ranks run;       /* for the library */
    struct gws_rank_stats last; /* of this rank: the last run */
    struct rank_row own;
    /* On rank 0: count entries each. */
    struct rank_row *row;           /* filled by ranks_gather() */
    struct gws_worker_stats *total; /* of the last run */
    struct rank_outcome *outcome;
};

extern const char *const ranks_queue_name[], *const ranks_link_name[]; /* by ranks.queue and ranks.links */
extern const struct option_row ranks_row[RANKS_ROWS];                  /* of a struct ranks: transport, rank-queue */

/* For tools that run in one process: if a launcher started several ranks, rank 0 reports an error. Returns -1 to
 * continue, or the exit status, which is TOOL_DONE on other ranks so that the launcher does not end rank 0 before its
 * report. */
int ranks_refuse(const char *tool);

/* Connects this process with the other ranks, if there are any; those other than 0 print nothing from now on. Refuses
 * ranks with other arguments than rank 0, which would make other calls: only the options of a host may differ. Returns
 * -1, or the exit status. The caller calls ranks_close() in both cases. */
int ranks_open(struct ranks *ranks, const char *tool, int argc, char *const *argv);
void ranks_close(struct ranks *ranks);

/* Collective. Chooses the links and the queue by the options, and refuses options without effect. Returns -1, or the
 * exit status. */
int ranks_choose(struct ranks *ranks);

/* The same for the graphs of ranks, whose links are chosen by the option alone. */
int ranks_choose_for_graphs(struct ranks *ranks);

/* Unless quiet: tells, after 10 s, which ranks wait in which collective call. Returns -1, or the exit status. */
int ranks_watch_calls(const struct ranks *ranks, bool quiet);

/* Collective. failure: this rank's exit status, or -1. Returns the highest of all ranks. Rank 0 prints the message of
 * the first rank that failed, unless it is its own, which it has printed. */
int ranks_agree(const struct ranks *ranks, int failure);

/* Collective, after each measured run: adds the counts of this rank. *total becomes the sum over all ranks on rank 0.
 */
void ranks_add_run(struct ranks *ranks, struct gws_worker_stats *total);

/* Collective, after the runs. On rank 0: fills row, and replaces *workers by the workers of all ranks in order. Returns
 * -1, or the exit status. */
int ranks_gather(struct ranks *ranks, struct workers *workers);

/* Adds the counts of another rank. */
void ranks_add_across(struct gws_rank_stats *sum, const struct gws_rank_stats *part);

/* Adds bytes to a hash by FNV-1a, which begins with RANKS_HASH. */
#define RANKS_HASH UINT64_C(0xcbf29ce484222325)
uint64_t ranks_hash(uint64_t hash, const void *bytes, size_t size);

/* ---- ranks_cpus.c ---- */

/* Collective, before the runtime is opened. With pin, this process may then use its share of the CPUs that it has in
 * common with other ranks, and no others. Returns -1, or the exit status. */
int ranks_divide_cpus(const struct ranks *ranks, bool pin);

/* ---- ranks_terminal.c ---- */

/* Returns whether standard error of this host's launcher is a terminal. Call it before ranks_watch(). */
bool ranks_launcher_has_terminal(void);

/* ---- ranks_watch.c ---- */

/* Under a launcher that names no dead rank, before anything else: continues in a child process, while this process
 * waits for it, says so if a signal has killed it, and ends in the same way. */
void ranks_watch(uint32_t rank);

/* ---- ranks_table.c ---- */

/* Prints how many pairs of ranks reach each other in each way, and then `rest`. */
struct rank_pairs {
    uint64_t shared, rma, messages;
};
void ranks_print_links(const struct ranks *ranks, struct rank_pairs pairs, const char *rest, FILE *out);

/* Prints a cell of the table's last row: the maximum of a column divided by its mean. */
void ranks_print_ratio(uint32_t ranks, double max, double sum, int width, FILE *out);

/* Prints a line about the tasks that moved between ranks; and the links, and the table by rank. */
void ranks_print_steals(const struct ranks *ranks, FILE *out);
void ranks_print(const struct ranks *ranks, FILE *out);
void ranks_json(const struct ranks *ranks, struct json *json, const char *key);

#endif
