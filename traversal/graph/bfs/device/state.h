/* SPDX-License-Identifier: MIT */
/* State shared by the search strategies on a device. A strategy is a table of functions, chosen when the search is
 * opened. kernels/bfs/bfs.cl documents the contents of the arrays. */
#ifndef GWS_TRAVERSAL_BFS_DEVICE_STATE_H
#define GWS_TRAVERSAL_BFS_DEVICE_STATE_H

#include "../../../../kernels/bfs/bfs_words.h"
#include "../../../../kernels/queue/queue_words.h"
#include "../../../../lib/device.h"
#include "../../../../lib/hetero/device_trace.h"
#include "../../../../lib/parallel.h"
#include "../../../../lib/trace.h"
#include "../../../bfs_device.h"
#include "../../../engine/device_graph.h"
#include "../state.h"

/* The first arguments of every kernel, in this order; the trace follows (SEARCH_PARAMETERS). */
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

/* Work queues of a level; each has its programs. The policy selects one. */
enum gws__bfs_work_queue { gws__bfs_static, gws__bfs_cursor, gws__bfs_chunked, gws__bfs_abp, gws__bfs_work_queues };

/* Words of the arrays, in the layout of kernels/bfs/bfs_words.h and kernels/queue/queue_words.h. */
enum {
    bfs_control_words = CONTROL_WORDS,
    bfs_sum_words = SUM_WORDS,
    bfs_stats_words = STATS_STRIDE,
    bfs_queue_words = QUEUE_STRIDE,
    bfs_max_arguments = 32,
};

/* Words of a worker's statistics. */
enum {
    gws__bfs_stats_made = STATS_ASSIGNED,
    gws__bfs_stats_run = STATS_RUN,
    gws__bfs_stats_from_cpu = STATS_STOLEN_FROM_CPU,
    gws__bfs_stats_from_device = STATS_STOLEN_FROM_DEVICE,
    gws__bfs_stats_steals = STATS_STEALS,
    gws__bfs_stats_failed = STATS_FAILED,
    /* if measured: nanoseconds busy, and nanoseconds of the searches; a kernel writes ticks */
    gws__bfs_stats_busy,
    gws__bfs_stats_time
};

struct gws__bfs_strategy {
    enum gws_bfs_form form;
    /* After run(), the device's arrays hold the complete depth and parent. fetch() does not copy them, and run() need
     * not count arcs. */
    bool on_device;
    /* Creates the strategy's own state beside graph and program. After a failure, close() frees the incomplete state.
     */
    gws_status (*open)(struct gws_bfs_device *search, struct gws_diagnostic *where);
    void (*close)(struct gws_bfs_device *search);
    /* Searches from search->result->source. Leaves depth and parent in the strategy's arrays, and the levels, the
     * counts and .ms in the prepared result. */
    gws_status (*run)(struct gws_bfs_device *search, struct gws_diagnostic *where);
    /* Copies depth and parent into the result, and this search's statistics of the workers into search->ran. */
    gws_status (*fetch)(struct gws_bfs_device *search, struct gws_diagnostic *where);
    /* Overwrites depth and parent where run() leaves them (lib/poison.h). NULL: gws__bfs_device_poison(). May return
     * before the device has finished. */
    gws_status (*poison)(struct gws_bfs_device *search, struct gws_diagnostic *where);
};

extern const struct gws__bfs_strategy gws__bfs_device_per_level, gws__bfs_shared_persistent, gws__bfs_shared_per_level,
    gws__bfs_device_from_host, gws__bfs_device_whole, gws__bfs_device_handoff, gws__bfs_device_mesh_at_host;

/* A kernel that runs whole searches. whole.c has the kernel for any graph, on devices with warps or with groups of one
 * item; mesh.c has CUDA's kernel for meshes. persistent.c implements the common parts of such searches. */
struct gws__bfs_persistent {
    uint32_t level_bytes; /* size of a level's record */
    /* Creates search->own and the arrays. After a failure, close() frees the incomplete state. close() accepts missing
     * state. */
    gws_status (*open)(struct gws_bfs_device *search, struct gws_diagnostic *where);
    void (*close)(struct gws_bfs_device *search);
    /* Launches the searches of search->results, or part of one search if search->handoff is set. May return before the
     * kernel has finished. */
    gws_status (*launch)(struct gws_bfs_device *search, struct gws_diagnostic *where);
    struct gws_bfs_level (*level)(const struct gws_bfs_device *search, const void *record);
    /* Reads the groups' statistics of the last launches into search->ran, which the caller has cleared. */
    gws_status (*fetch_stats)(struct gws_bfs_device *search, struct gws_diagnostic *where);
    /* Several searches in a launch. batch() returns their maximal number, and in *bytes the device memory of one search
     * beside its results. batch_open() creates arrays for that many searches; NULL: none are needed. batch_close()
     * frees them, also after a failure. */
    uint32_t (*batch)(struct gws_bfs_device *search, uint64_t *bytes);
    gws_status (*batch_open)(struct gws_bfs_device *search, uint32_t searches, struct gws_diagnostic *where);
    void (*batch_close)(struct gws_bfs_device *search);
};

