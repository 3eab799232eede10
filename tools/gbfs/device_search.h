/* SPDX-License-Identifier: MIT */
/* Searching on a device: opened, run, and its workers' statistics added up over runs. */
#ifndef TOOLS_GBFS_DEVICE_SEARCH_H
#define TOOLS_GBFS_DEVICE_SEARCH_H

#include "../common/session.h"
#include "device_options.h"

struct device_search {
    struct gws_device *device; /* NULL: the CPU's threads search alone */
    struct gws_device_graph *graph;
    struct gws_bfs_device *search;
    struct gws_bfs_device_options chosen;   /* what the options that were not given became */
    struct gws_bfs_device_stats *now, *sum; /* workers entries each: groups first */
    uint32_t workers;
    char picked[256]; /* with --device auto: what, and why; otherwise empty */
    bool has_model;
    struct gws_handoff_model model; /* its counts added up over the runs that count */
    uint64_t cpu_searches;          /* of a mesh at the host: whole ones that the threads ran */
    uint32_t parts;                 /* of the results: what is fetched */
    double prepare_ms;              /* opening the search, without building programs */
    double fetch_ms;                /* of the last run's call what was no search */
};

/* All of these answer -1, or the status to exit with once the mistake has been reported. */

/* Opens the device, if one is chosen. device_search_close() is due in both cases; {0} is valid there. */
int device_search_device(struct device_search *search, struct gws_runtime *runtime, const struct device_choice *choice);

/* Puts the graph on it, and readies it for searches. */
int device_search_open(struct device_search *search, struct session *session,
                       const struct gws_device_graph_options *placing, const struct gws_bfs_device_options *options);

/* Both as far as nothing is asked for, saying nothing: the library's status, and a message in *where. */
gws_status device_search_try(struct device_search *search, struct session *session, const char *address,
                             const struct gws_bfs_device_options *options, struct gws_diagnostic *where);
/* Before a search that is to be verified (gws_bfs_device_poison()). */
int device_search_poison(struct device_search *search);
int device_search_run(struct device_search *search, uint32_t source, struct gws_bfs_result *result);
void device_search_close(struct device_search *search);

/* Brackets the runs that count. */
void device_search_start(struct device_search *search);
void device_search_stop(struct device_search *search);

/* What all workers of a side did. */
struct gws_bfs_device_stats device_search_side(const struct device_search *search, bool gpu);

#endif
