/* SPDX-License-Identifier: MIT */
/* What the ways of searching on a device share. A way is a row of functions; which one a search goes is settled when it
 * is opened. What the arrays hold, kernels/bfs/bfs.cl says. */
#ifndef GWS_TRAVERSAL_BFS_DEVICE_STATE_H
#define GWS_TRAVERSAL_BFS_DEVICE_STATE_H

#include "../../../../lib/device.h"
#include "../../../../lib/parallel.h"
#include "../../../../lib/trace.h"
#include "../../../bfs_device.h"
#include "../../../engine/device_graph.h"
#include "../state.h"

/* What every kernel gets first, in this order (SEARCH_PARAMETERS). */
enum gws__bfs_array {
    gws__bfs_offset,
    gws__bfs_target,
    gws__bfs_in_offset,
    gws__bfs_source,
    gws__bfs_depth,
    gws__bfs_parent,
    gws__bfs_visited,
    gws__bfs_list,
    gws__bfs_control,
    gws__bfs_sums,
    gws__bfs_queue,
    gws__bfs_stats,
    gws__bfs_arrays
};

/* Containers of levels that the programs come with; the policy decides. */
enum gws__bfs_work_queue { gws__bfs_static, gws__bfs_cursor, gws__bfs_chunked, gws__bfs_abp, gws__bfs_work_queues };

/* As in kernels/{bfs,bfs_alone,take,queue_words}. */
enum {
    bfs_control_words = 64,
    bfs_sum_words = 16,
    bfs_stats_words = 8,
    bfs_queue_words = 16,
    bfs_max_arguments = 32,
};

/* Words of a worker's statistics, as in kernels/queue/take.cl. */
enum {
    gws__bfs_stats_made,
    gws__bfs_stats_run,
    gws__bfs_stats_from_cpu,
    gws__bfs_stats_from_device,
    gws__bfs_stats_steals,
    gws__bfs_stats_failed,
    /* where they are measured: nanoseconds busy, and of the searches; a kernel leaves ticks */
    gws__bfs_stats_busy,
    gws__bfs_stats_time
};

struct gws__bfs_strategy {
    enum gws_bfs_form form;
    /* After run() depth and parent lie whole in the device's arrays: fetch() leaves them there, and the counts of arcs
     * need not be known. */
    bool on_device;
    /* Makes what the way needs beside the graph and the program. What failed halfway, close() frees. */
    gws_status (*open)(struct gws_bfs_device *search, struct gws_where *where);
    void (*close)(struct gws_bfs_device *search);
    /* Searches from search->result->source. Leaves depth and parent where the way has them; the levels, the counts and
     * .ms in the result, which has been prepared. */
    gws_status (*run)(struct gws_bfs_device *search, struct gws_where *where);
    /* Brings depth and parent into the result, and the workers' statistics of this search to search->ran. */
    gws_status (*fetch)(struct gws_bfs_device *search, struct gws_where *where);
    /* Overwrites depth and parent where run() leaves them (lib/poison.h), as gws__bfs_device_poison() where it is NULL.
     * Need not wait. */
    gws_status (*poison)(struct gws_bfs_device *search, struct gws_where *where);
};

extern const struct gws__bfs_strategy gws__bfs_device_per_level, gws__bfs_shared_persistent, gws__bfs_shared_per_level,
    gws__bfs_device_from_host, gws__bfs_device_whole, gws__bfs_device_handoff, gws__bfs_device_mesh_at_host;

/* A kernel that runs whole searches: the one for any graph, on any device that has warps or groups of one item, and
 * CUDA's for meshes. Their files fill the struct, persistent.c has what such searches share. */
struct gws__bfs_persistent {
    uint32_t level_bytes; /* of a level's record */
    /* Makes search->own and the arrays; what failed halfway, close() frees. close() allows that there is nothing. */
    gws_status (*open)(struct gws_bfs_device *search, struct gws_where *where);
    void (*close)(struct gws_bfs_device *search);
    /* One launch: of the searches of search->results, or of a part of one as search->handoff says. Need not wait. */
    gws_status (*launch)(struct gws_bfs_device *search, struct gws_where *where);
    struct gws_bfs_level (*level)(const struct gws_bfs_device *search, const void *record);
    /* Adds the levels of the last launch to the trace: where the record tells when they began; NULL: it does not. */
    gws_status (*trace)(struct gws_bfs_device *search, const void *record, struct gws_where *where);
    /* The groups' statistics of the last launches, into search->ran, which is clear. */
    gws_status (*fetch_stats)(struct gws_bfs_device *search, struct gws_where *where);
    /* Several searches in a launch: how many at most, and what one takes on the device beside its results; then arrays
     * for so many, which batch_close() takes away again, also what was made halfway. NULL: it needs none. */
    uint32_t (*batch)(struct gws_bfs_device *search, uint64_t *bytes);
    gws_status (*batch_open)(struct gws_bfs_device *search, uint32_t searches, struct gws_where *where);
    void (*batch_close)(struct gws_bfs_device *search);
};

