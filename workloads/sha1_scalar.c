/* SPDX-License-Identifier: MIT */
/* SHA-1 of one child after the other in plain C: for any processor. */
#include <stddef.h>

#include "sha1.h"

typedef uint32_t word;
#define WORD(x) ((uint32_t)(x))
#define TARGET __attribute__((always_inline))
#define CHOOSE(b, c, d) ((d) ^ ((b) & ((c) ^ (d))))
#define PARITY(b, c, d) ((b) ^ (c) ^ (d))
#define MAJORITY(b, c, d) (((b) & (c)) | (((b) | (c)) & (d)))
#include "sha1_rounds.h"

static bool is_here(void)
{
    return true;
}

static uint32_t children(struct gws__sha1_batch *batch, uint32_t count)
{
    uint32_t listed = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t p = batch->from[i], hash[gws__sha1_words];
        uint32_t m[16] = {batch->parent[0][p], batch->parent[1][p], batch->parent[2][p], batch->parent[3][p],
                          batch->parent[4][p], batch->number[i],    GWS__SHA1_MARK,      [15] = gws__sha1_bits};
        sha1_block(m, hash);
        for (int k = 0; k < gws__sha1_words; k++) batch->child[k][i] = hash[k];
        batch->listed[listed] = i;
        listed += gws__sha1_draw(hash[4]) - batch->low[p] < batch->width[p];
    }
    return listed;
}

void gws__sha1_root(uint32_t seed, uint32_t *state)
{
    uint32_t m[16] = {0, 0, 0, 0, seed, GWS__SHA1_MARK, [15] = 20 * 8};
    sha1_block(m, state);
}

const struct gws__sha1 gws__sha1_scalar = {"scalar", "plain C, one child after the other", is_here, children};

/* The table of ways to compute SHA-1. */

/* The fastest first, as measured on a Xeon that has all. */
static const struct gws__sha1 *const all[] = {&gws__sha1_avx512, &gws__sha1_avx2, &gws__sha1_shani, &gws__sha1_scalar};

const struct gws__sha1 *gws__sha1_at(uint32_t i)
{
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k]->is_here() && i-- == 0) return all[k];
    return NULL;
}
