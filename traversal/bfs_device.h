/* SPDX-License-Identifier: MIT */
/* Breadth-first search on a device, alone or together with the runtime's workers (Abdelmageed's thesis, chapters 3 and
 * 4): a CPU thread is a worker, and so is a work-group of the device; each has a deque of chunks cut out of the
 * frontier, and takes from the others' when its own is empty.
 *
 * Which policy balances the load is the runtime's: "static", "cursor", "chunked", "abp", or "coarse" (a level goes to
 * the CPU's side alone below the threshold and to the device alone above it, as CHAI does it). */
#ifndef GWS_BFS_DEVICE_H
#define GWS_BFS_DEVICE_H

#include "../lib/hetero.h"
#include "bfs.h"
#include "device_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_bfs_device; /* searches of a graph on a device */

/* Who may steal, from anybody: the thesis's section 4.3.4. Policies that do not steal take any of them. */
enum gws_bfs_steal { GWS_BFS_STEAL_ALL, GWS_BFS_STEAL_CPU, GWS_BFS_STEAL_GPU, GWS_BFS_STEAL_NONE };

/* Memory orders of all atomics, on both sides: each as weak as it may be, or all sequentially consistent (the thesis's
 * section 4.3.6). */
enum gws_bfs_order { GWS_BFS_WEAKEST, GWS_BFS_SEQ_CST };

/* Who searches, and how the two sides share the work. */
enum gws_bfs_strategy {
    GWS_BFS_STRATEGY_AUTO, /* DEVICE without the CPU's side; HOST_RESIDENT where the graph is; otherwise SHARED where
                            * atomics of both sides hold, HANDOFF elsewhere */
    GWS_BFS_DEVICE,        /* the device alone */
    GWS_BFS_SHARED,        /* threads and work-groups on shared deques, under all policies. Needs fine-grained shared
                            * memory with atomics: GWS_SVM_ATOMICS, and OpenCL. Where not all groups run at once, or not
                            * without taking the CPU workers' cores, those that do emulate the others */
    GWS_BFS_HANDOFF,       /* the graph is in both memories, and a level belongs to one side: the device runs the
                            * search, and one of the workers those small levels that it runs in less time, by a model
                            * fitted when the search is opened (gws_bfs_device_model()). Under the policy "chunked", and
                            * for what the device alone runs by a PERSISTENT kernel */
    GWS_BFS_HOST_RESIDENT  /* the arcs stay in the host's memory: see below. For a graph that lies there */
};

/* How DEVICE and SHARED start kernels.
 *
 * On the device alone a PERSISTENT kernel runs the whole search: its groups wait for each other after each level, so
 * there are no more than one a compute unit, of whole warps (of one item on a CPU device). It takes the policies
 * "static", "cursor" and "chunked", which there say how units of 32 vertices are dealt out to warps; no number for
 * chunk or threshold, the weakest orders, and fewer than 2^31 vertices; and it does not go bottom-up alone. */
enum gws_bfs_launch {
    GWS_BFS_LAUNCH_AUTO, /* PERSISTENT on GPUs that have warps (NVIDIA's), as far as it takes the other options; SHARED:
                          * where groups and CPU workers have a core each */
    GWS_BFS_PERSISTENT,  /* one kernel stays alive from level to level; GWS_UNSUPPORTED where it cannot */
    GWS_BFS_PER_LEVEL /* a kernel a level that the device joins; alone for each level that is more than one group's */
};