extern const struct gws__bfs_persistent gws__bfs_whole, gws__bfs_mesh;

/* What such a kernel tells of a search at its end. */
struct gws__bfs_summary {
    uint32_t levels, reached, extra[2]; /* a mesh: the widest level, rows on the list */
};

/* Where the searches of a launch leave what they find beside depth and parent, one behind the other: V words each, and
 * V records of levels. */
struct gws__bfs_results {
    struct gws_device_buffer *level, *source, *summary;
    const uint32_t *from; /* their sources; NULL: the result's */
    uint32_t searches;
    double ms;         /* the launch's */
    uint64_t began_ns; /* of the trace: when it was started */
};

struct gws_bfs_device {
    struct gws_device_graph *device_graph;
    /* Of that: */
    struct gws_runtime *runtime;
    struct gws_device *device;
    const struct gws_graph *graph;
    enum gws_placement placement;
    uint64_t memory;
    const struct gws_graph *in;            /* whose rows bottom-up reads; NULL when there is none */
    struct gws_bfs_device_options options; /* with what was chosen */
    enum gws__bfs_work_queue work_queue;
    bool coarse;
    const struct gws__bfs_persistent *kernel; /* which runs whole searches; NULL: none does */
    uint64_t mesh_rows;                       /* of the graph as a mesh, where it is searched as one */
    bool limited;                             /* a budget of memory or the host as a place was asked for */
    bool budgeted; /* with the arcs at the host, what is left of the memory is for a copy of some of them */
    const struct gws__bfs_strategy *strategy;
    struct gws_device_program *program;
    struct gws_device_buffer *array[gws__bfs_arrays];
    struct gws_bfs_device_stats *stats; /* of each worker since the last reset */
    uint64_t *ran;                      /* bfs_stats_words for each, as the kernels keep them, of the last search */
    uint32_t workers;                   /* groups and CPU workers */
    void *own;                          /* the way's, or the kernel's */
    struct gws__bfs_handoff *handoff;   /* handoff.h; NULL: the search stays on the device */
    uint64_t cpu_searches;              /* whole ones that the CPU's workers ran, since the last reset (mesh_host.c) */
    bool poisons;                       /* each launch's results are overwritten before it */
    struct gws__bfs_results results;
    struct gws_device_buffer *narrow; /* depths in fewer bytes, once somebody has asked for them */
    bool narrowed;                    /* those of the last search */
    /* Of the search that runs, or ran last; NULL: there was none. */
    struct gws_bfs_result *result;
    struct gws__bfs_summary summary;
};

/* ---- memory.c ---- */

/* A buffer that a search needs. */
struct gws__bfs_need {
    struct gws_device_buffer **buffer;
    uint64_t bytes;
    bool clear;  /* memory that both address is cleared in any case */
    void **host; /* where the host finds such memory; NULL: the device's own */
};

/* Makes them. */
gws_status gws__bfs_device_buffers(struct gws_bfs_device *search, const struct gws__bfs_need *need, size_t count,
                                   struct gws_where *where);

/* The graph's arrays, which stay its own, and those of a search: on the device, or, where host is not NULL, in memory
 * of both, with the places in host[gws__bfs_arrays]. Then the program of that name; NULL: the
 * container's. */
gws_status gws__bfs_device_graph(struct gws_bfs_device *search, struct gws_where *where);
gws_status gws__bfs_device_arrays(struct gws_bfs_device *search, void **host, struct gws_where *where);
gws_status gws__bfs_device_program(struct gws_bfs_device *search, const char *name, const char *extra,
                                   struct gws_where *where);
void gws__bfs_device_free(struct gws_bfs_device *search); /* and forgets them: others may be made */

/* The poison() of ways that leave depth and parent in the arrays; of a launch's results the words that the host counts
 * by become 0. A search that could not be put on the device again has nothing there. */
gws_status gws__bfs_device_poison(struct gws_bfs_device *search, struct gws_where *where);

/* With the arcs at the host, what is left for rows of the memory that the search may take on the device: without the
 * `min` bytes that it takes in any case, and something of what is free, which stays for the driver. Errors:
 * GWS_TOO_LARGE. */
gws_status gws__bfs_device_budget(const struct gws_bfs_device *search, uint64_t min, uint64_t *left,
                                  struct gws_where *where);

