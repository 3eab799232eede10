/* SPDX-License-Identifier: MIT */
/* Breadth-first search on a device, alone or together with the runtime's workers (Abdelmageed's thesis, chapters 3 and
 * 4). CPU threads and work-groups of the device are workers. Each worker has a deque of chunks of the frontier. A
 * worker whose own deque is empty steals from other workers.
 *
 * The runtime's policy balances the load: "static", "cursor", "chunked", "abp", or "coarse". Under "coarse", as in
 * CHAI, the CPU alone runs a level below the threshold, and the device alone runs a level above the threshold. */
#ifndef GWS_BFS_DEVICE_H
#define GWS_BFS_DEVICE_H

#include "../lib/hetero.h"
#include "bfs.h"
#include "device_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_bfs_device; /* searches of a graph on a device */

/* The workers that may steal. A thief may choose any victim (the thesis's section 4.3.4). Policies without stealing
 * accept and ignore every value. */
enum gws_bfs_steal { GWS_BFS_STEAL_ALL, GWS_BFS_STEAL_CPU, GWS_BFS_STEAL_GPU, GWS_BFS_STEAL_NONE };

/* Memory orders of all atomics on both sides. Either each order is as weak as the algorithm allows, or all atomics are
 * sequentially consistent (the thesis's section 4.3.6). */
enum gws_bfs_order { GWS_BFS_WEAKEST, GWS_BFS_SEQ_CST };

/* The side that searches, and the division of the work between both sides. */
enum gws_bfs_strategy {
    GWS_BFS_STRATEGY_AUTO, /* DEVICE if the CPU takes no part, HOST_RESIDENT if the graph is host-resident, otherwise
                              SHARED if atomics of host and device are coherent, else HANDOFF */
    GWS_BFS_DEVICE,        /* the device alone */
    GWS_BFS_SHARED, /* threads and work-groups share deques, under all policies. Requires OpenCL and fine-grained shared
                     * memory with atomics (GWS_SVM_ATOMICS). If not all groups can be resident at once without
                     * occupying the cores of CPU workers, the resident groups emulate the other groups */
    GWS_BFS_HANDOFF,      /* each level runs on one side, and the graph is in both memories. The device runs the search,
                           * except that one CPU worker runs the small levels that it finishes sooner by the model.
                           * gws_bfs_device_open() calibrates that model (gws_bfs_device_model()). Requires the policy
                           * "chunked" and options that a PERSISTENT kernel on the device alone supports */
    GWS_BFS_HOST_RESIDENT /* the arcs stay in the host's memory (see below). Requires a host-resident graph */
};

/* How DEVICE and SHARED launch kernels.
 *
 * With DEVICE, a PERSISTENT kernel runs the whole search. The kernel's groups wait for each other after each level, so
 * a compute unit runs at most one group. A group consists of whole warps, or of one item on a CPU device. The kernel
 * supports the policies "static", "cursor" and "chunked", which schedule units of 32 vertices on warps. The kernel
 * requires chunk and threshold 0, the weakest orders and fewer than 2^31 vertices. The kernel does not support
 * GWS_BFS_BOTTOM_UP. */
enum gws_bfs_launch {
    GWS_BFS_LAUNCH_AUTO, /* PERSISTENT on GPUs with warps (NVIDIA's) if the kernel supports the other options, and with
                            SHARED if every group and every CPU worker has its own core */
    GWS_BFS_PERSISTENT,  /* one kernel runs all levels, or GWS_UNSUPPORTED if device or options forbid that */
    GWS_BFS_PER_LEVEL /* one kernel for each level that the device joins; DEVICE: for levels too large for one group */
};

