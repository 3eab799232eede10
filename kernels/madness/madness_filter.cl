/* SPDX-License-Identifier: MIT */
/* Transforms the coefficients of eight children of a MADNESS tree to the coefficients of their parent, and back. The
 * loss is the box's difference. The transforms alternate between the children's array of 8 k^3 numbers and an array of
 * half that size. */

/* Returns the index of the first entry of column m. Entries of a column are step apart. */
TEMPLATE device_inline u32 entry_of(u32 m, u32 step)
{
    return m / step * step * order + m % step;
}

/* Combines each pair of children, c and c + pair, into one by weighted sums. `pair` children remain. They stay
 * adjacent, which spreads accesses to local memory over its banks. */
TEMPLATE device_inline void filter(const struct madness_group *group, scratch_mem const double *from,
                                   scratch_mem double *to, u32 pair, u32 step)
{
    local_mem const double2 *matrix = group->table + PAIRS * PAIRS;
    for (u32 n = item_id(); n < pair * order * order; n += group_size()) {
        const u32 entry = OF_ORDER(entry_of)(n / pair, step), c = n % pair;
        scratch_mem const double *column = from + 2 * pair * entry + c;
        scratch_mem double *out = to + pair * entry + c;
        double2 sum[PAIRS];
        EACH_PAIR sum[p].x = sum[p].y = 0;
        FEW_STEPS
        for (int j = 0; j < order; j++) {
            double low = column[2 * pair * step * j], high = column[2 * pair * step * j + pair];
            double same = low + high, other = low - high;
            double even = j % 2 ? other : same, odd = j % 2 ? same : other;
            EACH_PAIR
            {
                double2 entry = matrix[j * PAIRS + p];
                sum[p].x += even * entry.x;
                sum[p].y += odd * entry.y;
            }
        }
        EACH_PAIR
        {
            out[2 * p * pair * step] = sum[p].x;
            if (2 * p + 1 < order) out[(2 * p + 1) * pair * step] = sum[p].y;
        }
    }
}

/* Predicts the columns of two children from the column of their parent. The low child is even + odd. The high child is
 * even - odd. For odd entries the high child is odd - even. */
TEMPLATE device_inline void predict(const struct madness_group *group, scratch_mem const double *column, u32 stride,
                                    double2 *even, double2 *odd)
{
    local_mem const double2 *row = group->table + PAIRS * PAIRS + order * PAIRS;
    EACH_PAIR even[p].x = even[p].y = odd[p].x = odd[p].y = 0;
    ONE_STEP
    for (int i = 0; i < order; i += 2, row += 2 * PAIRS) {
        double here = column[i * stride], next = i + 1 < order ? column[(i + 1) * stride] : 0;
        EACH_PAIR
        {
            double2 entry = row[p], below = i + 1 < order ? row[PAIRS + p] : row[p];
            even[p].x += here * entry.x;
            even[p].y += here * entry.y;
            odd[p].x += next * below.x;
            odd[p].y += next * below.y;
        }
    }
}

TEMPLATE device_inline void unfilter(const struct madness_group *group, scratch_mem const double *from,
                                     scratch_mem double *to, u32 pair, u32 step)
{
    for (u32 n = item_id(); n < pair * order * order; n += group_size()) {
        const u32 entry = OF_ORDER(entry_of)(n / pair, step), c = n % pair;
        scratch_mem double *out = to + 2 * pair * entry + c;
        double2 even[PAIRS], odd[PAIRS];
        OF_ORDER(predict)(group, from + pair * entry + c, pair * step, even, odd);
        EACH_PAIR
        {
            out[2 * p * 2 * pair * step] = even[p].x + odd[p].x;
            out[2 * p * 2 * pair * step + pair] = even[p].x - odd[p].x;
            if (2 * p + 1 < order) {
                out[(2 * p + 1) * 2 * pair * step] = even[p].y + odd[p].y;
                out[(2 * p + 1) * 2 * pair * step + pair] = odd[p].y - even[p].y;
            }
        }
    }
}

device_inline void add_difference(global_mem const double *is, double low, double high, double *square, double *left)
{
    double a = is[0] - low, b = is[4] - high;
    *square += is[0] * is[0] + is[4] * is[4];
    *left += a * a + b * b;
}

/* Runs the last transform, along x, and compares its result with the children instead of storing it. */
TEMPLATE device_inline void measure(const struct madness_group *group, scratch_mem const double *from,
                                    global_mem const double *is)
{
    double square = 0, left = 0;
    const u32 step = order * order;
    for (u32 n = item_id(); n < 4 * step; n += group_size()) {
        global_mem const double *here = is + 8 * (n / 4) + n % 4;
        double2 even[PAIRS], odd[PAIRS];
        OF_ORDER(predict)(group, from + n, 4 * step, even, odd);
        EACH_PAIR
        {
            add_difference(here + 16 * p * step, even[p].x + odd[p].x, even[p].x - odd[p].x, &square, &left);
            if (2 * p + 1 < order)
                add_difference(here + 8 * (2 * p + 1) * step, even[p].y + odd[p].y, odd[p].y - even[p].y, &square,
                               &left);
        }
    }
    group_barrier(); /* all items have finished reading the parent's numbers */
    group->array[item_id()] = square;
    group->array[group_size() + item_id()] = left;
    group_barrier();
}

/* Adds up the items' sums in a fixed order. */
device_inline void add_items(const struct madness_group *group)
{
    for (u32 count = group_size(), middle; count > 1; count = middle) {
        middle = (count + 1) / 2;
        if (item_id() + middle < count) {
            group->array[item_id()] += group->array[item_id() + middle];
            group->array[group_size() + item_id()] += group->array[group_size() + item_id() + middle];
        }
        group_barrier();
    }
}
