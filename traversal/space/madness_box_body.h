/* SPDX-License-Identifier: MIT */
/* The transforms of madness_box.h, on one entry of all eight children at a time, in one or several registers.
 * Inlined functions with constant arguments rows and width become straight-line code. The including file defines
 *     TARGET               attributes of the functions
 *     WIDTH                doubles per register; 8 / WIDTH registers hold one entry of all children
 *     vector               the type of a register
 *     fuse(a, b, c)        a b + c of vectors
 *     swap(x, distance)    exchanges lanes at that distance, a power of two below WIDTH
 *     EACH(f)              f(0), ..., for each register of an entry
 *     ROWS, WIDE           sums that fit into registers: ROWS columns times WIDE outputs, WIDE even
 *     FOLDED_ROWS, FOLDED  the same for folded outputs */
#define INLINE static inline __attribute__((always_inline)) TARGET

/* Compilers take many minutes for wide blocks of straight-line code with a sanitizer, which checks every load. */
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

typedef double unaligned
    __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias)); /* a vector in an array, without alignment */
#if WIDTH == 8 /* a struct around a single vector would slow down compare() with AVX-512 by 4 % */
typedef vector lanes;
#define PART(x, p) x
#define WHOLE(each) EACH(each)
#else
typedef struct {
    vector of[8 / WIDTH];
} lanes;
#define PART(x, p) x.of[p]
/* clang-format off */
#define WHOLE(each) (lanes){{EACH(each)}}
/* clang-format on */
#endif

#define LOAD(p) *(const unaligned *)(array + WIDTH * (p))
#define STORE(p) *(unaligned *)(array + WIDTH * (p)) = PART(x, p)
#define SPREAD(p) fill(number)
#define ADD(p) PART(x, p) + PART(y, p)
#define SUBTRACT(p) PART(x, p) - PART(y, p)
#define TIMES(p) PART(x, p) * PART(y, p)
#define FUSE(p) fuse(PART(x, p), PART(y, p), PART(z, p))
#define EXCHANGE(p) distance < WIDTH ? swap(PART(x, p), distance) : PART(x, (p) ^ (distance / WIDTH))

INLINE vector fill(double number)
{
    return number - (vector){0};
}

#define PARTWISE(name, each, ...)                                                                                      \
    INLINE lanes name(__VA_ARGS__)                                                                                     \
    {                                                                                                                  \
        return WHOLE(each);                                                                                            \
    }
PARTWISE(load, LOAD, const double *array)
PARTWISE(spread, SPREAD, double number) /* sets all lanes to one number */
PARTWISE(add, ADD, lanes x, lanes y)
PARTWISE(subtract, SUBTRACT, lanes x, lanes y)
PARTWISE(times, TIMES, lanes x, lanes y)
PARTWISE(fused, FUSE, lanes x, lanes y, lanes z)
PARTWISE(exchange, EXCHANGE, lanes x, int distance)

INLINE void store(double *array, lanes x)
{
    EACH(STORE);
}

/* Exchanges the lanes of neighbouring children along an axis. */
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

/* ---- transforms ---- */

enum { max_rows = 4, max_sums = 10 };
typedef lanes sums[max_rows][max_sums];

/* A transform of the entries in(a, m) to the entries out(m, i), for each column m and each output i. */
struct transform {
    const struct gws__madness_tables *tables;
    const double *in;
    double *out;
    size_t columns, outputs;
    double scale;
    uint32_t axis;
};

/* Sign factors by axis: 1 in the lanes of the low children, -1 in those of the high children, then the opposite. */
static const double sign_of[3][2][8] = {{{1, 1, 1, 1, -1, -1, -1, -1}, {-1, -1, -1, -1, 1, 1, 1, 1}},
                                        {{1, 1, -1, -1, 1, 1, -1, -1}, {-1, -1, 1, 1, -1, -1, 1, 1}},
                                        {{1, -1, 1, -1, 1, -1, 1, -1}, {-1, 1, -1, 1, -1, 1, -1, 1}}};

/* ---- values to coefficients ---- */

