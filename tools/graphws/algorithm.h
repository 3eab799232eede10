/* SPDX-License-Identifier: MIT */
/* The interface between graphws and its algorithms. An algorithm is a const struct in the table of graphws.c. Its own
 * file defines its options, its state, and the members of its output.
 *
 * The state is memory of the algorithm: option rows fill it in, and run() stores the last result there. Functions that
 * return int follow the convention of the tools: -1 to continue, or the exit status after reporting the error. */
#ifndef TOOLS_GRAPHWS_ALGORITHM_H
#define TOOLS_GRAPHWS_ALGORITHM_H

#include "../common/json.h"
#include "../common/parting.h"
#include "../common/rank_graphs.h"
#include "../common/session.h"
#include "../common/subcommand.h"
#include "../common/workers.h"

/* The input of a run. */
struct algorithm_input {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    struct gws_device_graph *on_device; /* one device runs the algorithm; NULL: the threads or several devices */
    struct gws_device *const *device;   /* several devices, among which open() parts the graph */
    uint32_t devices;                   /* their number; 0: the threads or one device */
    uint32_t source;                    /* if the algorithm has sources */
    uint64_t seed;
    bool by_vertex; /* --out, --top or --plot need the columns of the result */
    bool table;     /* --out needs them */
};

/* The input of a run under mpirun. */
struct algorithm_rank_input {
    struct gws_runtime *runtime;
    const struct gws_rank_graph *graph;
    const struct gws_graph *whole; /* describes the whole graph; on rank 0 with ids or names; without rows */
    uint32_t source;               /* if the algorithm has sources */
};

enum { ALGORITHM_COLUMNS = 8, ALGORITHM_DEVICES = 8, ALGORITHM_ADDRESSES = ALGORITHM_DEVICES * DEVICE_ADDRESS };

/* A device's part of a graph that is parted among devices, and what the device did in the last run. */
struct algorithm_part {
    uint64_t vertices, arcs;
    uint64_t bytes;      /* of the device's memory */
    uint64_t sent_bytes; /* values written to other devices */
    double upload_ms;
    double idle; /* the groups' share of time at barriers; NAN: not measured */
};

/* A table of results. Set table->rows for a table that has no row for each vertex. */
struct algorithm_table {
    struct gws_table table; /* .graph, .rows (the vertices) and .column are set before the call */
    struct gws_column column[ALGORITHM_COLUMNS];
};

/* The values 0, 1, ... of a result and how often each occurs. The names are for headings. */
struct algorithm_histogram {
    const char *value, *counted;
    const uint64_t *count;
    uint64_t values;
};

struct algorithm {
    struct subcommand command; /* must be first: the table of graphws lists this member */
    bool sources;              /* each run starts from a vertex of --source, ... */
    size_t source;             /* ... a const char * at this offset in the state, initially "random"; see sources_row */
    size_t list;               /* offset of the value of --sources, a const char *, in the state; 0: no such option */
    bool weights;              /* the runs read the weights of the arcs */

    int (*check)(void *state);        /* checks options against each other; may be NULL */
    bool (*draws)(const void *state); /* true if run() draws random numbers from the seed; may be NULL */
    /* Returns true if the runs read the reverse of a directed graph; the tool then builds it before the runs. NULL:
     * never. */
    bool (*reverse)(const void *state);
    /* Runs once after the graph is loaded, and prepares everything else that the runs need. May be NULL. */
    gws_status (*open)(void *state, const struct algorithm_input *input, struct gws_diagnostic *where);
    /* Stores the result in the state. where's message has details, if any. GWS_INVALID means wrong options. */
    gws_status (*run)(void *state, const struct algorithm_input *input, struct gws_diagnostic *where);
    /* Checks the last result: GWS_OK, GWS_WRONG_RESULT, or GWS_TOO_LARGE if the check would take too long. */
    gws_status (*verify)(void *state, const struct algorithm_input *input, struct gws_diagnostic *where);
    /* Under mpirun: open(), run() and verify() on a graph among ranks, on all ranks together, and the columns of this
     * rank's result, whose number rank_columns() returns. rank_open may be NULL. rank_run is NULL if the algorithm
     * runs in one process only. rank_reverse: the runs read the reverse of a directed graph. */
    gws_status (*rank_open)(void *state, const struct algorithm_rank_input *input, struct gws_diagnostic *where);
    gws_status (*rank_run)(void *state, const struct algorithm_rank_input *input, struct gws_diagnostic *where);
    gws_status (*rank_verify)(void *state, const struct algorithm_rank_input *input, struct gws_diagnostic *where);
    uint32_t (*rank_columns)(const void *state, struct rank_column *column);
    bool rank_reverse;
    /* Describes the part of a device, after open() with several devices. NULL: the algorithm runs on one device only.
     */
    struct algorithm_part (*part)(const void *state, uint32_t device);
    enum parting parting;       /* which of them */
    void (*clear)(void *state); /* frees the memory that the state owns */

    /* Offsets of doubles in the state, the times of the last run in milliseconds: the algorithm, its preparation in the
     * call, and the copy of the result from a device. An offset of 0 for the last two: there is no such time. */
    size_t ms, prepare_ms, fetch_ms;

    /* Members of the state for the options, and for the last result; finding: lines of text for json_fields_print(). */
    struct json_table parameter, found;
    const char *finding;

