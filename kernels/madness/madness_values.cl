/* SPDX-License-Identifier: MIT */
/* A function's values in the children of a box of a MADNESS tree, and their coefficients. An item transforms a column,
 * which is the k numbers along one axis. Intermediate numbers have the layout of the children's coefficients. Entry e
 * of child c is at [8 e + c]. */

/* Computes exp(-sharpness (x - center)^2), or (x - center)^2, at the points along each axis. */
TEMPLATE device_inline void find_axes(const struct madness_lists *lists, const struct madness_group *group)
{
    global_mem const double *table = lists->table;
    local_mem const u32 *task = group->shared + SHARED_TASK;
    global_mem const double *body = lists->body + MADNESS_BODY_NUMBERS * task[MADNESS_FUNCTION];
    for (u32 n = item_id(); n < 6 * order; n += group_size()) {
        u32 a = n / (2 * order), i = n % (2 * order) / 2, upper = n % 2;
        double edge = ldexp(table[MADNESS_EDGE + a], -(int)task[MADNESS_LEVEL] - 1);
        double at = 2.0 * task[MADNESS_AT + a] + upper + table[MADNESS_POINTS + i];
        double apart = table[MADNESS_LOW + a] + edge * at - body[a];
        group->axis[n] = lists->kind == MADNESS_GAUSSIAN ? exp(-body[4] * apart * apart) : apart * apart;
    }
}

/* Returns a value along x. other: the part of the value that depends on y and z, which is the same for the item's whole
 * column. */
device_inline double value_at(u32 kind, double x, double other, double factor)
{
    return kind == MADNESS_GAUSSIAN ? x * other : factor * rsqrt(x + other);
}

/* ---- values to coefficients ---- */

/* Each pair of outputs takes two sums, one of even and one of odd columns. The registers hold a whole column. The outer
 * loops over the terms of the sums stay loops, because fetching straight-line code of k^2 steps takes longer than
 * running it. */
#define FEW_STEPS _Pragma("unroll 2")
#define ONE_STEP _Pragma("unroll 1")
#define EACH_PAIR _Pragma("unroll") for (int p = 0; p < PAIRS; p++)

TEMPLATE device_inline void integrate_step(local_mem const double2 *row, double low, double high, double2 *sum)
{
    double even = low + high, odd = low - high;
    EACH_PAIR
    {
        double2 entry = row[p];
        sum[p].x += even * entry.x;
        sum[p].y += odd * entry.y;
    }
}

/* Transforms along x, from the values. */
TEMPLATE device_inline void integrate_values(const struct madness_lists *lists, const struct madness_group *group)
{
    global_mem const double *body = lists->body + MADNESS_BODY_NUMBERS * group->shared[SHARED_TASK + MADNESS_FUNCTION];
    local_mem const double *x = group->axis, *y = x + 2 * order, *z = y + 2 * order;
    const double factor = body[3], soft = 1 / body[4];
    for (u32 n = item_id(); n < 8 * order * order; n += group_size()) {
        u32 c = n % 8, m = n / 8;
        double in_y = y[2 * (m / order) + (c >> 1 & 1)], in_z = z[2 * (m % order) + (c & 1)];
        double other = lists->kind == MADNESS_GAUSSIAN ? factor * in_y * in_z : in_y + in_z + soft;
        double2 sum[PAIRS];
        EACH_PAIR sum[p].x = sum[p].y = 0;
        for (int a = 0; a < PAIRS; a++) OF_ORDER(integrate_step)
        (group->table + a * PAIRS, value_at(lists->kind, x[2 * a + (c >> 2)], other, factor),
         value_at(lists->kind, x[2 * (order - 1 - a) + (c >> 2)], other, factor), sum);
        scratch_mem double *column = group->array + n;
        EACH_PAIR
        {
            column[16 * p * order * order] = sum[p].x;
            if (2 * p + 1 < order) column[8 * (2 * p + 1) * order * order] = sum[p].y;
        }
    }
}

/* Transforms along y or z, in place. The numbers of a column are stride apart. */
TEMPLATE device_inline void integrate_column(const struct madness_group *group, scratch_mem double *column, u32 stride,
                                             double2 *sum)
{
    EACH_PAIR sum[p].x = sum[p].y = 0;
    FEW_STEPS
    for (int a = 0; a < PAIRS; a++)
        OF_ORDER(integrate_step)(group->table + a * PAIRS, column[a * stride], column[(order - 1 - a) * stride], sum);
}

TEMPLATE device_inline void integrate_y(const struct madness_group *group)
{
    for (u32 n = item_id(); n < 8 * order * order; n += group_size()) {
        scratch_mem double *column = group->array + n / (8 * order) * (8 * order * order) + n % (8 * order);
        double2 sum[PAIRS];
        OF_ORDER(integrate_column)(group, column, 8 * order, sum);
        EACH_PAIR
        {
            column[16 * p * order] = sum[p].x;
            if (2 * p + 1 < order) column[8 * (2 * p + 1) * order] = sum[p].y;
        }
    }
}

/* Transforms along z, the last axis, and writes the coefficients to the family's slot. */
TEMPLATE device_inline void integrate_z(const struct madness_lists *lists, const struct madness_group *group,
                                        global_mem double *to)
{
    const double scale = lists->table[MADNESS_SCALE + group->shared[SHARED_TASK + MADNESS_LEVEL]];
    for (u32 n = item_id(); n < 8 * order * order; n += group_size()) {
        u32 first = n / 8 * (8 * order) + n % 8;
        scratch_mem double *column = group->array + first;
        double2 sum[PAIRS];
        OF_ORDER(integrate_column)(group, column, 8, sum);
        EACH_PAIR
        {
            to[first + 16 * p] = column[16 * p] = sum[p].x * scale;
            if (2 * p + 1 < order) to[first + 16 * p + 8] = column[16 * p + 8] = sum[p].y * scale;
        }
    }
}
