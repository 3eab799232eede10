/* SPDX-License-Identifier: MIT */
/* The 80 rounds of SHA-1 (FIPS 180-4, section 6.1.2) in registers: all rounds are unrolled, so that constant words of
 * the message become constants of the code. */
#define SHA1_ROTATE(x, bits) ((x) << (bits) | (x) >> (32 - (bits)))
#define SHA1_CHOOSE(b, c, d) (((b) & (c)) | (~(b) & (d)))
#define SHA1_PARITY(b, c, d) ((b) ^ (c) ^ (d))
#define SHA1_MAJORITY(b, c, d) (((b) & (c)) | ((b) & (d)) | ((c) & (d)))

/* CUDA's integer unit limits the speed, so two of the sums of a round are products with `one`, a word of value 1 that
 * the compiler does not know: multiplications have a unit of their own. nvcc would also distribute the rotation of the
 * schedule over the words, which takes a fifth more instructions. */
#ifdef __CUDACC__
#define SHA1_ONE (group_size() / TASK_GROUP) /* 1 */

device_inline u32 sha1_rotate_by_1(u32 x)
{
    u32 rotated;
    asm("shf.l.wrap.b32 %0, %1, %1, 1;" : "=r"(rotated) : "r"(x));
    return rotated;
}

device_inline u32 sha1_add(u32 x, u32 y, u32 one)
{
    u32 sum;
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(x), "r"(one), "r"(y));
    return sum;
}
#else
#define SHA1_ONE 1u
#define sha1_rotate_by_1(x) SHA1_ROTATE(x, 1)
#define sha1_add(x, y, one) ((x) + (y))
#endif
#define SHA1_SCHEDULE(t)                                                                                               \
    (m[(t) % 16] = sha1_rotate_by_1(m[((t) + 13) % 16] ^ m[((t) + 8) % 16] ^ m[((t) + 2) % 16] ^ m[(t) % 16]))
#define SHA1_MESSAGE(t) ((t) < 16 ? m[(t) % 16] : SHA1_SCHEDULE(t))
#define SHA1_ROUND(a, b, c, d, e, f, k, t)                                                                             \
    e = SHA1_ROTATE(a, 5) + sha1_add(f(b, c, d), e + sha1_add(SHA1_MESSAGE(t), k, one), one);                          \
    b = SHA1_ROTATE(b, 30);
#define SHA1_FIVE(f, k, t)                                                                                             \
    SHA1_ROUND(a, b, c, d, e, f, k, t)                                                                                 \
    SHA1_ROUND(e, a, b, c, d, f, k, (t) + 1)                                                                           \
    SHA1_ROUND(d, e, a, b, c, f, k, (t) + 2)                                                                           \
    SHA1_ROUND(c, d, e, a, b, f, k, (t) + 3)                                                                           \
    SHA1_ROUND(b, c, d, e, a, f, k, (t) + 4)
#define SHA1_TWENTY(f, k, t)                                                                                           \
    SHA1_FIVE(f, k, t) SHA1_FIVE(f, k, (t) + 5) SHA1_FIVE(f, k, (t) + 10) SHA1_FIVE(f, k, (t) + 15)

/* Computes the hash of a message of one block, m. The function overwrites m. */
device_inline void sha1_block(u32 *m, u32 *hash)
{
    const u32 one = SHA1_ONE;
    (void)one;
    u32 a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u, e = 0xc3d2e1f0u;
    SHA1_TWENTY(SHA1_CHOOSE, 0x5a827999u, 0)
    SHA1_TWENTY(SHA1_PARITY, 0x6ed9eba1u, 20)
    SHA1_TWENTY(SHA1_MAJORITY, 0x8f1bbcdcu, 40)
    SHA1_TWENTY(SHA1_PARITY, 0xca62c1d6u, 60)
    hash[0] = a + 0x67452301u;
    hash[1] = b + 0xefcdab89u;
    hash[2] = c + 0x98badcfeu;
    hash[3] = d + 0x10325476u;
    hash[4] = e + 0xc3d2e1f0u;
}
