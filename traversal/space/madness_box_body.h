/* SPDX-License-Identifier: MIT */
/* The transforms of madness_box.h, on one entry of all eight children at a time, in one register or several. Functions
 * whose arguments rows and width are constants become straight code once they are inlined. Before including this define
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
#if WIDTH == 8 /* a struct around a single vector costs AVX-512 4 % of the time to compare */
typedef part lanes;
#define PART(x, p) x
#define WHOLE(each) EACH(each)
#else
typedef struct {
    part of[8 / WIDTH];
} lanes;
#define PART(x, p) x.of[p]
/* clang-format off */
#define WHOLE(each) (lanes){{EACH(each)}}
/* clang-format on */
#endif

#define LOAD(p) *(const loose *)(array + WIDTH * (p))
#define STORE(p) *(loose *)(array + WIDTH * (p)) = PART(x, p)
#define SPREAD(p) fill(number)
#define ADD(p) PART(x, p) + PART(y, p)
#define SUBTRACT(p) PART(x, p) - PART(y, p)
#define TIMES(p) PART(x, p) * PART(y, p)
#define FUSE(p) fuse(PART(x, p), PART(y, p), PART(z, p))
#define EXCHANGE(p) apart < WIDTH ? swap(PART(x, p), apart) : PART(x, (p) ^ (apart / WIDTH))

INLINE part fill(double number)
{
    return number - (part){0};
}

