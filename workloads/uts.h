/* SPDX-License-Identifier: MIT */
/* Unbalanced tree search (Olivier, Huan, Liu, Prins, Dinan, Sadayappan, Tseng: "UTS: An Unbalanced Tree Search
 * Benchmark", LCPC 2006). The search counts the nodes of a tree that exists only as hashes. A node is a SHA-1 state.
 * The state of child i is the SHA-1 of the parent's state and i. The state of a node determines its number of
 * children. So the tree is random but reproducible, the size of a subtree is unpredictable, and any worker can
 * continue from any node. */
#ifndef GWS_UTS_H
#define GWS_UTS_H

#include "../lib/device_tasks.h"
#include "../lib/rank_tasks.h"

/* The distribution of the number of children. */
enum gws_uts_type {
    GWS_UTS_BINOMIAL, /* the root has floor(branching) children, and every other node has branching_factor children with
                         probability chance, otherwise none */
    GWS_UTS_GEOMETRIC, /* a geometric distribution with a mean set by the depth and the shape; at most 100 */
    GWS_UTS_HYBRID,    /* geometric at depths below turn * depth, then binomial */
    GWS_UTS_BALANCED   /* floor(branching) children, at most 100, at depths below depth */
};

/* The mean of the geometric distribution at depth x. The mean at the root is always branching. */
enum gws_uts_shape {
    GWS_UTS_LINEAR,      /* branching * (1 - x / depth) */
    GWS_UTS_EXPONENTIAL, /* branching * x ^ (-ln branching / ln depth) */
    GWS_UTS_CYCLIC,      /* branching ^ sin(2 pi x / depth), and 0 at depths greater than 5 * depth */
    GWS_UTS_FIXED        /* branching at depths below depth, then 0 */
};

/* A tree, with the options of the original program. */
struct gws_uts_tree {
    enum gws_uts_type type;   /* -t */
    enum gws_uts_shape shape; /* -a, of geometric and hybrid trees */
    uint64_t depth;           /* -d, of all but binomial trees: at most 2^20 */
    double branching;         /* -b, at least 0, at most 2^24 */
    uint64_t seed;            /* -r, of the root's state: below 2^32 */
    double chance;            /* -q, of binomial and hybrid trees: the probability that a node has children, 0 .. 1 */
    uint64_t
        branching_factor; /* -m, of binomial and hybrid trees: the number of children of such a node, at most 100 */
    double turn;          /* -f, of hybrid trees: 0 .. 1 */
    uint64_t
        repeat; /* -g: number of computations of each child's hash, 1 .. 2^32 - 1, which sets the length of a task */
};

/* The original program's defaults: geometric, linear, depth 6, branching 4, seed 0, chance 15/64, branching factor 4,
 * turn 0.5, repeat 1. */
extern const struct gws_uts_tree gws_uts_defaults;

struct gws_uts_result {
    uint64_t nodes;
    uint64_t leaves; /* nodes without children */
    uint64_t depth;  /* the maximum depth; the root has depth 0 */
};

/* A well-known tree, with its size. */
struct gws_uts_named {
    const char *name;  /* such as "T1L" */
    const char *about; /* the original's options, such as "-t 1 -a 3 -d 13 -b 4 -r 29" */
    struct gws_uts_tree tree;
    struct gws_uts_result result; /* the expected counts */
};

/* gws_uts_at() returns row i of the table of such trees, or NULL past the end. gws_uts_named() returns the row of that
 * exact name, or NULL if there is none. Both rows are in static storage. */
const struct gws_uts_named *gws_uts_at(uint32_t i);
const struct gws_uts_named *gws_uts_named(const char *name);

enum { GWS_UTS_BATCH = 64 }; /* unless the options have one */

struct gws_uts_options {
    const char *hash; /* the SHA-1 implementation, a name from gws_uts_hash_at(); NULL: the fastest */
    uint32_t
        batch; /* nodes that a worker takes at once to hash their children together, at most 256; 0: GWS_UTS_BATCH */
    /* The ranks that search together (gws_rank_tasks_run()), each with the same tree. The call is then collective, and
     * every rank has the whole result. NULL: this process alone. */
    const struct gws_ranks *ranks;
    bool devices_only; /* gws_uts_sides(): the CPU's workers are no side */
};

/* Lists the SHA-1 implementations that this processor supports, the fastest first. Returns the name of row i, or NULL
 * past the end. Sets *about to a sentence about the implementation. Both strings are in static storage. */
const char *gws_uts_hash_at(uint32_t i, const char **about);

/* Searches the tree. Each node with children is an immediate task (32 bytes). A worker counts a leaf when it hashes
 * the leaf. The search computes every node's hash, also at the greatest depth. options may be NULL. Errors:
 * GWS_INVALID (a parameter out of the bounds above, an unknown hash; for linear, exponential and cyclic shapes a depth
 * of 0 or more than 4096, for exponential 1), GWS_TOO_LARGE (a tree that is probably infinite: chance *
 * branching_factor greater than 1, unless it probably ends and the tree is not hybrid; exponential with branching at
 * most 1, but not 0), GWS_NO_MEMORY; *result is then unchanged. Memory: the waiting tasks, about the widest node's
 * children times the depth for each worker, a table of at most 700 bytes per depth, and 34 KB per worker.
 * gws_runtime_stats() has the statistics, in which a task is a node with children. */
gws_status gws_uts_search(struct gws_runtime *runtime, const struct gws_uts_tree *tree,
                          const struct gws_uts_options *options, struct gws_uts_result *result);

/* The search on a device (lib/device_tasks.h). */
struct gws_uts_device;

/* Builds the program and allocates the memory. options->length is ignored. Errors: those of gws_device_tasks_open(). */
gws_status gws_uts_device_open(struct gws_runtime *runtime, struct gws_device *device,
                               const struct gws_device_tasks_options *options, struct gws_uts_device **uts,
                               struct gws_diagnostic *where);
void gws_uts_device_close(struct gws_uts_device *uts);

/* Searches the tree on `count` devices, at least one, and on the CPU's workers unless options->devices_only: one
 * work-item computes the hash of a node. sides, which may be NULL, receives what each side did, first the devices, then
 * the workers. A created task is a node other than the root. On several ranks (options->ranks), each with devices of
 * its own, the call is collective, and every rank has the whole result. options may be NULL: one process and devices
 * only. Errors: those of gws_uts_search() and gws_device_tasks_run_ranks(). */
gws_status gws_uts_sides(struct gws_runtime *runtime, struct gws_uts_device *const *uts, uint32_t count,
                         const struct gws_uts_options *options, const struct gws_uts_tree *tree,
                         struct gws_uts_result *result, struct gws_device_task_side_result *sides,
                         struct gws_diagnostic *where);

/* Checks a result against a serial search by the formulas above, which shares no code with gws_uts_search(). The check
 * gives up after `max` nodes. It searches about 3 million nodes per second. Errors: GWS_WRONG_RESULT (where->message
 * has the counts), GWS_TOO_LARGE (more than `max` nodes), GWS_NO_MEMORY (84 bytes per level). The tree must be valid
 * for gws_uts_search(). */
gws_status gws_uts_check(struct gws_runtime *runtime, const struct gws_uts_tree *tree,
                         const struct gws_uts_result *result, uint64_t max, struct gws_diagnostic *where);

#endif
