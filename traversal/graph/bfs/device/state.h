/* SPDX-License-Identifier: MIT */
/* State shared by the search strategies on a device. A strategy is a table of functions. gws_bfs_device_open() chooses
 * the strategy. kernels/bfs/bfs.cl documents the contents of the arrays. */
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

/* The first arguments of every kernel, in this order. The trace follows (SEARCH_PARAMETERS). */
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

/* Work queues of a level. Each queue has its own programs. The policy selects one queue. */
enum gws__bfs_work_queue { gws__bfs_static, gws__bfs_cursor, gws__bfs_chunked, gws__bfs_abp, gws__bfs_work_queues };

enum { bfs_max_arguments = 32 };

struct gws__bfs_strategy {
    enum gws_bfs_form form;
    /* After run(), the device's arrays hold the complete depth and parent. fetch() then does not copy these arrays.
     * run() need not count arcs. */
    bool on_device;
    /* Creates the strategy's state beside graph and program. After a failure, close() frees the incomplete state. */
    gws_status (*open)(struct gws_bfs_device *search, struct gws_diagnostic *where);
    void (*close)(struct gws_bfs_device *search);
    /* Searches from search->result->source. Leaves depth and parent in the strategy's arrays, and the levels, the
     * counts and .ms in the prepared result. */
    gws_status (*run)(struct gws_bfs_device *search, struct gws_diagnostic *where);
    /* Copies depth and parent into the result, and this search's statistics of the workers into search->ran. */
    gws_status (*fetch)(struct gws_bfs_device *search, struct gws_diagnostic *where);
    /* Overwrites depth and parent where run() leaves them (lib/poison.h). NULL: gws__bfs_device_poison(). The function
     * may return before the device has finished. */
    gws_status (*poison)(struct gws_bfs_device *search, struct gws_diagnostic *where);
};

extern const struct gws__bfs_strategy gws__bfs_device_per_level, gws__bfs_shared, gws__bfs_device_from_host,
    gws__bfs_device_whole, gws__bfs_device_handoff, gws__bfs_device_mesh_at_host;

/* A kernel that runs whole searches. whole.c has the kernel for any graph, on devices with warps or with groups of one
 * item. mesh.c has CUDA's kernel for meshes. persistent.c implements the common parts of such searches. */
struct gws__bfs_persistent {
    uint32_t level_bytes; /* size of a level's record */
    /* Creates search->own and the arrays. After a failure, close() frees the state, and accepts missing state. */
    gws_status (*open)(struct gws_bfs_device *search, struct gws_diagnostic *where);
    void (*close)(struct gws_bfs_device *search);
    /* Launches the searches of search->results, or part of one search if search->handoff is set. The function may
     * return before the kernel has finished. */
    gws_status (*launch)(struct gws_bfs_device *search, struct gws_diagnostic *where);
    struct gws_bfs_level (*level)(const struct gws_bfs_device *search, const void *record);
    /* Reads the groups' statistics of the last launches into search->ran, which the caller has cleared. */
    gws_status (*fetch_stats)(struct gws_bfs_device *search, struct gws_diagnostic *where);
    /* For several searches in a launch. batch() returns the maximal number of searches. It sets *bytes to the device
     * memory of one search beside its results. open_results() creates search->results.own, and is NULL if the kernel
     * has none. */
    uint32_t (*batch)(struct gws_bfs_device *search, uint64_t *bytes);
    gws_status (*open_results)(struct gws_bfs_device *search, struct gws_diagnostic *where);
};

extern const struct gws__bfs_persistent gws__bfs_whole, gws__bfs_mesh;

/* A kernel's summary of a search. */
struct gws__bfs_summary {
    uint32_t levels, reached, extra[2]; /* extra: for a mesh the widest level and the rows on the list */
};

/* The results of a launch's searches beside depth and parent. The results lie consecutively, with V words per search
 * and V records of levels. */
struct gws__bfs_results {
    struct gws_device_buffer *level, *source, *summary, *own[3]; /* own: the kernel's own buffers for these searches */
    const uint32_t *from;                                        /* the searches' sources; NULL: the result's source */
    uint32_t searches, clusters;                                 /* clusters that search at once (mesh.c) */
    double ms;                                                   /* time of the launch */
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
    uint64_t mesh_rows; /* rows of the graph as a mesh; 0: the search does not treat the graph as a mesh */
    bool limited;       /* the caller set a memory budget or placed the graph on the host */
    bool budgeted; /* for host-resident graphs: the search uses remaining device memory to cache some of the arcs */
    const struct gws__bfs_strategy *strategy;
    struct gws_device_program *program;
    struct gws_device_buffer *array[gws__bfs_arrays];
    struct gws__device_trace trace;
    struct gws_bfs_device_stats *stats; /* one entry per worker, counted since the last reset */
    uint64_t *ran;                    /* counters of the last search in the kernels' layout, STATS_STRIDE per worker */
    uint32_t workers;                 /* groups and CPU workers */
    void *own;                        /* state of the strategy or the kernel */
    struct gws__bfs_handoff *handoff; /* handoff.h; NULL: the search stays on the device */
    uint64_t cpu_searches;            /* whole searches on the CPU's workers since the last reset (mesh_host.c) */
    bool poisons;                     /* the search overwrites results before each launch */
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
    bool clear;  /* clear the buffer after creation, as always for shared memory */
    void **host; /* receives the host address of shared memory; NULL: device memory */
};