#define PARTWISE(name, each, ...)                                                                                      \
    INLINE lanes name(__VA_ARGS__)                                                                                     \
    {                                                                                                                  \
        return WHOLE(each);                                                                                            \
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

/* ---- transforms ---- */

/* Of all transforms. */
enum { most_rows = 4, most_sums = 10 };
typedef lanes sums[most_rows][most_sums];

/* One transform: in(a, m), for columns m, to out(m, i), for outputs i. */
struct turn {
    const struct gws__madness_tables *tables;
    const double *in;
    double *out;
    size_t columns, outputs;
    double scale;
    uint32_t axis;
};

/* To be multiplied with: 1 in the lanes of the low child on an axis, -1 in the others; and the other way round. */
static const double sign_of[3][2][8] = {{{1, 1, 1, 1, -1, -1, -1, -1}, {-1, -1, -1, -1, 1, 1, 1, 1}},
                                        {{1, 1, -1, -1, 1, 1, -1, -1}, {-1, -1, 1, 1, -1, -1, 1, 1}},
                                        {{1, -1, 1, -1, 1, -1, 1, -1}, {-1, 1, -1, 1, -1, 1, -1, 1}}};

/* ---- values to coefficients ---- */

/* Columns m .., outputs first (even) .. first + width - 1. */
INLINE void integrate(const struct turn *turn, sums sum, size_t m, size_t first, int rows, int width)
{
    const size_t k = turn->tables->order, step = 8 * turn->columns;
    const double *low = turn->in + 8 * m, *high = low + (k - 1) * step, *matrix = turn->tables->quadrature + first;
    lanes even[most_rows], odd[most_rows];
    for (size_t a = 0; a < turn->tables->folded; a++, low += step, high -= step, matrix += k) {
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
        for (int i = 0; i < width; i++) sum[r][i] = times(sum[r][i], spread(turn->scale));
}

/* ---- children to their parent ---- */

/* Adds the children's coefficient j of the columns m .. to outputs from .. width - 1 behind first. */
INLINE void add_child(const struct turn *turn, sums sum, size_t j, size_t m, size_t first, int rows, int from,
                      int width)
{
    const double *in = turn->in + 8 * (j * turn->columns + m);
    const double *matrix = turn->tables->two_scale[turn->axis] + 8 * (j * turn->tables->folded + first);
    lanes pair[most_rows], sign = load(sign_of[turn->axis][j % 2]);
    for (int r = 0; r < rows; r++) {
        lanes own = load(in + 8 * r), other = neighbour(own, turn->axis);
        pair[r] = j % 2 ? fused(other, sign, own) : fused(own, sign, other);
    }
    for (int i = from; i < width; i++)
        for (int r = 0; r < rows; r++) sum[r][i] = fused(pair[r], load(matrix + 8 * i), sum[r][i]);
}

/* Outputs first .. first + width - 1 are the folded pairs; pair i needs the children's coefficients 0 .. 2 i + 1. */
INLINE void filter(const struct turn *turn, sums sum, size_t m, size_t first, int rows, int width)
{
    const size_t k = turn->tables->order;
    for (size_t j = 0; j < 2 * first; j += 2) {
        add_child(turn, sum, j, m, first, rows, 0, width);
        add_child(turn, sum, j + 1, m, first, rows, 0, width);
    }
    for (int p = 0; p < width; p++) {
        size_t j = 2 * (first + (size_t)p);
        add_child(turn, sum, j, m, first, rows, p, width);
        if (j + 1 < k) add_child(turn, sum, j + 1, m, first, rows, p, width);
    }
}

/* ---- a parent to its children ---- */

INLINE void add_parent(const struct turn *turn, sums sum, size_t i, size_t m, size_t first, int rows, int width)
{
    const size_t folded = turn->tables->folded;
    const double *in = turn->in + 8 * (i * turn->columns + m);
    const double *matrix = turn->tables->two_scale[turn->axis] + 8 * (first * folded + i);
    for (int j = 0; j < width; j++) {
        lanes entry = load(matrix + 8 * folded * (size_t)j);
        for (int r = 0; r < rows; r++) sum[r][j] = fused(load(in + 8 * r), entry, sum[r][j]);
    }
}

/* The children's coefficients first (even) .. first + width - 1: coefficient j needs the parent's from j on. */
INLINE void predict(const struct turn *turn, sums sum, size_t m, size_t first, int rows, int width)
{
    const int pairs = (width + 1) / 2;
    for (int p = 0; p < pairs; p++)
        add_parent(turn, sum, first / 2 + (size_t)p, m, first, rows, 2 * p + 2 < width ? 2 * p + 2 : width);
    for (size_t i = first / 2 + (size_t)pairs; i < turn->tables->folded; i++)
        add_parent(turn, sum, i, m, first, rows, width);
    lanes sign = load(sign_of[turn->axis][0]);
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < width; j++) {
            lanes own = sum[r][j], other = neighbour(own, turn->axis);
            sum[r][j] = j % 2 ? fused(other, sign, own) : fused(own, sign, other);
        }
}

/* ---- all columns, all outputs ---- */

enum kind { INTEGRATE, FILTER, UNFILTER, MEASURE };

/* MEASURE holds the sums against what the children are (out) rather than storing them. */
INLINE void block(const struct turn *turn, enum kind kind, size_t m, size_t first, int rows, int width, lanes norm[2])
{
    sums sum;
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < width; i++) sum[r][i] = spread(0);
    if (kind == INTEGRATE) integrate(turn, sum, m, first, rows, width);
    if (kind == FILTER) filter(turn, sum, m, first, rows, width);
    if (kind == UNFILTER || kind == MEASURE) predict(turn, sum, m, first, rows, width);
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < width; i++) {
            double *out = turn->out + 8 * ((m + (size_t)r) * turn->outputs + first + (size_t)i);
            if (kind == MEASURE) {
                lanes is = load(out), apart = subtract(is, sum[r][i]);
                norm[0] = fused(is, is, norm[0]);
                norm[1] = fused(apart, apart, norm[1]);
            } else {
                store(out, sum[r][i]);
            }
        }
}