/* One more level in the result. */
gws_status gws__bfs_device_level(struct gws_bfs_device *search, struct gws_bfs_level level, struct gws_where *where);

/* ---- launching ---- */

/* A kernel of the program, which gets the arrays first. */
struct gws__bfs_launch {
    const char *kernel;
    uint32_t groups;
    bool resident; /* they wait for each other or the host */
    const struct gws_device_argument *extra;
    uint32_t count; /* of more, at most bfs_max_arguments */
};

gws_status gws__bfs_device_launch(struct gws_bfs_device *search, const struct gws__bfs_launch *launch,
                                  struct gws_where *where);

/* ---- whole.c, mesh.c, mesh_host.c ---- */

/* No option asks for other kernels than those for whole searches; and what they take on the device, about, fits. */
bool gws__bfs_device_is_plain(const struct gws_bfs_device *search);
bool gws__bfs_device_fits(const struct gws_bfs_device *search);

/* Whether a search may go by that kernel, and whether it does so without being asked to; before sizes are chosen. */
bool gws__bfs_whole_supports(const struct gws_bfs_device *search);
bool gws__bfs_mesh_supports(struct gws_bfs_device *search);
bool gws__bfs_mesh_host_supports(struct gws_bfs_device *search);

/* Slices of so many levels on the track of that name, from their records (kernels/engine/state.cl): a launch that took
 * so many ticks of the device's clock, the last levels end with it, took from begin_ns to end_ns of the trace. A level
 * is shorter than 2^30 ticks. Nothing where nothing is traced, or the device has no clock (ticks 0). */
void gws__bfs_whole_trace(struct gws_runtime *runtime, const char *name, const uint64_t *record, uint32_t levels,
                          uint64_t ticks, uint64_t begin_ns, uint64_t end_ns);

/* A mesh's levels were too wide for one cluster. */
bool gws__bfs_mesh_is_wide(const struct gws_bfs_device *search);

/* Where such a mesh lies with the host, changes the search's way, from then on, to the one for other graphs. */
gws_status gws__bfs_mesh_host_reconsider(struct gws_bfs_device *search, struct gws_where *where);

/* What the device keeps of a mesh's rows; false, and nothing done, if this is another way. */
bool gws__bfs_mesh_host_cached(const struct gws_bfs_device *search, struct gws_bfs_device_kept *kept);

/* ---- persistent.c ---- */

/* The functions of ways by search->kernel. */
gws_status gws__bfs_persistent_open(struct gws_bfs_device *search, struct gws_where *where);
void gws__bfs_persistent_close(struct gws_bfs_device *search);
gws_status gws__bfs_persistent_run(struct gws_bfs_device *search, struct gws_where *where);
gws_status gws__bfs_persistent_fetch(struct gws_bfs_device *search, struct gws_where *where);

/* A mesh that was too wide is from now on searched by the kernel for any graph. */
gws_status gws__bfs_persistent_reconsider(struct gws_bfs_device *search, bool *changed, struct gws_where *where);

/* One launch, timed, in search->results. */
gws_status gws__bfs_persistent_launch(struct gws_bfs_device *search, struct gws_where *where);

/* What the launch told of its search number index, into search->told. */
gws_status gws__bfs_persistent_read_summary(struct gws_bfs_device *search, uint32_t index, struct gws_where *where);

/* ---- strategy.c ---- */

/* Strategy, kernel and sizes; then the way, which may be refused. */
void gws__bfs_device_choose_sizes(struct gws_bfs_device *search);
gws_status gws__bfs_device_choose_strategy(struct gws_bfs_device *search, struct gws_where *where);

/* ---- device.c ---- */

/* Whether workers of a side (GWS_BFS_STEAL_CPU or _GPU) may steal, under a policy that does. */
static inline bool gws__bfs_steals(const struct gws_bfs_device *search, enum gws_bfs_steal side)
{
    bool policy = search->work_queue == gws__bfs_chunked || search->work_queue == gws__bfs_abp;
    return policy && (search->options.steal == GWS_BFS_STEAL_ALL || search->options.steal == side);
}

/* Groups that run at the same time without taking a core from a CPU worker; at least 1. */
uint32_t gws__bfs_device_free_units(const struct gws_bfs_device *search);

/* Adds what search->ran has to the statistics. */
void gws__bfs_device_add_stats(struct gws_bfs_device *search);

/* ---- result.c ---- */

/* The sum of the degrees of what search->result has reached, by all workers: for results that lie with the host. */
uint64_t gws__bfs_device_reached_arcs(const struct gws_bfs_device *search);

/* After run() and fetch(): the counts that are missing, and a result that shows what was brought. */
gws_status gws__bfs_device_finish(struct gws_bfs_device *search, struct gws_where *where);

#endif