/* Creates `count` buffers. */
gws_status gws__bfs_device_buffers(struct gws_bfs_device *search, const struct gws__bfs_need *need, size_t count,
                                   struct gws_diagnostic *where);

/* gws__bfs_device_graph() sets the graph's arrays, which the device graph owns. gws__bfs_device_arrays() creates the
 * search's arrays on the device. If host is not NULL, the arrays are in shared memory, and host[gws__bfs_arrays]
 * receives their addresses. gws__bfs_device_program() builds the named program (NULL: the work queue's). */
gws_status gws__bfs_device_graph(struct gws_bfs_device *search, struct gws_diagnostic *where);
gws_status gws__bfs_device_arrays(struct gws_bfs_device *search, void **host, struct gws_diagnostic *where);
gws_status gws__bfs_device_program(struct gws_bfs_device *search, const char *name, const char *defines,
                                   struct gws_diagnostic *where);
/* Frees the arrays and the program, and resets the pointers, so the caller can create arrays again. */
void gws__bfs_device_free(struct gws_bfs_device *search);

/* Implements poison() for strategies with depth and parent in the arrays. The function clears the words of a launch's
 * results that the host uses as counts, and skips missing buffers. */
gws_status gws__bfs_device_poison(struct gws_bfs_device *search, struct gws_diagnostic *where);

/* Sets *left to the bytes of device memory that remain for cached rows of a host-resident graph. The `min` bytes that
 * the search always needs, and a reserve for the driver, are already subtracted. Errors: GWS_TOO_LARGE. */
gws_status gws__bfs_device_budget(const struct gws_bfs_device *search, uint64_t min, uint64_t *left,
                                  struct gws_diagnostic *where);

/* ---- launching ---- */

/* Launches a kernel of search->program in groups of the search's size. The arrays are the first arguments of the
 * kernel. The arguments of the launch follow, at most bfs_max_arguments. */
gws_status gws__bfs_device_launch(struct gws_bfs_device *search, struct gws_device_launch launch,
                                  struct gws_diagnostic *where);

/* ---- whole.c, mesh.c, mesh_host.c ---- */

/* gws__bfs_device_is_plain() returns true if the kernels for whole searches support all options. gws__bfs_device_fits()
 * returns true if the estimated memory of these kernels fits the device. */
bool gws__bfs_device_is_plain(const struct gws_bfs_device *search);
bool gws__bfs_device_fits(const struct gws_bfs_device *search);

/* Returns true if this kernel supports the search, including automatic selection. gws__bfs_device_choose_sizes() calls
 * this function before it sets the sizes. */
bool gws__bfs_whole_supports(const struct gws_bfs_device *search);
bool gws__bfs_mesh_supports(struct gws_bfs_device *search);
bool gws__bfs_mesh_host_supports(struct gws_bfs_device *search);

/* Returns true if a mesh's levels were too wide for one cluster. */
bool gws__bfs_mesh_is_wide(const struct gws_bfs_device *search);

/* Fills cached with the counts of cached rows of a mesh. Returns false and leaves cached unchanged otherwise. */
bool gws__bfs_mesh_host_cached(const struct gws_bfs_device *search, struct gws_bfs_device_cached *cached);

/* ---- persistent.c ---- */

/* Functions of strategies that use search->kernel. */
gws_status gws__bfs_persistent_open(struct gws_bfs_device *search, struct gws_diagnostic *where);
void gws__bfs_persistent_close(struct gws_bfs_device *search);
gws_status gws__bfs_persistent_run(struct gws_bfs_device *search, struct gws_diagnostic *where);
gws_status gws__bfs_persistent_fetch(struct gws_bfs_device *search, struct gws_diagnostic *where);

/* If a mesh was too wide, changes search->kernel to the kernel for any graph. For a host-resident mesh, changes the
 * strategy to the strategy for other graphs instead. */
gws_status gws__bfs_persistent_reconsider(struct gws_bfs_device *search, struct gws_diagnostic *where);

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

/* Returns true if workers of a side (GWS_BFS_STEAL_CPU or _GPU) may steal, which policies without stealing forbid. */
static inline bool gws__bfs_steals(const struct gws_bfs_device *search, enum gws_bfs_steal side)
{
    bool policy = search->work_queue == gws__bfs_chunked || search->work_queue == gws__bfs_abp;
    return policy && (search->options.steal == GWS_BFS_STEAL_ALL || search->options.steal == side);
}

/* Returns the number of groups, at least 1, that can run at once without occupying a CPU worker's core. */
uint32_t gws__bfs_device_free_units(const struct gws_bfs_device *search);

/* Adds search->ran to the statistics. */
void gws__bfs_device_add_stats(struct gws_bfs_device *search);

/* ---- result.c ---- */

/* Returns the sum of the degrees of the reached vertices, for results in host memory. Uses all workers. */
uint64_t gws__bfs_device_reached_arcs(const struct gws_bfs_device *search);

/* Fills missing counts and attaches the fetched arrays to the result, after run() and fetch(). */
gws_status gws__bfs_device_finish(struct gws_bfs_device *search, struct gws_diagnostic *where);

#endif