/* Host-resident graphs (GWS_PLACE_HOST). The device reads arcs over the bus. The row bounds lie on the device. If the
 * graph has a memory budget or AUTO chose its placement, the device also holds as many words of rows as fit. The
 * device prefers the words that save the most bus traffic (gws_bfs_device_cached()). The device and the workers run
 * each large level together. The workers start at the front of the level, the device at the back, and both stop where
 * they meet. The workers run small levels alone.
 *
 * The strategy requires fine-grained shared memory, the policy "chunked" or "coarse" (under "coarse" the device alone
 * runs large levels), the weakest orders, and GWS_BFS_STEAL_ALL. Other policies are unsupported. A range that two sides
 * process until they meet has no owners to steal from, and "static" would divide the range into halves.
 * gws_bfs_device_open() lets the workers build the bounds and a second copy of the arcs that the device can read.
 *
 * On CUDA the mesh kernel searches a mesh. This kernel reads the 16-byte rows in host memory. If the device has memory
 * for a quarter of the rows, the kernel prefetches rows. With .cpu, the workers run whole searches if they take less
 * time than the device. The mesh kernel requires strategy AUTO, the policy "chunked" and the defaults of the other
 * options (gws_bfs_device_open()). If levels are too wide for the mesh kernel, the next search uses the strategy for
 * other graphs. */

struct gws_bfs_device_options {
    bool cpu;            /* the runtime's workers take part; false: the device alone searches */
    uint32_t groups;     /* the device's workers; 0: automatic */
    uint32_t group_size; /* work-items in each group, a power of two from 1 to 1024; 0: automatic */
    uint32_t chunk;      /* tasks in a chunk; 0: the runtime's value, or automatic, from the level's size */
    /* The device joins levels of at least this many tasks. The CPU alone runs smaller levels, or one group does if the
     * CPU takes no part. 0 means workers x chunk (the thesis's section 4.3.2), or without the CPU the size at which
     * one group is about as fast as all groups. 1 means all levels. For host-resident graphs the threshold counts the
     * arcs to examine. */
    uint64_t threshold;
    enum gws_bfs_steal steal;
    enum gws_bfs_order order;
    enum gws_bfs_strategy strategy;
    enum gws_bfs_launch launch;
    enum gws_bfs_direction direction;
};

/* Prepares searches of a graph on its device. Builds the programs and the indexes that the strategy uses. The device
 * graph must outlive the search. options may be NULL.
 *
 * Errors, with a message in *where (may be NULL, here and below): GWS_INVALID (an option out of range), GWS_UNSUPPORTED
 * (a policy other than those above; a strategy that the device or the machine does not support; an order without a
 * device program), GWS_NEEDS_REVERSE (bottom-up on a directed graph without its reverse), GWS_TOO_LARGE (an array
 * exceeds the device's largest buffer), GWS_NO_MEMORY, GWS_DEVICE.
 *
 * On CUDA under the policies "chunked" and "static", the mesh kernel searches a mesh, unless the caller sets groups,
 * group_size, chunk, threshold, a memory budget or GWS_BFS_BOTTOM_UP. That search takes 38 bytes per vertex in all.
 * Other persistent kernels take about 25 bytes per vertex beside the CSR, of which 8 record the levels, since a path
 * has as many levels as vertices. With handoff, host memory grows by 1 MB, and by 20 bytes and 1 bit per vertex, of
 * which the search touches only the part that host levels use. Calibration takes some milliseconds, and longer if 1 bit
 * per vertex amounts to many MB.
 *
 * Memory for host-resident graphs. On the device a mesh takes 20 bytes per vertex and 16 per row that fits. Other
 * graphs take 8.4 bytes per vertex, 8 per row bound and 4 per cached word of rows, never more than .memory. The host
 * holds the rows or arcs that the device does not hold, 9 bytes per vertex, the memory of gws_bfs(), and during
 * opening up to 16 MB and 32 KB per worker. Any 1024 consecutive vertices must have fewer than 2^31 arcs, otherwise
 * GWS_TOO_LARGE.
 *
 * Memory of the other strategies: the CSR (and its reverse if there is one), 12 bytes and 1 bit per vertex, 129 KB, 192
 * bytes per worker. */
GWS_API gws_status gws_bfs_device_open(struct gws_device_graph *graph, const struct gws_bfs_device_options *options,
                                       struct gws_bfs_device **search, struct gws_diagnostic *where);

/* Frees the search but not its graph. Accepts NULL. */
GWS_API void gws_bfs_device_close(struct gws_bfs_device *search);

/* Returns the device graph of the search. */
GWS_API struct gws_device_graph *gws_bfs_device_graph(const struct gws_bfs_device *search);