/* Processes columns m .. m + rows - 1 and outputs first (even) .. first + width - 1. */
INLINE void integrate(const struct transform *transform, sums sum, size_t m, size_t first, int rows, int width)
{
    const size_t k = transform->tables->order, step = 8 * transform->columns;
    const double *low = transform->in + 8 * m, *high = low + (k - 1) * step,
                 *matrix = transform->tables->quadrature + first;
    lanes even[max_rows], odd[max_rows];
    for (size_t a = 0; a < transform->tables->folded; a++, low += step, high -= step, matrix += k) {
        for (int r = 0; r < rows; r++) {
            even[r] = add(load(low + 8 * r), load(high + 8 * r));
            odd[r] = subtract(load(low + 8 * r), load(high + 8 * r));
        }
        for (int i = 0; i < width; i++) {
            lanes entry = spread(matrix[i]);
            for (int r = 0; r < rows; r++) sum[r][i] = fused(i % 2 ? odd[r] : even[r], entry, sum[r][i]);
        }
    }
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < width; i++) sum[r][i] = times(sum[r][i], spread(transform->scale));
}

/* ---- children to their parent ---- */

/* Adds the children's coefficient j of columns m .. m + rows - 1 to the outputs from .. width - 1, relative to
 * first. */
INLINE void add_child(const struct transform *transform, sums sum, size_t j, size_t m, size_t first, int rows, int from,
                      int width)
{
    const double *in = transform->in + 8 * (j * transform->columns + m);
    const double *matrix = transform->tables->two_scale[transform->axis] + 8 * (j * transform->tables->folded + first);
    lanes pair[max_rows], sign = load(sign_of[transform->axis][j % 2]);
    for (int r = 0; r < rows; r++) {
        lanes own = load(in + 8 * r), other = neighbour(own, transform->axis);
        pair[r] = j % 2 ? fused(other, sign, own) : fused(own, sign, other);
    }
    for (int i = from; i < width; i++)
        for (int r = 0; r < rows; r++) sum[r][i] = fused(pair[r], load(matrix + 8 * i), sum[r][i]);
}

/* Computes folded pairs first .. first + width - 1. Pair i depends on the children's coefficients 0 .. 2 i + 1. */
INLINE void filter(const struct transform *transform, sums sum, size_t m, size_t first, int rows, int width)
{
    const size_t k = transform->tables->order;
    for (size_t j = 0; j < 2 * first; j += 2) {
        add_child(transform, sum, j, m, first, rows, 0, width);
        add_child(transform, sum, j + 1, m, first, rows, 0, width);
    }
    for (int p = 0; p < width; p++) {
        size_t j = 2 * (first + (size_t)p);
        add_child(transform, sum, j, m, first, rows, p, width);
        if (j + 1 < k) add_child(transform, sum, j + 1, m, first, rows, p, width);
    }
}

/* ---- a parent to its children ---- */

INLINE void add_parent(const struct transform *transform, sums sum, size_t i, size_t m, size_t first, int rows,
                       int width)
{
    const size_t folded = transform->tables->folded;
    const double *in = transform->in + 8 * (i * transform->columns + m);
    const double *matrix = transform->tables->two_scale[transform->axis] + 8 * (first * folded + i);
    for (int j = 0; j < width; j++) {
        lanes entry = load(matrix + 8 * folded * (size_t)j);
        for (int r = 0; r < rows; r++) sum[r][j] = fused(load(in + 8 * r), entry, sum[r][j]);
    }
}

/* Computes the children's coefficients first (even) .. first + width - 1. Coefficient j depends on the parent's
 * coefficients from j on. */
INLINE void predict(const struct transform *transform, sums sum, size_t m, size_t first, int rows, int width)
{
    const int pairs = (width + 1) / 2;
    for (int p = 0; p < pairs; p++)
        add_parent(transform, sum, first / 2 + (size_t)p, m, first, rows, 2 * p + 2 < width ? 2 * p + 2 : width);
    for (size_t i = first / 2 + (size_t)pairs; i < transform->tables->folded; i++)
        add_parent(transform, sum, i, m, first, rows, width);
    lanes sign = load(sign_of[transform->axis][0]);
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < width; j++) {
            lanes own = sum[r][j], other = neighbour(own, transform->axis);
            sum[r][j] = j % 2 ? fused(other, sign, own) : fused(own, sign, other);
        }
}

/* ---- all columns, all outputs ---- */

enum kind { INTEGRATE, FILTER, UNFILTER, MEASURE };

/* Computes one block of outputs. MEASURE compares the sums with the children's coefficients (out) instead of storing
 * the sums. */
