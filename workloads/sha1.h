/* SPDX-License-Identifier: MIT */
/* SHA-1 of many 24-byte messages at once: the children of tree nodes (FIPS 180-4, section 6.1).
 *
 * A message is a parent's state, five words, and the child's number. It fits into one block, whose other ten words are
 * always the same, so much of the message schedule is too. States are words as SHA-1 computes them: no byte is swapped
 * on the way from a child's hash to its own children's messages.
 *
 * State: word k of all parents lies in one row, and so does word k of all children, since lanes of a vector want
 * neighbours in memory. Children stand in the order of their parents, which lets a vector of children fetch its
 * parents' words with one load and one permutation. */
#ifndef GWS_SHA1_H
#define GWS_SHA1_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    gws__sha1_words = 5,
    gws__sha1_lanes = 16,                             /* of the widest engine */
    gws__sha1_room = 512,                             /* children in a batch, a multiple of the lanes */
    gws__sha1_row = gws__sha1_room + gws__sha1_lanes, /* entries of a row: engines touch whole vectors */
    gws__sha1_bits = 24 * 8                           /* of a message: the block's last word */
};

#define GWS__SHA1_MARK 0x80000000u /* the block's word behind the message */

/* Children to hash, and their hashes. */
struct gws__sha1_batch {
    alignas(64) uint32_t parent[gws__sha1_words][gws__sha1_row];
    uint32_t low[gws__sha1_row], width[gws__sha1_row]; /* by parent: which of its children are listed, see below */
    uint32_t from[gws__sha1_row]; /* by child: its parent. 0 for the first, and then each as the one before or 1 more */
    uint32_t number[gws__sha1_row];                             /* by child */
    alignas(64) uint32_t child[gws__sha1_words][gws__sha1_row]; /* out */
    uint32_t listed[gws__sha1_row];                             /* out: children, rising */
};

/* One way to compute it. */
struct gws__sha1 {
    const char *name;
    const char *about;
    bool (*is_here)(void); /* has this processor what it takes? */
    /* Hashes count children, 1 .. room, and lists those whose draw (the last word without its highest bit) is at least
     * low of their parent and less than low + width. Returns how many those are. Entries of from beyond count, up to a
     * multiple of the lanes, must continue it. */
    uint32_t (*children)(struct gws__sha1_batch *batch, uint32_t count);
};

extern const struct gws__sha1 gws__sha1_avx2, gws__sha1_avx512;

/* The i-th of those that this processor has, the fastest first; NULL past the end. */
const struct gws__sha1 *gws__sha1_at(uint32_t i);

/* The state of a tree's root: SHA-1 of 20 bytes, sixteen zeros and the seed. */
void gws__sha1_root(uint32_t seed, uint32_t *state);

static inline uint32_t gws__sha1_draw(uint32_t last_word)
{
    return last_word & 0x7fffffff;
}

#endif