/* Searches from source and fills the same struct as gws_bfs(). result->ms is the time until every depth and parent is
 * known on the side that searched. After a search on the device alone, depth and parent stay on the device. result
 * then has the levels and the counts, and its arrays are NULL until gws_bfs_device_fetch() copies them. After a search
 * with threads, result has depth and parent. level[].workers counts groups and CPU workers. level[].ms is 0. Errors,
 * which leave result unchanged or empty: GWS_OUT_OF_RANGE (source), GWS_NO_MEMORY, GWS_DEVICE (the device failed or
 * exceeded its time limit, and device and search are unusable). */
GWS_API gws_status gws_bfs_device_run(struct gws_bfs_device *search, uint32_t source, struct gws_bfs_result *result,
                                      struct gws_diagnostic *where);

/* Overwrites the last search's results, on the device and in the search's host memory, with values that no search
 * produces. A caller that verifies the next search then detects a search that wrote nothing. The call takes as long as
 * writing 8 bytes per vertex. result->ms excludes this time. After the first call, gws_bfs_device_run_many() also
 * overwrites the results before each of its launches. For the caller's result, call gws_bfs_result_poison(). Errors:
 * GWS_DEVICE, GWS_NO_MEMORY. */
GWS_API gws_status gws_bfs_device_poison(struct gws_bfs_device *search, struct gws_diagnostic *where);

/* Searches from each of count sources and passes each result to visit in order, as gws_bfs_many() does. visit must not
 * use the search. If the device alone runs a whole search in one kernel and reports its free memory (CUDA), a launch
 * runs several searches. Searches of a mesh run side by side, as many as clusters of 16 multiprocessors fit. result->ms
 * is then the launch's time divided by the number of its searches. All other strategies run the searches one after the
 * other.
 *
 * Each search in a launch takes 16 bytes per vertex. For a mesh a search takes 12 bytes per vertex, and up to 8 bytes
 * per row and cluster. A launch takes at most half of the device's free memory and runs fewer searches if necessary.
 * The host holds one result. Errors: those of gws_bfs_device_run(), and the status that visit returned. No search runs
 * if a source is out of range. */
GWS_API gws_status gws_bfs_device_run_many(struct gws_bfs_device *search, const uint32_t *source, uint64_t count,
                                           gws_bfs_visit *visit, void *context, struct gws_diagnostic *where);

/* Copies arrays of the last gws_bfs_device_run() into the result of that search. parts is a set of enum gws_bfs_part.
 * Depth and parent have 4 bytes per entry. narrow holds the depths in 1 or 2 bytes if they fit. The device converts
 * the depths, so the bus transfers as little as a quarter of the bytes. Arrays of earlier calls stay valid, and a
 * failing call adds no array. Errors: GWS_INVALID (an unknown part; result is not the last search's, or the last
 * search failed), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_bfs_device_fetch(struct gws_bfs_device *search, uint32_t parts, struct gws_bfs_result *result,
                                        struct gws_diagnostic *where);

/* Returns the buffer of a part on the device, for the caller's own kernels. The buffer has one word per vertex,
 * GWS_NO_VERTEX if unreached. The buffer of `narrow` exists after a fetch and has the format of the result. The search
 * owns the buffer, and the next search overwrites its content. gws_device_buffer_native() returns CUDA's pointer or
 * OpenCL's cl_mem. Returns NULL if the part does not lie on the device alone. */
GWS_API struct gws_device_buffer *gws_bfs_device_buffer(const struct gws_bfs_device *search, enum gws_bfs_part part);

/* The form in which searches run. A search of a host-resident mesh may change the form if levels are too wide. */
enum gws_bfs_form {
    GWS_BFS_FORM_DEVICE,
    GWS_BFS_FORM_DEVICE_PER_LEVEL,
    GWS_BFS_FORM_SHARED,
    GWS_BFS_FORM_SHARED_PER_LEVEL,
    GWS_BFS_FORM_HANDOFF,
    GWS_BFS_FORM_HOST_RESIDENT,
    GWS_BFS_FORM_HOST_MESH /* the mesh kernel with rows in host memory */
};
GWS_API enum gws_bfs_form gws_bfs_device_form(const struct gws_bfs_device *search);

