/* SPDX-License-Identifier: MIT */
/* SHA-1 with the instructions that x86 has for it, of two children at once: each instruction waits some cycles for the
 * one before, and the other child fills them.
 *
 * Four words of the message, and a, b, c, d, lie in one register, the first in its highest lane. These instructions
 * have no VEX form. */
#include "sha1.h"

#ifdef __x86_64__
#include <cpuid.h>

typedef int four __attribute__((vector_size(16)));
typedef uint32_t wraps __attribute__((vector_size(16))); /* for sums, which overflow */
#define TARGET __attribute__((target("sha,sse4.1,no-avx")))

/* The builtins rather than immintrin.h's names: those cannot be inlined here when the whole build is for a processor
 * with AVX. */
#define ROUNDS(abcd, e, function) __builtin_ia32_sha1rnds4(abcd, e, function)
#define NEXT_E(e, m) __builtin_ia32_sha1nexte(e, m)

enum { streams = 2 };

struct stream {
    four abcd, before; /* now, and four rounds ago */
    four m[4];
};

static bool is_here(void)
{
    unsigned a, b, c, d;
    bool has_sse4_1 = __get_cpuid(1, &a, &b, &c, &d) && c & bit_SSE4_1;
    return has_sse4_1 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_SHA;
}

/* Rounds 4t to 4t + 3. Four words of the schedule are made in steps while the 12 before them are still being used. */
#define FOUR(t)                                                                                                        \
    for (int s = 0; s < streams; s++) {                                                                                \
        struct stream *x = &stream[s];                                                                                 \
        four *m = x->m;                                                                                                \
        if ((t) >= 4) {                                                                                                \
            four mixed = __builtin_ia32_sha1msg1(m[(t) % 4], m[((t) + 1) % 4]) ^ m[((t) + 2) % 4];                     \
            m[(t) % 4] = __builtin_ia32_sha1msg2(mixed, m[((t) + 3) % 4]);                                             \
        }                                                                                                              \
        four e = (t) == 0 ? (four)((wraps)x->before + (wraps)m[0]) : NEXT_E(x->before, m[(t) % 4]);                    \
        x->before = x->abcd;                                                                                           \
        x->abcd = ROUNDS(x->abcd, e, (t) / 5);                                                                         \
    }

/* clang-format off */
static inline TARGET __attribute__((always_inline)) void first_half(struct stream *stream)
{
    FOUR(0) FOUR(1) FOUR(2) FOUR(3) FOUR(4) FOUR(5) FOUR(6) FOUR(7) FOUR(8) FOUR(9)
}

static inline TARGET __attribute__((always_inline)) void second_half(struct stream *stream)
{
    FOUR(10) FOUR(11) FOUR(12) FOUR(13) FOUR(14) FOUR(15) FOUR(16) FOUR(17) FOUR(18) FOUR(19)
}
/* clang-format on */

static inline TARGET __attribute__((always_inline)) void begin(struct stream *x, const struct gws__sha1_batch *batch,
                                                               uint32_t child)
{
    uint32_t p = batch->from[child];
    x->abcd = (four){0x10325476, (int)0x98badcfe, (int)0xefcdab89, 0x67452301};
    x->before = (four){0, 0, 0, (int)0xc3d2e1f0};
    x->m[0] =
        (four){(int)batch->parent[3][p], (int)batch->parent[2][p], (int)batch->parent[1][p], (int)batch->parent[0][p]};
    x->m[1] = (four){0, (int)GWS__SHA1_MARK, (int)batch->number[child], (int)batch->parent[4][p]};
    x->m[2] = (four){0};
    x->m[3] = (four){gws__sha1_bits, 0, 0, 0};
}

static inline TARGET __attribute__((always_inline)) void end(const struct stream *x, struct gws__sha1_batch *batch,
                                                             uint32_t child)
{
    wraps abcd = (wraps)x->abcd + (wraps){0x10325476, 0x98badcfe, 0xefcdab89, 0x67452301};
    four e = NEXT_E(x->before, ((four){0, 0, 0, (int)0xc3d2e1f0}));
    for (int k = 0; k < 4; k++) batch->child[k][child] = abcd[3 - k];
    batch->child[4][child] = (uint32_t)e[3];
}

static TARGET uint32_t children(struct gws__sha1_batch *batch, uint32_t count)
{
    uint32_t listed = 0;
    for (uint32_t i = 0; i < count; i += streams) {
        struct stream stream[streams];
        for (uint32_t s = 0; s < streams; s++) begin(&stream[s], batch, i + s);
        first_half(stream);
        second_half(stream);
        for (uint32_t s = 0; s < streams; s++) end(&stream[s], batch, i + s);
        for (uint32_t s = 0; s < streams; s++) {
            uint32_t p = batch->from[i + s];
            batch->listed[listed] = i + s;
            listed += i + s < count && gws__sha1_draw(batch->child[4][i + s]) - batch->low[p] < batch->width[p];
        }
    }
    return listed;
}
#else
static bool is_here(void)
{
    return false;
}
#define children gws__sha1_scalar.children
#endif

const struct gws__sha1 gws__sha1_shani = {"sha-ni", "two children at once with x86's own instructions for SHA-1",
                                          is_here, children};