extern const struct gws__bfs_persistent gws__bfs_whole, gws__bfs_mesh;

/* A kernel's summary of a search. */
struct gws__bfs_summary {
    uint32_t levels, reached, extra[2]; /* extra of a mesh: widest level, rows on the list */
};

/* The results of a launch's searches beside depth and parent, consecutive: V words per search, and V records of levels.
 */
struct gws__bfs_results {
    struct gws_device_buffer *level, *source, *summary;
    const uint32_t *from; /* the searches' sources; NULL: the result's source */
    uint32_t searches;
    double ms; /* time of the launch */
};

struct gws_bfs_device {
    struct gws_device_graph *device_graph;
    /* Copied from the device graph: */
    struct gws_runtime *runtime;
    struct gws_device *device;
    const struct gws_graph *graph;
    enum gws_placement placement;
    uint64_t memory;
    const struct gws_graph *in;            /* the graph whose rows bottom-up reads; NULL: none */
    struct gws_bfs_device_options options; /* with defaults resolved */
    enum gws__bfs_work_queue work_queue;
    bool coarse;
    const struct gws__bfs_persistent *kernel; /* the kernel that runs whole searches; NULL: none */
    uint64_t mesh_rows;                       /* rows of the graph as a mesh; 0: it is not searched as a mesh */
    bool limited;                             /* the caller set a memory budget or placed the graph on the host */
    bool budgeted;                            /* for host-resident graphs: memory left over caches some of the arcs */
    const struct gws__bfs_strategy *strategy;
    struct gws_device_program *program;
    struct gws_device_buffer *array[gws__bfs_arrays];
    struct gws__device_trace trace;
    struct gws_bfs_device_stats *stats; /* one per worker, since the last reset */
    uint64_t *ran;                      /* bfs_stats_words per worker of the last search, in the kernels' layout */
    uint32_t workers;                   /* groups and CPU workers */
    void *own;                          /* state of the strategy or the kernel */
    struct gws__bfs_handoff *handoff;   /* handoff.h; NULL: the search stays on the device */
    uint64_t cpu_searches;              /* whole searches on the CPU's workers since the last reset (mesh_host.c) */
    bool poisons;                       /* results are overwritten before each launch */
    struct gws__bfs_results results;
    struct gws_device_buffer *narrow; /* narrow depths; NULL until a caller has fetched them */
    bool narrowed;                    /* narrow holds the last search's depths */
    /* The current or last search; NULL before the first search. */
    struct gws_bfs_result *result;
    struct gws__bfs_summary summary;
};

/* ---- memory.c ---- */

/* A buffer to create. */
struct gws__bfs_need {
    struct gws_device_buffer **buffer;
    uint64_t bytes;
    bool clear;  /* cleared after creation; shared memory is always cleared */
    void **host; /* receives the host address of shared memory; NULL: device memory */
};

/* Creates `count` buffers. */
gws_status gws__bfs_device_buffers(struct gws_bfs_device *search, const struct gws__bfs_need *need, size_t count,
                                   struct gws_diagnostic *where);

/* gws__bfs_device_graph() sets the graph's arrays, which the device graph owns. gws__bfs_device_arrays() creates the
 * search's arrays on the device; or in shared memory if host is not NULL, with the addresses in host[gws__bfs_arrays].
 * gws__bfs_device_program() builds the named program; NULL: the work queue's program. */
gws_status gws__bfs_device_graph(struct gws_bfs_device *search, struct gws_diagnostic *where);
gws_status gws__bfs_device_arrays(struct gws_bfs_device *search, void **host, struct gws_diagnostic *where);
gws_status gws__bfs_device_program(struct gws_bfs_device *search, const char *name, const char *defines,
                                   struct gws_diagnostic *where);
void gws__bfs_device_free(struct gws_bfs_device *search); /* also resets the pointers, so that arrays can be created
                                                           * again */

/* poison() for strategies with depth and parent in the arrays. In a launch's results it clears the words that the host
 * uses as counts. Missing buffers are skipped. */
gws_status gws__bfs_device_poison(struct gws_bfs_device *search, struct gws_diagnostic *where);

/* For host-resident graphs: *left is the part of the search's device memory that is available for cached rows, after
 * the `min` bytes that the search always needs and a reserve of free memory for the driver. Errors: GWS_TOO_LARGE. */
