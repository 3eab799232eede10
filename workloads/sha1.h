/* SPDX-License-Identifier: MIT */
/* Computes SHA-1 of many 24-byte messages at once, which are the children of tree nodes (FIPS 180-4, section 6.1).
 *
 * A message is a parent's state (five words) and the number of the child. A message fits into one block. The other ten
 * words of the block are constant, so much of the message schedule is constant too. A state is a sequence of words as
 * SHA-1 computes them. So the code swaps no bytes between a child's hash and the messages of its own children.
 *
 * State encoding. Word k of all parents is one row, and so is word k of all children, because vector lanes need
 * neighbours in memory. Children are in the order of their parents, so a vector of children fetches its parents' words
 * with one load and one permutation. */
#ifndef GWS_SHA1_H
#define GWS_SHA1_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    gws__sha1_words = 5,
    gws__sha1_lanes = 16,     /* lanes of the widest implementation */
    gws__sha1_capacity = 512, /* children in a batch, a multiple of the lanes */
    gws__sha1_row =
        gws__sha1_capacity + gws__sha1_lanes, /* entries of a row, of which implementations access whole vectors */
    gws__sha1_bits = 24 * 8                   /* bits of a message, the last word of the block */
};

#define GWS__SHA1_MARK 0x80000000u /* the block's word after the message */

/* Children to hash (in), and their hashes (out). */
struct gws__sha1_batch {
    alignas(64) uint32_t parent[gws__sha1_words][gws__sha1_row];
    uint32_t low[gws__sha1_row],
        width[gws__sha1_row];       /* by parent: the range of the draws of listed children, see below */
    uint32_t from[gws__sha1_row];   /* by child: its parent, 0 for the first child, then the parent of the child before,
                                       or the next parent */
    uint32_t number[gws__sha1_row]; /* by child: its number among the parent's children */
    alignas(64) uint32_t child[gws__sha1_words][gws__sha1_row]; /* out */
    uint32_t listed[gws__sha1_row];                             /* out: children, in ascending order */
};

/* One implementation. */
struct gws__sha1 {
    const char *name;
    const char *about;
    bool (*is_here)(void); /* returns true if this processor supports the implementation */
    /* Hashes count children, 1 .. capacity. Lists the children whose draw (the last word without its highest bit) is
     * at least their parent's low and less than low + width. Returns the number of listed children. Entries of `from`
     * beyond count, up to a multiple of the lanes, must continue the sequence. */
    uint32_t (*children)(struct gws__sha1_batch *batch, uint32_t count);
};

extern const struct gws__sha1 gws__sha1_avx2, gws__sha1_avx512;

/* Returns the i-th implementation that this processor supports, the fastest first, or NULL past the end. */
const struct gws__sha1 *gws__sha1_at(uint32_t i);

/* Writes the state of a tree's root, which is SHA-1 of 20 bytes, sixteen zeros and the seed. */
void gws__sha1_root(uint32_t seed, uint32_t *state);

static inline uint32_t gws__sha1_draw(uint32_t last_word)
{
    return last_word & 0x7fffffff;
}

#endif
