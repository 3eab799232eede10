/* SPDX-License-Identifier: MIT */
/* The table of SHA-1 implementations, and an implementation in plain C that hashes one child after the other on any
 * processor. */
#include "sha1.h"

#include <stddef.h>

#define LANES 1
typedef uint32_t word, loose;
#define WORD(x) ((uint32_t)(x))
#define TARGET

static inline uint32_t fetch(const uint32_t *row, uint32_t lane)
{
    return row[lane];
}

static inline uint32_t less(uint32_t x, uint32_t y)
{
    return x < y;
}

static inline uint32_t list(struct gws__sha1_batch *batch, uint32_t listed, uint32_t begin, uint32_t mask)
{
    batch->listed[listed] = begin;
    return listed + mask;
}

#include "sha1_body.h"

void gws__sha1_root(uint32_t seed, uint32_t *state)
{
    uint32_t m[16] = {0, 0, 0, 0, seed, GWS__SHA1_MARK, [15] = 20 * 8};
    sha1_block(m, state);
}

static bool is_here(void)
{
    return true;
}

static const struct gws__sha1 scalar = {"scalar", "plain C, one child after the other", is_here, children};

/* The implementations, the fastest first, as measured on a Xeon that supports all of them. The SHA-1 instructions of
 * x86 are slower than AVX2. */
static const struct gws__sha1 *const all[] = {
#ifdef __x86_64__
    &gws__sha1_avx512, &gws__sha1_avx2,
#endif
    &scalar};

const struct gws__sha1 *gws__sha1_at(uint32_t i)
{
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k]->is_here() && i-- == 0) return all[k];
    return NULL;
}
