/* SPDX-License-Identifier: MIT */
/* A serial unbalanced tree search, the oracle for the parallel search. The search runs depth first, one node at a
 * time, with SHA-1 as in FIPS 180-4. The number of children follows the formulas of Olivier et al. (LCPC 2006, section
 * 2), with logarithms. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../lib/parallel.h"
#include "uts.h"

enum { state_words = 5, max_children = 100, initial_capacity = 64 };

struct check_node {
    uint32_t state[state_words];
    uint32_t children, next; /* number of children, of which the search has visited those below next */
};

/* The path from the root to the current node. The index of a node is its depth. */
struct search_path {
    struct gws_runtime *runtime;
    const struct gws_uts_tree *tree;
    struct check_node *node;
    uint64_t length, capacity;
};

/* ---- SHA-1 of a few 32-bit words, first byte first ---- */

static uint32_t rotate(uint32_t x, int bits)
{
    return x << bits | x >> (32 - bits);
}

static uint32_t mix(int round, uint32_t b, uint32_t c, uint32_t d)
{
    if (round < 20) return ((b & c) | (~b & d)) + 0x5a827999;
    if (round < 40) return (b ^ c ^ d) + 0x6ed9eba1;
    if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    return (b ^ c ^ d) + 0xca62c1d6;
}

static void hash(const uint32_t *message, uint32_t words, uint32_t *digest)
{
    static const uint32_t begin[state_words] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    uint32_t w[80] = {0}, h[state_words];
    memcpy(w, message, words * sizeof *w);
    w[words] = 0x80000000;
    w[15] = 32 * words;
    for (int i = 16; i < 80; i++) w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    memcpy(h, begin, sizeof h);
    for (int i = 0; i < 80; i++) {
        uint32_t first = rotate(h[0], 5) + mix(i, h[1], h[2], h[3]) + h[4] + w[i];
        h[4] = h[3];
        h[3] = h[2];
        h[2] = rotate(h[1], 30);
        h[1] = h[0];
        h[0] = first;
    }
    for (int i = 0; i < state_words; i++) digest[i] = begin[i] + h[i];
}

/* ---- the number of children ---- */

static double mean_at(const struct gws_uts_tree *tree, uint64_t depth)
{
    double b = tree->branching, d = tree->depth, x = (double)depth;
    if (depth == 0) return b;
    switch (tree->shape) {
    case GWS_UTS_LINEAR:
        return b * (1 - x / d);
    case GWS_UTS_EXPONENTIAL:
        return b * pow(x, -log(b) / log(d));
    case GWS_UTS_CYCLIC:
        return x > 5 * d ? 0 : pow(b, sin(2 * 3.141592653589793 * x / d));
    case GWS_UTS_FIXED:
        return x < d ? b : 0;
    }
    return 0;
}

/* u: the node's draw, 0 .. 1 */
static double geometric(const struct gws_uts_tree *tree, uint64_t depth, double u)
{
    double mean = tree->branching > 0 ? mean_at(tree, depth) : 0;
    return mean > 0 ? floor(log(1 - u) / log(1 - 1 / (1 + mean))) : 0;
}

static double children_wanted(const struct gws_uts_tree *tree, uint64_t depth, double u)
{
    bool hybrid = tree->type == GWS_UTS_HYBRID;
    if (tree->type == GWS_UTS_BALANCED) return depth < tree->depth ? floor(tree->branching) : 0;
    if (tree->type == GWS_UTS_GEOMETRIC || (hybrid && (double)depth < tree->turn * tree->depth))
        return geometric(tree, depth, u);
    return u < tree->chance ? tree->branching_factor : 0;
}

static uint32_t children_of(const struct gws_uts_tree *tree, const uint32_t *state, uint64_t depth)
{
    if (depth == 0 && tree->type == GWS_UTS_BINOMIAL) return (uint32_t)tree->branching;
    double wanted = children_wanted(tree, depth, (state[state_words - 1] & 0x7fffffff) / 2147483648.0);
    return wanted < max_children ? (uint32_t)wanted : max_children;
}

/* ---- the search ---- */

static gws_status ensure_capacity(struct search_path *path)
{
    if (path->length < path->capacity) return GWS_OK;
    uint64_t capacity = path->capacity ? 2 * path->capacity : initial_capacity;
    struct check_node *node = gws_allocate(path->runtime, capacity, sizeof *node);
    if (!node) return GWS_NO_MEMORY;
    if (path->length) memcpy(node, path->node, path->length * sizeof *node);
    gws_release(path->runtime, path->node, path->capacity, sizeof *node);
    path->node = node;
    path->capacity = capacity;
    return GWS_OK;
}

/* Descends to the next child of the last node, or to the root if the path is empty, and counts the new node. */
static gws_status descend(struct search_path *path, struct gws_uts_result *count)
{
    gws_status status = ensure_capacity(path);
    if (status != GWS_OK) return status;
    uint64_t depth = path->length++;
    struct check_node *node = &path->node[depth];
    uint32_t message[state_words + 1] = {[state_words - 1] = (uint32_t)path->tree->seed}; /* the message of the root */
    if (depth > 0) {
        memcpy(message, node[-1].state, sizeof node->state);
        message[state_words] = node[-1].next++;
    }
    hash(message, depth > 0 ? state_words + 1 : state_words, node->state);
    node->children = children_of(path->tree, node->state, depth);
    node->next = 0;
    count->nodes++;
    count->leaves += node->children == 0;
    if (count->depth < depth) count->depth = depth;
    return GWS_OK;
}

static gws_status search(struct search_path *path, uint64_t max, struct gws_uts_result *count)
{
    gws_status status = descend(path, count);
    while (status == GWS_OK && path->length > 0) {
        const struct check_node *last = &path->node[path->length - 1];
        if (last->next == last->children)
            path->length--;
        else if (count->nodes < max)
            status = descend(path, count);
        else
            status = GWS_TOO_LARGE;
    }
    return status;
}

static gws_status uts_check(struct gws_runtime *runtime, const struct gws_uts_tree *tree,
                            const struct gws_uts_result *result, uint64_t max, struct gws_diagnostic *where)
{
    struct search_path path = {.runtime = runtime, .tree = tree};
    struct gws_uts_result count = {0};
    gws_status status = search(&path, max, &count);
    gws_release(runtime, path.node, path.capacity, sizeof *path.node);
    if (status == GWS_TOO_LARGE)
        return gws_diagnostic_set(where, status, NULL, 0, 0, "the tree has more than %" PRIu64 " nodes", max);
    if (status != GWS_OK) return gws_diagnostic_set(where, status, NULL, 0, 0, "out of memory");
    if (count.nodes == result->nodes && count.leaves == result->leaves && count.depth == result->depth) return GWS_OK;
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                              "a serial search found %" PRIu64 " nodes, depth %" PRIu64 ", %" PRIu64 " leaves",
                              count.nodes, count.depth, count.leaves);
}

gws_status gws_uts_check(struct gws_runtime *runtime, const struct gws_uts_tree *tree,
                         const struct gws_uts_result *result, uint64_t max, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, uts_check(runtime, tree, result, max, where));
}
