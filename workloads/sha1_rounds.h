/* SPDX-License-Identifier: MIT */
/* The 80 rounds of SHA-1 (FIPS 180-4, section 6.1.2) for any type of word, a number or a vector of them. No include
 * guard: whoever includes this says how its words are reckoned, by
 *     word              the type
 *     WORD(x)           a word of this number, in all lanes
 *     TARGET            attributes of the functions
 *     CHOOSE, PARITY, MAJORITY (b, c, d)
 * and gets sha1_block(). Everything is unrolled, so words of the message that are constants where it is inlined fold.
 */

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

/* The hash of a message of one block m, which is used up. */
static inline TARGET void sha1_block(word *m, word *hash)
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
