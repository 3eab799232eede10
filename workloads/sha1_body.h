/* SPDX-License-Identifier: MIT */
/* The 80 rounds of SHA-1 (FIPS 180-4, section 6.1.2) for any type of word (a number or a vector of numbers), and the
 * hashes of a batch's children. The including file defines
 *     LANES, word, loose   the number of lanes, the type of their words, and that type aligned to 4 bytes only
 *     WORD(x)              the word x in all lanes
 *     TARGET               attributes of the functions
 *     CHOOSE, PARITY, MAJORITY (b, c, d), unless plain logic suffices
 *     fetch(row, lane)     for each lane, the entry of the row with that number, below LANES
 *     less(x, y)           one bit for each lane, the lowest first: x < y
 *     list(batch, listed, begin, mask)   appends those children of begin .. begin + LANES - 1 whose bit is set in mask,
 *                          and returns the new length of the list
 * All loops are unrolled, so the compiler folds the constant words of the message. */
#ifndef CHOOSE
#define CHOOSE(b, c, d) ((d) ^ ((b) & ((c) ^ (d))))
#define PARITY(b, c, d) ((b) ^ (c) ^ (d))
#define MAJORITY(b, c, d) (((b) & (c)) | (((b) | (c)) & (d)))
#endif
#define ROTATE(x, bits) ((x) << (bits) | (x) >> (32 - (bits)))
#define SCHEDULE(t) (m[(t) % 16] = ROTATE(m[((t) + 13) % 16] ^ m[((t) + 8) % 16] ^ m[((t) + 2) % 16] ^ m[(t) % 16], 1))
#define MESSAGE(t) ((t) < 16 ? m[(t) % 16] : SCHEDULE(t))
#define ROUND(a, b, c, d, e, f, k, t)                                                                                  \
    (e) += MESSAGE(t) + WORD(k) + f(b, c, d) + ROTATE(a, 5);                                                           \
    (b) = ROTATE(b, 30);
#define FIVE(f, k, t)                                                                                                  \
    ROUND(a, b, c, d, e, f, k, t)                                                                                      \
    ROUND(e, a, b, c, d, f, k, (t) + 1)                                                                                \
    ROUND(d, e, a, b, c, f, k, (t) + 2)                                                                                \
    ROUND(c, d, e, a, b, f, k, (t) + 3)                                                                                \
    ROUND(b, c, d, e, a, f, k, (t) + 4)
#define TWENTY(f, k, t) FIVE(f, k, t) FIVE(f, k, (t) + 5) FIVE(f, k, (t) + 10) FIVE(f, k, (t) + 15)

/* Computes the hash of a message of one block, m. The function overwrites m. */
static inline __attribute__((always_inline)) TARGET void sha1_block(word *m, word *hash)
{
    word a = WORD(0x67452301), b = WORD(0xefcdab89), c = WORD(0x98badcfe), d = WORD(0x10325476), e = WORD(0xc3d2e1f0);
    TWENTY(CHOOSE, 0x5a827999, 0)
    TWENTY(PARITY, 0x6ed9eba1, 20)
    TWENTY(MAJORITY, 0x8f1bbcdc, 40)
    TWENTY(PARITY, 0xca62c1d6, 60)
    hash[0] = a + WORD(0x67452301);
    hash[1] = b + WORD(0xefcdab89);
    hash[2] = c + WORD(0x98badcfe);
    hash[3] = d + WORD(0x10325476);
    hash[4] = e + WORD(0xc3d2e1f0);
}

static TARGET uint32_t children(struct gws__sha1_batch *batch, uint32_t count)
{
    uint32_t listed = 0;
    for (uint32_t i = 0; i < count; i += LANES) {
        uint32_t p = batch->from[i];
        word lane = *(const loose *)(batch->from + i) - p;
        word m[16] = {WORD(0)}, hash[gws__sha1_words];
        for (int k = 0; k < gws__sha1_words; k++) m[k] = fetch(batch->parent[k] + p, lane);
        m[5] = *(const loose *)(batch->number + i);
        m[6] = WORD(GWS__SHA1_MARK);
        m[15] = WORD(gws__sha1_bits);
        sha1_block(m, hash);
        for (int k = 0; k < gws__sha1_words; k++) *(loose *)(batch->child[k] + i) = hash[k];
        uint32_t mask = less((hash[4] & 0x7fffffff) - fetch(batch->low + p, lane), fetch(batch->width + p, lane));
        if (count - i < LANES) mask &= (1U << (count - i)) - 1;
        listed = list(batch, listed, i, mask);
    }
    return listed;
}
