/* SPDX-License-Identifier: MIT */
/* Parallel quicksort as a workload (Rudolph, Slivkin-Allalouf, Upfal: "A Simple Load Balancing Scheme for Task
 * Allocation in Parallel Machines", SPAA 1991, section 4). One task selects a random pivot and divides the keys into
 * smaller and larger ones. Two further tasks sort both parts in the same way, in parallel. Parallelism starts with one
 * task and grows as the parts shrink, and no part's size is predictable. The function is a workload, not the fastest
 * way to sort. */
#ifndef GWS_QUICKSORT_H
#define GWS_QUICKSORT_H

#include "../lib/device_tasks.h"
#include "../lib/rank_tasks.h"

/* The cut-off on threads and on a device, unless the options have one. */
enum { GWS_QUICKSORT_CUTOFF = 2048, GWS_QUICKSORT_DEVICE_CUTOFF = 64 };

struct gws_quicksort_sides;

struct gws_quicksort_options {
    uint64_t cutoff; /* one task sorts a range of at most `cutoff` keys; 0: GWS_QUICKSORT_CUTOFF */
    uint64_t seed;   /* seed of the random pivots */
    /* Of gws_quicksort_on_ranks(): this rank's devices, and whether its workers sort; NULL: the workers alone. */
    const struct gws_quicksort_sides *sides;
};

struct gws_quicksort_result {
    uint64_t tasks;  /* number of ranges, including the whole array, which depends only on keys and options */
    uint64_t splits; /* ranges that tasks divided */
    uint64_t depth;  /* depth of the tree of ranges; the whole array has depth 0 */
};

/* Sorts keys[0 .. count - 1] in place in ascending order. Tasks are 24 bytes. keys may be NULL if count is 0. Errors:
 * GWS_TOO_LARGE (count 2^48 or more), GWS_NO_MEMORY. Errors leave *result unchanged, and the same keys in some order
 * in the array. Expected cost: O(count log count). Of this, O(count) is serial. */
gws_status gws_quicksort(struct gws_runtime *runtime, uint64_t *keys, uint64_t count,
                         const struct gws_quicksort_options *options, struct gws_quicksort_result *result);

/* Quicksort on a device (lib/device_tasks.h). All lanes of all warps divide the large ranges. Keys move between two
 * buffers. */
struct gws_quicksort_device;

/* Builds the program and allocates its memory. options->length is ignored. Errors: those of gws_device_tasks_open(). */
gws_status gws_quicksort_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                     const struct gws_device_tasks_options *options, struct gws_quicksort_device **sort,
                                     struct gws_diagnostic *where);
void gws_quicksort_device_close(struct gws_quicksort_device *sort);

/* Sorts like gws_quicksort(), on the device. A range of at most `cutoff` keys is sorted by one work-item. Pivots
 * are medians of nine keys of a range. The order of the keys in a range depends on the order of the lanes, so runs
 * differ in the tree of ranges. *stats, which may be NULL, receives the statistics; its sum 2 is the number of keys
 * that work-items read to divide ranges. The device needs 16 bytes for each key, and 16 for each `cutoff` keys.
 * Errors: those of gws_device_tasks_run(), and GWS_TOO_LARGE (more than 2^31 keys). Errors of the sort leave the keys
 * unchanged. Expected cost: that of gws_quicksort(), and moving the keys to the device and back. */
gws_status gws_quicksort_on_device(struct gws_quicksort_device *sort, uint64_t *keys, uint64_t count,
                                   const struct gws_quicksort_options *options, struct gws_quicksort_result *result,
                                   struct gws_device_tasks_result *stats, struct gws_diagnostic *where);

/* What a side did. */
struct gws_quicksort_side_result {
    uint64_t keys, parts;                  /* sorted keys, and the parts that they were in */
    struct gws_quicksort_result tree;      /* the depth is that in a part */
    struct gws_device_tasks_result device; /* sums over the parts; zero for the workers */
    double ms;                             /* time from the first part to the end of the last one */
};

/* Quicksort on several sides: devices, and the workers of the calling thread's runtime. */
struct gws_quicksort_sides {
    struct gws_quicksort_device *const
        *device;      /* each with a runtime of its own, which no other thread uses meanwhile */
    uint32_t devices; /* entries of device[], at most GWS_DEVICE_TASK_SIDES */
    bool workers;     /* the workers are a side */
    struct gws_quicksort_side_result
        *found; /* receives an entry for each device and then one for the workers, on success; may be NULL */
};

/* Sorts like gws_quicksort(). The workers divide the keys into four parts for each side by splitters, the keys of a
 * random sample, and each side takes a part whenever it has none; it sorts the part in its own memory. Keys that equal
 * a splitter need no sorting. A cut-off of 0 is each side's own. *result sums the trees of all parts. Errors,
 * after which the array has the same keys in some order: GWS_INVALID (no side), GWS_TOO_LARGE (2^37 keys), GWS_SYSTEM
 * (no thread), and those of gws_quicksort() and gws_quicksort_on_device(). A device's runtime asks its own cancel hook,
 * from a thread of this call. Memory of the host: 10 bytes per key. */