INLINE void all_columns(const struct turn *turn, enum kind kind, size_t first, int width, lanes norm[2])
{
    const int rows_of[] = {[INTEGRATE] = column_limit,
                           [FILTER] = folded_column_limit,
                           [UNFILTER] = column_limit,
                           [MEASURE] = column_limit};
    const int rows = rows_of[kind];
    size_t m = 0;
    for (; m + (size_t)rows <= turn->columns; m += (size_t)rows) block(turn, kind, m, first, rows, width, norm);
    for (; m < turn->columns; m++) block(turn, kind, m, first, 1, width, norm);
}

/* Widths are told apart here, so that each is a constant further down: all outputs of one kind at once where they fit
 * into registers, which they do for common orders; else blocks of about one size, of an even one. */
INLINE void all_outputs(const struct turn *turn, enum kind kind, lanes norm[2])
{
    const size_t most_of[] = {
        [INTEGRATE] = output_limit, [FILTER] = folded_limit, [UNFILTER] = output_limit, [MEASURE] = output_limit};
    const size_t most = most_of[kind], blocks = (turn->outputs + most - 1) / most;
    const size_t even = ((turn->outputs + blocks - 1) / blocks + 1) / 2 * 2, size = even < most ? even : most;
    for (size_t first = 0; first < turn->outputs; first += size) {
        size_t width = turn->outputs - first < size ? turn->outputs - first : size;
        if (width == 1) all_columns(turn, kind, first, 1, norm);
        if (width == 2) all_columns(turn, kind, first, 2, norm);
        if (most >= 3 && width == 3) all_columns(turn, kind, first, 3, norm);
        if (most >= 4 && width == 4) all_columns(turn, kind, first, 4, norm);
        if (most >= 5 && width == 5) all_columns(turn, kind, first, 5, norm);
        if (most >= 6 && width == 6) all_columns(turn, kind, first, 6, norm);
        if (most >= 7 && width == 7) all_columns(turn, kind, first, 7, norm);
        if (most >= 8 && width == 8) all_columns(turn, kind, first, 8, norm);
        if (most >= 9 && width == 9) all_columns(turn, kind, first, 9, norm);
        if (most >= 10 && width == 10) all_columns(turn, kind, first, 10, norm);
    }
}

static TARGET void integrate_axis(const struct gws__madness_tables *tables, const double *in, double *out, double scale)
{
    const size_t k = tables->order;
    const struct turn turn = {tables, in, out, k * k, k, scale, 0};
    all_outputs(&turn, INTEGRATE, NULL);
}

static TARGET void filter_axis(const struct gws__madness_tables *tables, const double *in, double *out, size_t columns,
                               uint32_t axis)
{
    const struct turn turn = {tables, in, out, columns, tables->folded, 1, axis};
    all_outputs(&turn, FILTER, NULL);
}

static TARGET void unfilter_axis(const struct gws__madness_tables *tables, const double *in, double *out,
                                 size_t columns, uint32_t axis)
{
    const struct turn turn = {tables, in, out, columns, tables->order, 1, axis};
    all_outputs(&turn, UNFILTER, NULL);
}

static TARGET void project(const struct gws__madness_tables *tables, double scale, double *values, double *spare,
                           double *coefficients)
{
    integrate_axis(tables, values, spare, 1);
    integrate_axis(tables, spare, values, 1);
    integrate_axis(tables, values, coefficients, scale);
}

static TARGET struct gws__madness_norms compare(const struct gws__madness_tables *tables, double *coefficients,
                                                double *spare, double *other)
{
    const size_t k = tables->order, folded = tables->folded;
    lanes norm[2] = {spread(0), spread(0)};
    filter_axis(tables, coefficients, spare, k * k, 0);
    filter_axis(tables, spare, other, k * folded, 1);
    filter_axis(tables, other, spare, folded * folded, 2);
    unfilter_axis(tables, spare, other, folded * folded, 0);
    unfilter_axis(tables, other, spare, folded * k, 1);
    const struct turn turn = {tables, spare, coefficients, k * k, k, 1, 2};
    all_outputs(&turn, MEASURE, norm);
    return (struct gws__madness_norms){total(norm[0]), total(norm[1])};
}