/* Returns the form's name: "device", "device, per level", "host-resident, mesh" and so on. */
GWS_API const char *gws_bfs_form_name(enum gws_bfs_form form);

/* Writes the options in use, with values in place of 0 and AUTO. The direction keeps AUTO, and a chunk or threshold
 * that depends on the level's size stays 0. */
GWS_API void gws_bfs_device_chosen(const struct gws_bfs_device *search, struct gws_bfs_device_options *options);

/* Fills model with the calibrated costs of levels and with counts (lib/hetero.h) for searches with handoff.
 * host_levels counts the levels that ran on the CPU worker. Other forms: returns false, and model does not change. */
GWS_API bool gws_bfs_device_model(const struct gws_bfs_device *search, struct gws_handoff_model *model);

/* The arcs of a host-resident graph that the device caches, as prefixes of rows or whole rows. Bottom-up levels mostly
 * read the beginnings of rows. So the device first caches the first 8 words (or fewer) of all rows (of the reverse's
 * rows if there is a reverse), then the longest rows, which top-down levels read. If all levels run top-down, the
 * shortest rows come first. If all run bottom-up, prefixes come first, without the limit of 8 words. */
struct gws_bfs_device_cached {
    uint64_t rows, whole_rows; /* rows of which the device has some words, and rows of which the device has all words,
                                  also of the reverse if searches read both */
    uint64_t arcs, all_arcs;   /* arcs on the device, and all arcs */
    uint64_t bytes;            /* memory of the cached rows on the device */
    uint64_t bound_bytes;      /* memory of row bounds on the device; 0 for a mesh */
    uint32_t row_words;        /* words in each row of a mesh, which has no bounds; 0: rows have their own lengths */
    /* The device prefetches a mesh's other rows in pages of 32 if it has memory for a quarter of them: */
    uint64_t cache_rows; /* capacity of the cache in rows; 0: the device reads each row over the bus */
    uint64_t
        prefetched; /* rows prefetched in the device's last search, 32 per page, where a row may count more than once */
    uint64_t missed;       /* rows read over the bus because they were not (yet) cached */
    uint64_t cpu_searches; /* for a mesh: whole searches that the CPU's workers ran since the last reset of the
                            * statistics */
};

/* Fills cached. Returns false and leaves cached unchanged if the graph lies on the device. */
GWS_API bool gws_bfs_device_cached(const struct gws_bfs_device *search, struct gws_bfs_device_cached *cached);

/* Work of one worker since the last reset of the statistics. A task is a vertex of the frontier (top-down) or of the
 * graph (bottom-up). For host-resident graphs a task is always a vertex of the graph, and the statistics omit small
 * levels. .made is then a worker's equal share of its side's part of the range. The parts follow the sides' speeds in
 * the previous level. */
struct gws_bfs_device_stats {
    bool gpu; /* true for a group of the device, false for a CPU worker */
    /* .made counts the tasks assigned to the worker at the beginning of levels (the thesis's Figure 4.1). With a
     * shared cursor, or in a level that one worker runs alone, .made counts the tasks that the worker ran. Stolen
     * tasks were first assigned to another worker. .busy_ms of a group is the part of .ms in which the group did not
     * wait for other groups. The kernel that searches any graph measures .busy_ms on devices with a clock
     * (NVIDIA's). */
    struct gws_side_stats did;
    double ms; /* time of the searches; 0: not measured */
};

/* Returns true if gws_bfs_device_run_many() runs several searches in one launch. */
GWS_API bool gws_bfs_device_has_batches(const struct gws_bfs_device *search);

/* gws_bfs_device_workers() returns the number of workers. The device's groups come first, then the CPU's workers.
 * gws_bfs_device_stats() copies the statistics of all workers, one entry each, into stats.
 * gws_bfs_device_stats_reset() clears the statistics. */
GWS_API uint32_t gws_bfs_device_workers(const struct gws_bfs_device *search);
GWS_API void gws_bfs_device_stats(const struct gws_bfs_device *search, struct gws_bfs_device_stats *stats);
GWS_API void gws_bfs_device_stats_reset(struct gws_bfs_device *search);

#ifdef __cplusplus
}
#endif
#endif
