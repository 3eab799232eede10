/* SPDX-License-Identifier: MIT */
/* gbfs on a device: the options, the search, the choice of --device auto, and the report. */
#ifndef TOOLS_GBFS_DEVICE_H
#define TOOLS_GBFS_DEVICE_H

#include "../common/device.h"
#include "../common/session.h"

/* ---- device_options.c ---- */

struct device_settings {
    struct device_groups groups;
    const char *devices;                       /* the list of --device; NULL: only the CPU's threads */
    const char *threshold;                     /* "auto" or a number; NULL: not given */
    int steal, order, form, launch, placement; /* enums of the library; -1: not given */
    uint64_t memory;                           /* bytes; 0: all */
    uint64_t batch;                            /* searches in a call; 0: not given, one */
    int no_index, fetch;                       /* no_index 1: build no indexes; fetch -1: not given */
};

/* The settings of a command line without device options. */
#define DEVICE_SETTINGS_NONE                                                                                           \
    {                                                                                                                  \
        .steal = -1, .order = -1, .form = -1, .launch = -1, .placement = -1, .fetch = -1                               \
    }

enum { DEVICE_ROWS = 11 };
extern const struct option_row device_row[DEVICE_ROWS];

/* Answers --device help, and fills choice, or for several devices list, with the first address also in choice. Refuses
 * options that are unknown, contradict each other, or would have no effect. Returns -1 to continue, or the exit status.
 */
int device_check(const struct device_settings *settings, const struct runtime_options *options,
                 struct device_choice *choice, struct device_choices *list);

/* Convert checked settings to the library's options; options.cpu comes from choice. */
struct gws_device_graph_options device_graph_options(const struct device_settings *settings);
struct gws_bfs_device_options device_options(const struct device_settings *settings,
                                             const struct runtime_options *options, const struct device_choice *choice,
                                             enum gws_bfs_direction direction);

/* Returns the arrays that --fetch selects, a set of enum gws_bfs_part. */
uint32_t device_parts(const struct device_settings *settings);

/* Names of the enums' values. */
extern const char *const device_steal_name[], *const device_order_name[];

/* ---- device_search.c ---- */

struct device_search {
    struct gws_device *device; /* the first one; NULL: only the CPU's threads search */
    /* Several devices: */
    struct gws_device *other[GWS_BFS_DEVICES - 1];
    uint32_t others;
    bool may_be_one;                /* KIND:all: one device may search alone */
    struct gws_bfs_devices *parted; /* the graph parted among the devices; NULL: one device searches */
    double upload_ms;               /* time of copying the rows */
    /* One device: */
    struct gws_device_graph *graph;
    struct gws_bfs_device *search;
    struct gws_bfs_device_options chosen;   /* the effective options */
    struct gws_bfs_device_stats *now, *sum; /* workers entries each, groups first; of the last run, and of all runs */
    uint32_t workers;
    char selected[256]; /* --device auto: the selection and its reason; otherwise empty */
    bool has_model;
    struct gws_handoff_model model; /* its counts are sums over the measured runs */
    uint64_t cpu_searches;          /* searches of a host-resident mesh that the threads ran completely */
    uint32_t parts;                 /* the arrays of the results that are fetched */
    double prepare_ms;              /* time of opening the search, without building programs */
    double fetch_ms;                /* time of the last run's call, without the search */
};

/* These functions return -1, or the exit status after reporting the error. */

/* Opens the device if one is chosen, or those of list if it has several. Call device_search_close() in both cases; it
 * accepts {0}. */
int device_search_device(struct device_search *search, struct gws_runtime *runtime, const struct device_choice *choice,
                         const struct device_choices *list);

/* Copies the graph to the device and prepares searches. */
int device_search_open(struct device_search *search, struct session *session,
                       const struct gws_device_graph_options *placing, const struct gws_bfs_device_options *options);

/* Opens the device and the search with default placement, and reports nothing. Returns the library's status, with a
 * message in *where. */
gws_status device_search_try(struct device_search *search, struct session *session, const char *address,
                             const struct gws_bfs_device_options *options, struct gws_diagnostic *where);

/* Overwrites the last result before a search that is verified (gws_bfs_device_poison()). */
int device_search_poison(struct device_search *search);
int device_search_run(struct device_search *search, uint32_t source, struct gws_bfs_result *result);
void device_search_close(struct device_search *search);

/* The caller calls these functions before and after the measured runs. */
void device_search_start(struct device_search *search);
void device_search_stop(struct device_search *search);

/* Returns the sum over the device's groups (gpu) or over the CPU's threads. */
struct gws_bfs_device_stats device_search_side(const struct device_search *search, bool gpu);

/* ---- parted.c: several devices ---- */

/* Opens the devices of a list. */
int parted_devices(struct device_search *search, struct gws_runtime *runtime, const struct device_choices *list);

/* Parts the graph, or, if one of the devices of KIND:all is expected to be faster alone, closes the others and leaves
 * search->parted NULL. */
gws_status parted_open(struct device_search *search, struct session *session,
                       const struct gws_device_graph_options *placing, enum gws_bfs_direction direction,
                       struct gws_diagnostic *where);
void parted_close(struct device_search *search);

/* Writes the devices' addresses, separated by commas, into text. Returns text. */
enum { PARTED_ADDRESSES = GWS_BFS_DEVICES * DEVICE_ADDRESS };
const char *parted_addresses(const struct device_search *search, char *text);

/* Parts of the report: lines of the summary, the table of --stats, members of the open object. */
void parted_print(const struct device_search *search, FILE *out);
void parted_print_parts(const struct device_search *search, FILE *out);
void parted_json(const struct device_search *search, struct json *json);

/* ---- device_auto.c ---- */

/* Searches twice from source with the threads, into result, and estimates which configuration is fastest for `searches`
 * searches. Opens the device with the graph on it, or leaves search unchanged for the threads. search->selected has the
 * selection and its reason. A device that is missing or fails is no error. Returns -1, or the exit status after
 * reporting the error. */
int device_auto(struct device_search *search, struct session *session, enum gws_bfs_direction direction,
                uint32_t source, uint64_t searches, struct gws_bfs_result *result);

/* ---- device_report.c ---- */

/* Lines of the summary: the device's configuration, and the stolen tasks. */
void device_report_print(const struct device_search *search, FILE *out);
void device_report_print_stolen(const struct device_search *search, FILE *out);

/* Tables of --stats: by worker, and the shares of the thesis's Figure 4.1; with handoff also the cost model. */
void device_report_print_workers(const struct device_search *search, FILE *out);
void device_report_print_model(const struct device_search *search, FILE *out);

/* Adds its members, including "workers", to the open object. */
void device_report_json(const struct device_search *search, struct json *json);

#endif