    /* Sets table->columns and the columns of --out. The first column is a vertex. */
    void (*columns)(const void *state, struct algorithm_table *table);
    /* The table that --top and --plot rank by its second column; NULL: the table of --out. The function may allocate
     * memory from the runtime; clear() frees it. */
    gws_status (*ranking)(void *state, const struct algorithm_input *input, struct algorithm_table *table);
    /* The histogram that the summary prints and --plot draws; NULL: --plot draws the values of the ranking. */
    struct algorithm_histogram (*histogram)(const void *state);
};

/* Initialises the members that depend on the type of an algorithm's state, on `group` and on `initial`. The state has a
 * member `result` with times. */
#define ALGORITHM_STATE(type) SUBCOMMAND_STATE(type), .ms = offsetof(type, result.ms)

/* The algorithms, in the order of --help. */
#define ALGORITHMS(X)                                                                                                  \
    X(sssp)                                                                                                            \
    X(path)                                                                                                            \
    X(components)                                                                                                      \
    X(pagerank)                                                                                                        \
    X(betweenness)                                                                                                     \
    X(closeness)                                                                                                       \
    X(distances)                                                                                                       \
    X(triangles)                                                                                                       \
    X(kcore)                                                                                                           \
    X(communities)

#define ALGORITHM_DECLARED(name) extern const struct algorithm algorithm_##name;
ALGORITHMS(ALGORITHM_DECLARED)

/* ---- settings.c ---- */

struct algorithm_settings {
    struct session_settings session;
    struct device_choices devices; /* parsed from device */
    bool automatic;                /* --device auto */
    const char *device;
    const char *out, *plot; /* files; NULL: not wanted */
    const char *weights;    /* "MIN:MAX"; NULL: those of the graph */
    int32_t min_weight, max_weight;
    uint64_t top; /* 0: not wanted */
};

/* Returns the value of --source, or NULL if the algorithm has no sources. */
static inline const char *algorithm_source(const struct algorithm *algorithm, const void *state)
{
    return algorithm->sources ? *(const char *const *)((const char *)state + algorithm->source) : NULL;
}

/* Parses the command line, also ranks->links. Returns -1, or the exit status; the caller frees call->state in both
 * cases.
 */
int algorithm_parse(struct algorithm_settings *settings, struct ranks *ranks, int argc, char **argv,
                    struct subcommand_call *call);

/* ---- report.c ---- */

struct algorithm_run {
    uint32_t source;
    double ms, prepare_ms, fetch_ms;
};

struct algorithm_report {
    const struct algorithm_settings *settings;
    const struct algorithm *algorithm;
    void *state;
    struct session session;
    struct gws_device *device; /* the first one of `opened`; NULL: threads */
    struct gws_device *opened[ALGORITHM_DEVICES];
    uint32_t devices;
    char selected[256]; /* KIND:all: the choice of one device and its reason; otherwise empty */
    struct algorithm_input input;
    double reverse_ms, open_ms; /* 0: nothing was built */
    struct algorithm_run *run;  /* runs entries are filled */
    uint64_t runs;
    struct workers workers;      /* over all runs */
    enum verified verified;      /* of the worst run */
    struct algorithm_table *top; /* the ranking; NULL: none */
    uint64_t *top_row;           /* the rows of --top, by descending value */
    uint64_t tops;
};

/* Allocates space for runs. Returns false if memory runs out; call algorithm_report_clear() in both cases. */
bool algorithm_report_begin(struct algorithm_report *report, uint64_t runs);
void algorithm_report_clear(struct algorithm_report *report);

/* Adds the run that has just ended. */
void algorithm_report_add_run(struct algorithm_report *report);

void algorithm_report_print(const struct algorithm_report *report, FILE *out);

/* Adds its members to the open object. data: a struct algorithm_report. */
void algorithm_report_json(const void *data, struct json *json);

/* ---- devices.c ---- */

/* Opens the devices of --device. Returns -1, or the exit status. The caller closes the devices in both cases. */
int algorithm_devices_open(struct algorithm_report *report);
void algorithm_devices_close(struct algorithm_report *report);

/* Keeps one device of KIND:all if it is expected to be faster alone, after the graph has been loaded. */
void algorithm_devices_select(struct algorithm_report *report);

/* Writes the addresses of the devices into text (ALGORITHM_ADDRESSES bytes) and returns it. */
const char *algorithm_devices_text(const struct algorithm_report *report, char *text);

/* The time for building programs, and for copying the graph, on all devices. */
double algorithm_devices_translate_ms(const struct algorithm_report *report);
double algorithm_devices_upload_ms(const struct algorithm_report *report);

/* The parts of several devices. */
void algorithm_parts_print(const struct algorithm_report *report, FILE *out);
void algorithm_parts_json(const struct algorithm_report *report, struct json *json);

/* ---- ranks.c: the tool under mpirun ---- */

/* Refuses what several ranks cannot do. Returns -1, or the exit status. */
int algorithm_ranks_check(const struct algorithm_settings *settings, const struct subcommand_call *call);

/* Collective. Runs the algorithm on a graph that all ranks hold together. Returns the exit status. */
int algorithm_ranks_run(struct ranks *ranks, const struct algorithm_settings *settings,
                        const struct subcommand_call *call);

/* ---- ranking.c ---- */

/* Return the vertex in the first column of the ranking, and the value in the second column, NAN if the value is
 * missing. */
uint32_t ranking_vertex(const struct algorithm_table *table, uint64_t row);
double ranking_value(const struct algorithm_table *table, uint64_t row);

/* Fills in the rows of --top. Returns -1, or the exit status after reporting the error. */
int ranking_select(struct algorithm_report *report);

/* Draws the histogram of the ranking's values with gnuplot. Returns -1, or the exit status. */
int ranking_plot(const struct algorithm_report *report, const char *path);

#endif
