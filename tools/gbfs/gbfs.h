/* SPDX-License-Identifier: MIT */
/* The parts of gbfs: the command line, batches of searches, the report, and pictures. */
#ifndef TOOLS_GBFS_GBFS_H
#define TOOLS_GBFS_GBFS_H

#include "../common/ranks.h"
#include "../common/workers.h"
#include "device.h"

/* ---- settings.c ---- */

struct picture_settings {
    const char *plot, *map; /* files; NULL: not wanted */
    const char *positions;  /* the .co file; NULL: the file beside the graph, if it exists */
};

struct bfs_settings {
    struct session_settings session;
    struct device_settings devices;
    struct device_choice choice; /* parsed from devices */
    struct device_choices list;  /* several devices; empty: choice is all */
    struct picture_settings pictures;
    const char *source, *out;
    int direction, levels, index;
    uint64_t graph500, edge_factor; /* 0: not given */
    char graph500_name[48];         /* of the graph of --graph500 */
};

#define BFS_SETTINGS_NONE                                                                                              \
    {                                                                                                                  \
        .source = "random", .session.options.repeat = 1, .devices = DEVICE_SETTINGS_NONE                               \
    }

/* Parses the command line, also ranks->links, and sets *graph to the operand. Returns -1, or the exit status. */
int settings_parse(struct bfs_settings *settings, struct ranks *ranks, int argc, char **argv, const char **graph);

/* Returns the name of the direction. */
const char *settings_direction(const struct bfs_settings *settings);

/* ---- report.c ---- */

struct bfs_run {
    uint32_t source, levels;
    uint64_t reached, edges; /* edges of the reached part; undirected edges count once */
    double ms, fetch_ms;     /* fetch_ms: the time of a device's call without the search */
    double verify_ms;
};

struct bfs_report {
    const struct runtime_options *options;
    struct session *session;
    struct device_search *device; /* never NULL; its .device is NULL if only the CPU's threads search */
    double reverse_ms;            /* 0: no reverse was built */
    double draw_ms;               /* within the session's load_ms; 0: unknown */
    struct gws_bfs_index index;   /* empty without --index */
    struct gws_bfs_result result; /* of the last run */
    struct bfs_run *run;          /* runs entries are filled */
    uint64_t runs;
    struct workers workers; /* over all runs, if only the CPU's threads search */
    int verified;           /* 1: all runs, 0: not all, -1: not requested */
};

/* Allocates space for runs. Returns false if memory runs out; call bfs_report_clear() in both cases. */
bool bfs_report_begin(struct bfs_report *report, uint64_t runs);
void bfs_report_clear(struct bfs_report *report);

/* Adds the run whose result is in report->result. */
void bfs_report_add_run(struct bfs_report *report);

/* Calls runtime_options_text(), and leaves out the threads if a device searches alone. */
char *bfs_report_policy_text(const struct bfs_report *report, char *text);

void bfs_report_print(const struct bfs_report *report, const char *direction, FILE *out);
void bfs_report_print_levels(const struct bfs_report *report, FILE *out);

/* Both add their members to the open object. */
void bfs_report_json(const struct bfs_report *report, struct json *json);
void bfs_report_levels_json(const struct bfs_report *report, struct json *json);

/* ---- batch.c ---- */

/* Searches on a device from count sources, `size` of them in a call. Adds each run to the report and verifies it with
 * verify() unless verify is NULL. verify() returns -1, or an exit status that ends the searches. The first `warmup`
 * searches are neither added nor verified. The library frees the results of a batch, so a final search from the last
 * source, which is not added, leaves its result in the report. Returns -1, or the exit status after reporting the
 * error. */
int batch_search(struct bfs_report *report, const uint32_t *source, uint64_t count, uint64_t size, uint64_t warmup,
                 int (*verify)(struct bfs_report *report));

/* ---- pictures.c, map.c ---- */

/* Pictures of the last run: its levels as curves, by gnuplot, and a map of the graph coloured by depth. */

enum { PICTURE_ROWS = 3 };
extern const struct option_row picture_row[PICTURE_ROWS];

/* Refuses pictures of the graph `name` that cannot be drawn or written. Returns -1, or the exit status. */
int pictures_check(const struct picture_settings *settings, const char *name);

/* Sets *path to the file that has the coordinates of the graph `name`; the caller frees it. NULL: there is none.
 * Returns -1, or the exit status. */
int pictures_positions(const struct picture_settings *settings, const char *name, char **path);

/* Refuses a map of a loaded graph that has no coordinates. Returns -1, or the exit status. */
int pictures_ready(const struct picture_settings *settings, const struct session *session);

/* Draws the requested pictures. Returns -1, or the exit status after reporting the error. */
int pictures_draw(const struct picture_settings *settings, const struct bfs_report *report);

/* The two pictures. */
int picture_of_levels(const struct bfs_report *report, const char *path);
int picture_of_map(const struct bfs_report *report, const char *path);

/* ---- graph500.c ---- */

/* With --graph500, sets graph500_name, repeat and verify, and refuses what contradicts it; operands: how many were
 * given. Returns -1, or the exit status. */
int graph500_begin(struct bfs_settings *settings, int operands);

/* Prints the lines of the Graph500 benchmark. */
void graph500_print(const struct bfs_report *report, const struct bfs_settings *settings, uint32_t ranks, FILE *out);

/* ---- ranks.c: the tool under mpirun ---- */

/* Refuses what several ranks cannot do. Returns -1, or the exit status. */
int rank_search_check(const struct bfs_settings *settings);

/* Collective. Searches the graph `name` that all ranks hold together. Returns the exit status. */
int rank_search(struct ranks *ranks, const struct bfs_settings *settings, const char *name);

#endif