gws_status gws_quicksort_on_sides(struct gws_runtime *runtime, const struct gws_quicksort_sides *sides, uint64_t *keys,
                                  uint64_t count, const struct gws_quicksort_options *options,
                                  struct gws_quicksort_result *result, struct gws_diagnostic *where);

/* The sorted keys of several ranks: those of each rank are at most those of the next one. */
struct gws_quicksort_parted {
    uint64_t *keys, count;               /* of this rank */
    struct gws_transport_memory *memory; /* that of the keys, if the ranks of a host share it */
    struct gws_runtime *runtime;         /* which counts the keys' memory */
    void *counted;                       /* with .memory: untouched memory of that size, which takes none */
};

/* Sorts the keys of all ranks. Collective; each rank passes keys of its own, which stay unchanged, and the same
 * options but for its sides. A sample of all keys splits them into parts of about equal size, also if many keys are
 * equal; the ranks write them to each other's memory, between hosts in blocks, and each sorts its part as
 * gws_quicksort() does. Ranks of one host steal ranges from each other, and sort them in place, in the memory that they
 * share. Between hosts keys move in the exchange only. *result sums the trees of all parts, whose depths are those in a
 * part. The tree depends only on the keys of each rank and the options.
 *
 * If some rank has a device (options->sides), each rank sorts the keys that it has, as gws_quicksort_on_sides() does.
 * A sample of the sorted keys splits them into parts, which the workers of each rank merge from the keys of all ranks.
 * *result sums the trees of all sides. No tasks move between ranks then, and ranks->queue has no effect.
 *
 * *sorted: zero, or the keys of an earlier call; gws_quicksort_parted_free() frees it. Memory: 8 bytes for each key
 * that a rank receives, 8 for each pair of ranks, and 2 for each key that a rank passes, or 10 if not all ranks share
 * memory. With devices: 8 bytes for each key that a rank passes, in memory of rank 0 that stays allocated, 8 for each
 * that it receives, 8 more of more than two ranks, and 8 more if not all ranks share memory. The runtime counts all of
 * it (gws_options.max_memory), so *sorted must be freed before the runtime closes. Errors, on all ranks alike:
 * GWS_TOO_LARGE (2^48 keys, or more than 2^16 ranks), GWS_NO_MEMORY, and those of gws_rank_tasks_run() and
 * gws_quicksort_on_sides(). *sorted is then zero. where may be NULL. */
gws_status gws_quicksort_on_ranks(struct gws_runtime *runtime, const struct gws_ranks *ranks, const uint64_t *keys,
                                  uint64_t count, const struct gws_quicksort_options *options,
                                  struct gws_quicksort_result *result, struct gws_quicksort_parted *sorted,
                                  struct gws_diagnostic *where);
void gws_quicksort_parted_free(struct gws_transport *transport, struct gws_quicksort_parted *sorted);

/* Orders of test keys. */
enum gws_quicksort_order {
    GWS_QUICKSORT_RANDOM, /* all 64 bits */
    GWS_QUICKSORT_UP,     /* sorted */
    GWS_QUICKSORT_DOWN,   /* sorted in descending order */
    GWS_QUICKSORT_FEW,    /* random, with 16 distinct values */
    GWS_QUICKSORT_EQUAL
};

/* Returns the names of the orders, "random", "up", "down", "few", "equal", in the order of the enum, or NULL past the
 * end. */
const char *gws_quicksort_order_at(uint32_t i);

/* Writes count keys in parallel. The same seed gives the same keys. */
void gws_quicksort_fill(struct gws_runtime *runtime, enum gws_quicksort_order order, uint64_t seed, uint64_t *keys,
                        uint64_t count);

/* Writes the keys first .. first + count - 1 of `all` keys to keys[0 .. count - 1]. */
void gws_quicksort_fill_part(struct gws_runtime *runtime, enum gws_quicksort_order order, uint64_t seed, uint64_t *keys,
                             uint64_t first, uint64_t count, uint64_t all);

/* Returns a checksum of the keys, computed in parallel. The checksum depends on the number of occurrences of each key,
 * but not on the order of the keys. */
uint64_t gws_quicksort_sum(struct gws_runtime *runtime, const uint64_t *keys, uint64_t count);

/* Checks that the keys are in order and that their checksum is `sum`. Errors: GWS_WRONG_RESULT (where->message names
 * the failure). where may be NULL. */
gws_status gws_quicksort_check(struct gws_runtime *runtime, const uint64_t *keys, uint64_t count, uint64_t sum,
                               struct gws_diagnostic *where);

/* The same for the keys of all ranks, whose checksums add up to `sum`. Collective; all ranks return the same status. */
gws_status gws_quicksort_check_parted(struct gws_runtime *runtime, struct gws_transport *transport,
                                      const struct gws_quicksort_parted *sorted, uint64_t sum,
                                      struct gws_diagnostic *where);

#endif