/* Where the graph lies with the host (GWS_PLACE_HOST), the device reads arcs over the bus. It has the row bounds,
 * and where the graph has a budget of memory or its place was chosen, as many words of rows as then fit:
 * those that save the most on the bus (gws_bfs_device_kept()). Device and workers run each large level together, the
 * workers from its front and the device from its back, until they meet; small levels are the workers'. For devices with
 * fine-grained shared memory, the policies "chunked" and "coarse" (the large levels are the device's alone), and
 * weakest orders; everybody may steal. The other policies are refused: a range that two sides process until they meet
 * has no owners to rob, and static would be its halves. Bounds, and a second copy of the arcs that the device can read,
 * are made when the search is opened, by the workers. With CUDA a mesh goes by the kernel that searches meshes in the
 * device's memory, which then reads their rows, of 16 bytes, in place, or has them brought shortly before, where there
 * is memory for a quarter of them: alone, or with handoff, where the workers also run whole searches if they take less
 * time for them. So it is if the strategy is AUTO, the policy "chunked", and nothing else asks for other kernels
 * (gws_bfs_device_open()). If levels prove to be too wide for it, the next search begins the other way. */

struct gws_bfs_device_options {
    bool cpu;            /* the runtime's workers take part; false: the device alone */
    uint32_t groups;     /* device's workers; 0: chosen */
    uint32_t group_size; /* work-items in each, a power of two from 1 to 1024; 0: chosen */
    uint32_t chunk;      /* tasks taken at once; 0: the runtime's, or chosen from the level's size */
    /* The device joins levels of at least so many tasks, and the others are the CPU side's alone; without the CPU's
     * side, one group runs the others alone. 0: workers x chunk (the thesis's section 4.3.2), or without the CPU's side
     * what a group runs about as fast as all; 1: all levels. With the arcs at the host it counts the arcs to look at.
     */
    uint64_t threshold;
    enum gws_bfs_steal steal;
    enum gws_bfs_order order;
    enum gws_bfs_strategy strategy;
    enum gws_bfs_launch launch;
    enum gws_bfs_direction direction;
};

/* Readies searches of a graph on its device: builds programs, and the indexes that the strategy has. The device graph
 * must outlive the search. options may be NULL. Errors, with a message in *where (may be NULL, here and below):
 * GWS_INVALID (an option out of range), GWS_UNSUPPORTED (a policy other than those above; a strategy that device or
 * machine do not have; an order that the device's programs do not come in), GWS_NEEDS_REVERSE (bottom-up on a directed
 * graph without its reverse), GWS_TOO_LARGE (an array over the device's largest buffer), GWS_NO_MEMORY, GWS_DEVICE. A
 * CUDA device searches a mesh by a kernel for those under the policies "chunked" and "static", unless a number of
 * groups, their size, a chunk, a threshold, a budget of memory or bottom-up alone is asked for; it takes 38 bytes a
 * vertex in all. Otherwise one kernel for a whole search takes about 25 bytes a vertex beside the CSR. With handoff the
 * host has 20 bytes and a bit a vertex, touched as far as it runs levels, and 1 MB; opening measures for some ms,
 * longer where a bit a vertex is many MB.
 *
 * Memory on the device with the arcs at the host: of a mesh 20 bytes a vertex, and 16 for each row that fits, and the
 * others' there; of other graphs 8.4 bytes a vertex, 8 for each row bound and 4 for each word of the
 * rows that fit, and never more than .memory; there: the other arcs, 9 bytes a vertex, and what gws_bfs() takes, and
 * while it is opened up to 16 MB and 32 KB a worker. Of 1024 vertices in a row the rows have less than 2^31 arcs, or it
 * is GWS_TOO_LARGE. Otherwise: the CSR (and its reverse, where there is one), 12 bytes and 1 bit a vertex, 129 KB, 192
 * bytes a worker. */
GWS_API gws_status gws_bfs_device_open(struct gws_device_graph *graph, const struct gws_bfs_device_options *options,
                                       struct gws_bfs_device **search, struct gws_where *where);

/* Frees it, not its graph; NULL is allowed. */
GWS_API void gws_bfs_device_close(struct gws_bfs_device *search);

/* The graph that it was opened with. */
GWS_API struct gws_device_graph *gws_bfs_device_graph(const struct gws_bfs_device *search);

