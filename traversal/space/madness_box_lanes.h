/* SPDX-License-Identifier: MIT */
/* One entry of all eight children of madness_box.h, in one register or several. Before including this define
 *     TARGET               attributes of a function
 *     WIDTH                how many doubles a register holds, so 8 / WIDTH hold one entry of all children
 *     part                 the vector type of that many
 *     fuse(a, b, c)        a b + c of parts
 *     swap(x, apart)       the part with its lanes exchanged that are apart (a power of two below WIDTH)
 *     EACH(f)              f(0), ..., for each part
 *     ROWS, WIDE, FOLDED_ROWS, FOLDED   how many sums fit into registers: of so many columns at once, so many (an even
 *                          number of) outputs; and the same of folded ones */
#define INLINE static inline __attribute__((always_inline)) TARGET

/* With a sanitizer's checks in every load, wide blocks of straight code take compilers many minutes. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define FEW_SUMS
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FEW_SUMS
#endif
#endif
#ifdef FEW_SUMS
enum { column_limit = 1, output_limit = 2, folded_column_limit = 1, folded_limit = 2 };
#else
enum { column_limit = ROWS, output_limit = WIDE, folded_column_limit = FOLDED_ROWS, folded_limit = FOLDED };
#endif

/* ---- one entry of all eight children ---- */

typedef double loose __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias)); /* a part in an array */
typedef struct {
    part of[8 / WIDTH];
} lanes;

#define LOAD(p) *(const loose *)(array + WIDTH * (p))
#define STORE(p) *(loose *)(array + WIDTH * (p)) = x.of[p]
#define SPREAD(p) fill(number)
#define ADD(p) x.of[p] + y.of[p]
#define SUBTRACT(p) x.of[p] - y.of[p]
#define TIMES(p) x.of[p] * y.of[p]
#define FUSE(p) fuse(x.of[p], y.of[p], z.of[p])
#define EXCHANGE(p) apart < WIDTH ? swap(x.of[p], apart) : x.of[(p) ^ (apart / WIDTH)]

INLINE part fill(double number)
{
    return number - (part){0};
}

#define PARTWISE(name, each, ...)                                                                                      \
    INLINE lanes name(__VA_ARGS__)                                                                                     \
    {                                                                                                                  \
        return (lanes){{EACH(each)}};                                                                                  \
    }
PARTWISE(load, LOAD, const double *array)
PARTWISE(spread, SPREAD, double number) /* one number to all */
PARTWISE(add, ADD, lanes x, lanes y)
PARTWISE(subtract, SUBTRACT, lanes x, lanes y)
PARTWISE(times, TIMES, lanes x, lanes y)
PARTWISE(fused, FUSE, lanes x, lanes y, lanes z)
PARTWISE(exchange, EXCHANGE, lanes x, int apart)

INLINE void store(double *array, lanes x)
{
    EACH(STORE);
}

/* What the other child of a pair along an axis holds. */
INLINE lanes neighbour(lanes x, uint32_t axis)
{
    if (axis == 0) return exchange(x, 4);
    return axis == 1 ? exchange(x, 2) : exchange(x, 1);
}

INLINE double total(lanes x)
{
    double at[8];
    store(at, x);
    return ((at[0] + at[4]) + (at[2] + at[6])) + ((at[1] + at[5]) + (at[3] + at[7]));
}