INLINE void block(const struct transform *transform, enum kind kind, size_t m, size_t first, int rows, int width,
                  lanes norm[2])
{
    sums sum;
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < width; i++) sum[r][i] = spread(0);
    if (kind == INTEGRATE) integrate(transform, sum, m, first, rows, width);
    if (kind == FILTER) filter(transform, sum, m, first, rows, width);
    if (kind == UNFILTER || kind == MEASURE) predict(transform, sum, m, first, rows, width);
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < width; i++) {
            double *out = transform->out + 8 * ((m + (size_t)r) * transform->outputs + first + (size_t)i);
            if (kind == MEASURE) {
                lanes is = load(out), distance = subtract(is, sum[r][i]);
                norm[0] = fused(is, is, norm[0]);
                norm[1] = fused(distance, distance, norm[1]);
            } else {
                store(out, sum[r][i]);
            }
        }
}

INLINE void all_columns(const struct transform *transform, enum kind kind, size_t first, int width, lanes norm[2])
{
    const int rows = kind == FILTER ? folded_column_limit : column_limit;
    size_t m = 0;
    for (; m + (size_t)rows <= transform->columns; m += (size_t)rows)
        block(transform, kind, m, first, rows, width, norm);
    for (; m < transform->columns; m++) block(transform, kind, m, first, 1, width, norm);
}

/* Dispatches on the width, so the width is a constant in the inlined functions. If all outputs fit into registers, as
 * for common orders, they form one block. Otherwise they form blocks of about equal, even size. */
INLINE void all_outputs(const struct transform *transform, enum kind kind, lanes norm[2])
{
    const size_t limit = kind == FILTER ? folded_limit : output_limit,
                 blocks = (transform->outputs + limit - 1) / limit;
    const size_t even = ((transform->outputs + blocks - 1) / blocks + 1) / 2 * 2, size = even < limit ? even : limit;
    for (size_t first = 0; first < transform->outputs; first += size) {
        size_t width = transform->outputs - first < size ? transform->outputs - first : size;
        if (width == 1) all_columns(transform, kind, first, 1, norm);
        if (width == 2) all_columns(transform, kind, first, 2, norm);
        if (limit >= 3 && width == 3) all_columns(transform, kind, first, 3, norm);
        if (limit >= 4 && width == 4) all_columns(transform, kind, first, 4, norm);
        if (limit >= 5 && width == 5) all_columns(transform, kind, first, 5, norm);
        if (limit >= 6 && width == 6) all_columns(transform, kind, first, 6, norm);
        if (limit >= 7 && width == 7) all_columns(transform, kind, first, 7, norm);
        if (limit >= 8 && width == 8) all_columns(transform, kind, first, 8, norm);
        if (limit >= 9 && width == 9) all_columns(transform, kind, first, 9, norm);
        if (limit >= 10 && width == 10) all_columns(transform, kind, first, 10, norm);
    }
}

static TARGET void integrate_axis(const struct gws__madness_tables *tables, const double *in, double *out, double scale)
{
    const size_t k = tables->order;
    const struct transform transform = {tables, in, out, k * k, k, scale, 0};
    all_outputs(&transform, INTEGRATE, NULL);
}

static TARGET void filter_axis(const struct gws__madness_tables *tables, const double *in, double *out, size_t columns,
                               uint32_t axis)
{
    const struct transform transform = {tables, in, out, columns, tables->folded, 1, axis};
    all_outputs(&transform, FILTER, NULL);
}

static TARGET void unfilter_axis(const struct gws__madness_tables *tables, const double *in, double *out,
                                 size_t columns, uint32_t axis)
{
    const struct transform transform = {tables, in, out, columns, tables->order, 1, axis};
    all_outputs(&transform, UNFILTER, NULL);
}

static TARGET void project(const struct gws__madness_tables *tables, double scale, double *values, double *scratch,
                           double *coefficients)
{
    integrate_axis(tables, values, scratch, 1);
    integrate_axis(tables, scratch, values, 1);
    integrate_axis(tables, values, coefficients, scale);
}

static TARGET struct gws__madness_norms compare(const struct gws__madness_tables *tables, double *coefficients,
                                                double *scratch, double *other)
{
    const size_t k = tables->order, folded = tables->folded;
    lanes norm[2] = {spread(0), spread(0)};
    filter_axis(tables, coefficients, scratch, k * k, 0);
    filter_axis(tables, scratch, other, k * folded, 1);
    filter_axis(tables, other, scratch, folded * folded, 2);
    unfilter_axis(tables, scratch, other, folded * folded, 0);
    unfilter_axis(tables, other, scratch, folded * k, 1);
    const struct transform transform = {tables, scratch, coefficients, k * k, k, 1, 2};
    all_outputs(&transform, MEASURE, norm);
    return (struct gws__madness_norms){total(norm[0]), total(norm[1])};
}