/* Searches from source, as gws_bfs() does; result is the same struct. result->ms is the time until every depth and
 * parent is known where the search ran. There they stay: result has the levels and the counts, and its arrays are NULL
 * until gws_bfs_device_fetch() brings them; but the forms in which threads take part leave depth and parent in the
 * result. level[].workers counts groups and CPU workers; level[].ms is 0.
 * Errors: GWS_OUT_OF_RANGE (source), GWS_NO_MEMORY, GWS_DEVICE (the device failed, or did not end within its limit: it
 * is lost, and so is this search); result is then as it was, or empty. */
GWS_API gws_status gws_bfs_device_run(struct gws_bfs_device *search, uint32_t source, struct gws_bfs_result *result,
                                      struct gws_where *where);

/* Overwrites what the last search left, on the device and in what the search has of the host's memory, with what no
 * search finds: for who verifies the next search, so that one that wrote nothing cannot pass for right. It takes as
 * long as writing 8 bytes a vertex; result->ms has none of that. From the first call on gws_bfs_device_run_many() does
 * the same before each of its launches. The caller's result is gws_bfs_result_poison()'s. Errors: GWS_DEVICE,
 * GWS_NO_MEMORY. */
GWS_API gws_status gws_bfs_device_poison(struct gws_bfs_device *search, struct gws_where *where);

/* Searches from each of count sources and shows each result to visit, in their order, as gws_bfs_many() does; visit may
 * not use the search. Where the device alone runs a whole search by one kernel, and says how much memory it has left
 * (CUDA), a launch runs several: of a mesh as many side by side as there is room for clusters of 16 multiprocessors,
 * and result->ms is then the launch's time over its searches; all other ways run one after the other. Several take 16
 * bytes a vertex each while it runs, of a mesh 12 and its clusters up to 8 bytes a row more, and no more than half of
 * what the device has left: there are fewer in a launch, then. The host has one result. Errors as of
 * gws_bfs_device_run(), and what visit returned; if a source is out of range, nothing is searched. */
GWS_API gws_status gws_bfs_device_run_many(struct gws_bfs_device *search, const uint32_t *source, uint64_t count,
                                           gws_bfs_visit *visit, void *context, struct gws_where *where);

/* Brings what the last gws_bfs_device_run() found into its result: parts is a set of enum gws_bfs_part. Depth and
 * parent are words; narrow is the depth in 1 or 2 bytes where that holds all, as the device itself makes it, and so a
 * quarter of the way over the bus. What was fetched before stays; a call that fails adds nothing. Errors: GWS_INVALID
 * (another part; result is not the one of the last search, or that failed), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_bfs_device_fetch(struct gws_bfs_device *search, uint32_t parts, struct gws_bfs_result *result,
                                        struct gws_where *where);

/* Where the last search left a part on the device, for kernels that go on with it: a word for each vertex,
 * GWS_NO_VERTEX in those that were not reached; narrow, once it was fetched, as in the result. It is the search's, and
 * is written by the next one; gws_device_buffer_native() has CUDA's pointer or OpenCL's cl_mem. NULL where it does not
 * lie on the device alone. */
GWS_API struct gws_device_buffer *gws_bfs_device_buffer(const struct gws_bfs_device *search, enum gws_bfs_part part);

/* What runs; it may change with a search (of a mesh that lies with the host, and where its levels prove too wide). */
enum gws_bfs_form {
    GWS_BFS_FORM_DEVICE,
    GWS_BFS_FORM_DEVICE_PER_LEVEL,
    GWS_BFS_FORM_SHARED,
    GWS_BFS_FORM_SHARED_PER_LEVEL,
    GWS_BFS_FORM_HANDOFF,
    GWS_BFS_FORM_HOST_RESIDENT,
    GWS_BFS_FORM_HOST_MESH /* the kernel for meshes, which reads rows at the host */
};
GWS_API enum gws_bfs_form gws_bfs_device_form(const struct gws_bfs_device *search);