gws_status gws__bfs_device_budget(const struct gws_bfs_device *search, uint64_t min, uint64_t *left,
                                  struct gws_diagnostic *where);

/* Appends a level to the result. */
gws_status gws__bfs_device_level(struct gws_bfs_device *search, struct gws_bfs_level level,
                                 struct gws_diagnostic *where);

/* ---- launching ---- */

/* A kernel launch; the arrays are its first arguments. */
struct gws__bfs_launch {
    const char *kernel;
    uint32_t groups;
    bool resident; /* all groups must be resident: they wait for each other or for the host */
    const struct gws_device_argument *extra;
    uint32_t count; /* entries of extra, at most bfs_max_arguments */
};

gws_status gws__bfs_device_launch(struct gws_bfs_device *search, const struct gws__bfs_launch *launch_params,
                                  struct gws_diagnostic *where);

/* ---- whole.c, mesh.c, mesh_host.c ---- */

/* gws__bfs_device_is_plain(): no option requires a kernel other than those for whole searches. gws__bfs_device_fits():
 * their estimated memory fits the device. */
bool gws__bfs_device_is_plain(const struct gws_bfs_device *search);
bool gws__bfs_device_fits(const struct gws_bfs_device *search);

/* Whether this kernel supports the search, including automatic selection. Called before sizes are chosen. */
bool gws__bfs_whole_supports(const struct gws_bfs_device *search);
bool gws__bfs_mesh_supports(struct gws_bfs_device *search);
bool gws__bfs_mesh_host_supports(struct gws_bfs_device *search);

/* True if a mesh's levels were too wide for one cluster. */
bool gws__bfs_mesh_is_wide(const struct gws_bfs_device *search);

/* If a host-resident mesh was too wide, changes the search's strategy to the one for other graphs. */
gws_status gws__bfs_mesh_host_reconsider(struct gws_bfs_device *search, struct gws_diagnostic *where);

/* Fills cached with the counts of cached rows of a mesh. Returns false and leaves cached unchanged for other
 * strategies. */
bool gws__bfs_mesh_host_cached(const struct gws_bfs_device *search, struct gws_bfs_device_cached *cached);

/* ---- persistent.c ---- */

/* Strategy functions that use search->kernel. */
gws_status gws__bfs_persistent_open(struct gws_bfs_device *search, struct gws_diagnostic *where);
void gws__bfs_persistent_close(struct gws_bfs_device *search);
gws_status gws__bfs_persistent_run(struct gws_bfs_device *search, struct gws_diagnostic *where);
gws_status gws__bfs_persistent_fetch(struct gws_bfs_device *search, struct gws_diagnostic *where);

/* If a mesh was too wide, changes to the kernel for any graph. */
gws_status gws__bfs_persistent_reconsider(struct gws_bfs_device *search, bool *changed, struct gws_diagnostic *where);

/* Runs one launch of search->results and measures its time. */
gws_status gws__bfs_persistent_launch(struct gws_bfs_device *search, struct gws_diagnostic *where);

/* Reads the summary of search `index` of the launch into search->summary. */
gws_status gws__bfs_persistent_read_summary(struct gws_bfs_device *search, uint32_t index,
                                            struct gws_diagnostic *where);

/* ---- strategy.c ---- */

/* gws__bfs_device_choose_sizes() resolves the options' strategy, the kernel and the sizes.
 * gws__bfs_device_choose_strategy() then sets search->strategy, or returns an error. */
void gws__bfs_device_choose_sizes(struct gws_bfs_device *search);
gws_status gws__bfs_device_choose_strategy(struct gws_bfs_device *search, struct gws_diagnostic *where);

/* ---- device.c ---- */

/* Whether workers of a side (GWS_BFS_STEAL_CPU or _GPU) may steal. False under policies without stealing. */
static inline bool gws__bfs_steals(const struct gws_bfs_device *search, enum gws_bfs_steal side)
{
    bool policy = search->work_queue == gws__bfs_chunked || search->work_queue == gws__bfs_abp;
    return policy && (search->options.steal == GWS_BFS_STEAL_ALL || search->options.steal == side);
}

/* The number of groups that can run at once without occupying a CPU worker's core; at least 1. */
uint32_t gws__bfs_device_free_units(const struct gws_bfs_device *search);

/* Adds search->ran to the statistics. */
void gws__bfs_device_add_stats(struct gws_bfs_device *search);

/* ---- result.c ---- */

/* The sum of the degrees of the vertices that search->result has reached, for results in host memory; uses all workers.
 */
uint64_t gws__bfs_device_reached_arcs(const struct gws_bfs_device *search);

/* Runs after run() and fetch(): fills missing counts and attaches the fetched arrays to the result. */
gws_status gws__bfs_device_finish(struct gws_bfs_device *search, struct gws_diagnostic *where);

#endif