/* Its words: "device", "device, per level", "host-resident, mesh" and so on. */
GWS_API const char *gws_bfs_form_name(enum gws_bfs_form form);

/* What was chosen: every field of options that was 0 or AUTO has its value, but for the direction, and for a chunk or a
 * threshold that goes with the level's size, which stays 0. */
GWS_API void gws_bfs_device_chosen(const struct gws_bfs_device *search, struct gws_bfs_device_options *options);

/* With handoff: what levels are taken to cost, and what happened (lib/hetero.h); host_levels are the worker's. Fills
 * model; false, and nothing done, if the search has another form. */
GWS_API bool gws_bfs_device_model(const struct gws_bfs_device *search, struct gws_handoff_model *model);

/* With the arcs at the host: what the device has of them all the same, a first part of rows or whole ones. Bottom-up a
 * row is read from the front and seldom far, so first come the first 8 words of all rows (of the reverse's, where there
 * is one), or fewer; then the longest rows, which top-down levels read. Where all levels run top-down the shortest rows
 * come first, where all run bottom-up the first words, without a limit. */
struct gws_bfs_device_kept {
    uint64_t rows, whole_rows; /* of which the device has words, and all of them; of the graph and its reverse, where
                                * both are read */
    uint64_t arcs, all_arcs;   /* there; and how many there are */
    uint64_t bytes;            /* that the rows take there */
    uint64_t bound_bytes;      /* of row bounds on the device; 0: a mesh has none */
    uint32_t row_words; /* a mesh's rows have so many words each, and no bounds; 0: rows are as long as they are */
    /* A mesh's other rows, where there is memory for a quarter of them, come to the device in pages of 32 shortly
     * before a search needs them: */
    uint64_t room_rows; /* rows that there is room for; 0: each is read by itself */
    uint64_t brought; /* rows that came there in the device's last search, some of them more than once, 32 for a page */
    uint64_t missed;  /* rows read by themselves, as they were not there (yet) */
    uint64_t cpu_searches; /* of a mesh: searches that the CPU's workers ran whole, since the statistics were reset */
};

/* Fills kept; false, and nothing done, if the graph lies on the device. */
GWS_API bool gws_bfs_device_kept(const struct gws_bfs_device *search, struct gws_bfs_device_kept *kept);

/* What one worker did since the statistics were last reset. A task is a vertex of the frontier (top-down) or of the
 * graph (bottom-up). With the arcs at the host it is a vertex of the graph either way, small levels are not counted,
 * and given is a side's part of the range, by how fast it was in the level before, shared equally. */
struct gws_bfs_device_stats {
    bool gpu; /* a group of the device; false: a CPU worker */
    /* .made: tasks assigned to it at the beginning of levels (the thesis's Figure 4.1); with a shared cursor, and where
     * a level is run by one worker alone, what it took. Stolen are those that were first assigned to another worker. Of
     * a group .busy_ms is how long of .ms it did not wait for other groups: the kernel for whole searches of any graph
     * measures it where the device has a clock (NVIDIA's). */
    struct gws_side_stats did;
    double ms; /* the searches' time; 0: not measured */
};

/* True where gws_bfs_device_run_many() searches from several sources in one launch. */
GWS_API bool gws_bfs_device_has_batches(const struct gws_bfs_device *search);

/* How many workers there are: first the device's groups, then the CPU's. Copies the statistics of all (that many
 * entries) into stats, or resets them. */
GWS_API uint32_t gws_bfs_device_workers(const struct gws_bfs_device *search);
GWS_API void gws_bfs_device_stats(const struct gws_bfs_device *search, struct gws_bfs_device_stats *stats);
GWS_API void gws_bfs_device_stats_reset(struct gws_bfs_device *search);

#ifdef __cplusplus
}
#endif
#endif
