/* SPDX-License-Identifier: MIT */
/* MADNESS trees (traversal/madness.h has the rules, traversal/space/madness_box.h the arithmetic and its symmetries): a
 * group computes a box. An item computes a column: the k numbers along one axis become k others. On the way to the
 * children's coefficients these are at the same places: entry e of child c at [8 e + c]. From there on numbers go to and
 * fro between that array, of 8 k^3, and another of half its size.
 *
 * Tasks are numbered, in the order in which they are made, and so are groups that want one: who draws ticket n computes
 * task n, and waits until it is there. A task takes a group microseconds, so one counter serves a device's groups, and
 * nobody looks for work where there is none. The groups have to be resident together. With `end` above 0 the groups
 * share out the tasks from begin to end instead, and what they make is for another launch.
 *
 * What overflows stops everybody: tasks that are not computed then stay MADNESS_WAITING, and the host goes on from
 * there.
 *
 * OpenCL: built for one order (MADNESS_ORDER), with the array in local memory, or in global memory (MADNESS_FAR=1).
 * CUDA: kernels for all orders, madness_7 and, in global memory, madness_far_7. */

#ifdef __CUDACC__
#define TEMPLATE template <int order, bool far>
#define OF_ORDER(function) function<order, far>
#define scratch_mem
#else
#ifndef cl_khr_fp64
#error this device has no numbers of double precision
#endif
#define TEMPLATE
#define OF_ORDER(function) function
enum { order = MADNESS_ORDER };
#if MADNESS_FAR
#define scratch_mem __global
#else
#define scratch_mem __local
#endif
#endif

#define PAIRS ((order + 1) / 2) /* also what the CPU's kernels call folded */
#define MADNESS_NONE 0xffffffffu

/* Of all launches: what there is to compute, and where results go. */
struct madness_lists {
    global_mem u32 *task;
    global_mem atom32 *state;
    global_mem atom32 *control;
    global_mem u32 *family;
    global_mem double *number; /* MADNESS_FAMILY_NUMBERS of each family */
    global_mem double *coefficient;
    global_mem const double *table;
    global_mem const double *body;
    global_mem const double *special;
    u32 specials, kind, max_level, tasks, places; /* room for so many tasks and families */
};

/* What a group shares. */
enum { SHARED_TASK, SHARED_PLACE = MADNESS_TASK_WORDS, SHARED_TICKET, SHARED_ANSWER, SHARED_MADE, SHARED_DONE, SHARED_WORDS };
struct madness_desk {
    scratch_mem double *array;
    local_mem double *axis;   /* three times 2 k numbers: what the function needs of each point */
    local_mem double2 *table; /* the matrices */
    local_mem u32 *shared;
};

/* ---- a box's values ---- */

/* exp(-sharpness (x - center)^2), or (x - center)^2, at the points along each axis. */
TEMPLATE device_inline void find_axes(const struct madness_lists *lists, const struct madness_desk *desk)
{
    global_mem const double *table = lists->table;
    local_mem const u32 *task = desk->shared + SHARED_TASK;
    global_mem const double *body = lists->body + MADNESS_BODY_NUMBERS * task[MADNESS_FUNCTION];
    for (u32 n = item_id(); n < 6 * order; n += group_size()) {
        u32 a = n / (2 * order), i = n % (2 * order) / 2, upper = n % 2;
        double edge = ldexp(table[MADNESS_EDGE + a], -(int)task[MADNESS_LEVEL] - 1);
        double at = 2.0 * task[MADNESS_AT + a] + upper + table[MADNESS_POINTS + i];
        double apart = table[MADNESS_LOW + a] + edge * at - body[a];
        desk->axis[n] = lists->kind == MADNESS_GAUSSIAN ? exp(-body[4] * apart * apart) : apart * apart;
    }
}

/* Values on the way along x, where an item has all else of its column. */
device_inline double value_at(u32 kind, double x, double other, double factor)
{
    return kind == MADNESS_GAUSSIAN ? x * other : factor * rsqrt(x + other);
}

/* ---- values to coefficients ---- */

/* Two sums for each pair of outputs, of even and of odd columns: all of a column in registers. The loops around, over
 * what is summed up, stay loops: straight code of k^2 steps is slower to fetch than to run. */
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

/* Along x, out of the values. */
TEMPLATE device_inline void integrate_values(const struct madness_lists *lists, const struct madness_desk *desk)
{
    global_mem const double *body =
        lists->body + MADNESS_BODY_NUMBERS * desk->shared[SHARED_TASK + MADNESS_FUNCTION];
    local_mem const double *x = desk->axis, *y = x + 2 * order, *z = y + 2 * order;
    const double factor = body[3], soft = 1 / body[4];
    for (u32 n = item_id(); n < 8 * order * order; n += group_size()) {
        u32 c = n % 8, m = n / 8;
        double in_y = y[2 * (m / order) + (c >> 1 & 1)], in_z = z[2 * (m % order) + (c & 1)];
        double other = lists->kind == MADNESS_GAUSSIAN ? factor * in_y * in_z : in_y + in_z + soft;
        double2 sum[PAIRS];
        EACH_PAIR sum[p].x = sum[p].y = 0;
        for (int a = 0; a < PAIRS; a++)
            OF_ORDER(integrate_step)(desk->table + a * PAIRS,
                                     value_at(lists->kind, x[2 * a + (c >> 2)], other, factor),
                                     value_at(lists->kind, x[2 * (order - 1 - a) + (c >> 2)], other, factor), sum);
        scratch_mem double *column = desk->array + n;
        EACH_PAIR
        {
            column[16 * p * order * order] = sum[p].x;
            if (2 * p + 1 < order) column[8 * (2 * p + 1) * order * order] = sum[p].y;
        }
    }
}

/* Along y or z, in place: numbers of a column are stride apart. */
TEMPLATE device_inline void integrate_column(const struct madness_desk *desk, scratch_mem double *column, u32 stride,
                                             double2 *sum)
{
    EACH_PAIR sum[p].x = sum[p].y = 0;
    FEW_STEPS
    for (int a = 0; a < PAIRS; a++)
        OF_ORDER(integrate_step)(desk->table + a * PAIRS, column[a * stride], column[(order - 1 - a) * stride], sum);
}

TEMPLATE device_inline void integrate_y(const struct madness_desk *desk)
{
    for (u32 n = item_id(); n < 8 * order * order; n += group_size()) {
        scratch_mem double *column = desk->array + n / (8 * order) * (8 * order * order) + n % (8 * order);
        double2 sum[PAIRS];
        OF_ORDER(integrate_column)(desk, column, 8 * order, sum);
        EACH_PAIR
        {
            column[16 * p * order] = sum[p].x;
            if (2 * p + 1 < order) column[8 * (2 * p + 1) * order] = sum[p].y;
        }
    }
}

/* The last one; also writes the coefficients to where they stay if they are good enough. */
TEMPLATE device_inline void integrate_z(const struct madness_lists *lists, const struct madness_desk *desk,
                                        global_mem double *to)
{
    const double scale = lists->table[MADNESS_SCALE + desk->shared[SHARED_TASK + MADNESS_LEVEL]];
    for (u32 n = item_id(); n < 8 * order * order; n += group_size()) {
        u32 first = n / 8 * (8 * order) + n % 8;
        scratch_mem double *column = desk->array + first;
        double2 sum[PAIRS];
        OF_ORDER(integrate_column)(desk, column, 8, sum);
        EACH_PAIR
        {
            to[first + 16 * p] = column[16 * p] = sum[p].x * scale;
            if (2 * p + 1 < order) to[first + 16 * p + 8] = column[16 * p + 8] = sum[p].y * scale;
        }
    }
}

/* ---- children to their parent, and back ---- */

/* The number of the first entry of column m; entries of a column are step apart. */
TEMPLATE device_inline u32 entry_of(u32 m, u32 step)
{
    return m / step * step * order + m % step;
}

/* The sums over pairs of children, c and c + pair; there are pair of them left. Children stand side by side, so that
 * the fewer there are, the closer entries move together: in local memory they would otherwise meet in a few banks. */
TEMPLATE device_inline void filter(const struct madness_desk *desk, scratch_mem const double *from,
                                   scratch_mem double *to, u32 pair, u32 step)
{
    local_mem const double2 *matrix = desk->table + PAIRS * PAIRS;
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

/* What a column of the parent says of the two children's: low is even + odd, high even - odd, and the other way round
 * for odd entries. */
TEMPLATE device_inline void predict(const struct madness_desk *desk, scratch_mem const double *column, u32 stride,
                                    double2 *even, double2 *odd)
{
    local_mem const double2 *row = desk->table + PAIRS * PAIRS + order * PAIRS;
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

TEMPLATE device_inline void unfilter(const struct madness_desk *desk, scratch_mem const double *from,
                                     scratch_mem double *to, u32 pair, u32 step)
{
    for (u32 n = item_id(); n < pair * order * order; n += group_size()) {
        const u32 entry = OF_ORDER(entry_of)(n / pair, step), c = n % pair;
        scratch_mem double *out = to + 2 * pair * entry + c;
        double2 even[PAIRS], odd[PAIRS];
        OF_ORDER(predict)(desk, from + pair * entry + c, pair * step, even, odd);
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

device_inline void add_apart(global_mem const double *is, double low, double high, double *square, double *left)
{
    double a = is[0] - low, b = is[4] - high;
    *square += is[0] * is[0] + is[4] * is[4];
    *left += a * a + b * b;
}

/* The last one, along x, is held against the children as they are rather than stored. */
TEMPLATE device_inline void measure(const struct madness_desk *desk, scratch_mem const double *from,
                                    global_mem const double *is)
{
    double square = 0, left = 0;
    const u32 step = order * order;
    for (u32 n = item_id(); n < 4 * step; n += group_size()) {
        global_mem const double *here = is + 8 * (n / 4) + n % 4;
        double2 even[PAIRS], odd[PAIRS];
        OF_ORDER(predict)(desk, from + n, 4 * step, even, odd);
        EACH_PAIR
        {
            add_apart(here + 16 * p * step, even[p].x + odd[p].x, even[p].x - odd[p].x, &square, &left);
            if (2 * p + 1 < order)
                add_apart(here + 8 * (2 * p + 1) * step, even[p].y + odd[p].y, odd[p].y - even[p].y, &square, &left);
        }
    }
    group_barrier(); /* nobody reads the parent's numbers any more */
    desk->array[item_id()] = square;
    desk->array[group_size() + item_id()] = left;
    group_barrier();
}

/* The items' sums, added up in the same order every time. */
device_inline void add_items(const struct madness_desk *desk)
{
    for (u32 count = group_size(), middle; count > 1; count = middle) {
        middle = (count + 1) / 2;
        if (item_id() + middle < count) {
            desk->array[item_id()] += desk->array[item_id() + middle];
            desk->array[group_size() + item_id()] += desk->array[group_size() + item_id() + middle];
        }
        group_barrier();
    }
}

/* Leaves the square and the difference's square in array[0] and array[group_size()]. */
TEMPLATE device_inline void compute(const struct madness_lists *lists, const struct madness_desk *desk,
                                    global_mem double *to)
{
    scratch_mem double *first = desk->array, *second = first + 8 * order * order * order;
    OF_ORDER(find_axes)(lists, desk);
    group_barrier();
    OF_ORDER(integrate_values)(lists, desk);
    group_barrier();
    OF_ORDER(integrate_y)(desk);
    group_barrier();
    OF_ORDER(integrate_z)(lists, desk, to);
    group_barrier();
    OF_ORDER(filter)(desk, first, second, 4, order * order);
    group_barrier();
    OF_ORDER(filter)(desk, second, first, 2, order);
    group_barrier();
    OF_ORDER(filter)(desk, first, second, 1, 1);
    group_barrier();
    OF_ORDER(unfilter)(desk, second, first, 1, 1);
    group_barrier();
    OF_ORDER(unfilter)(desk, first, second, 2, order);
    group_barrier();
    OF_ORDER(measure)(desk, second, to);
    add_items(desk);
}

/* ---- what becomes of a box ---- */

/* The box of the task's level that holds the point, along an axis. */
device_inline u32 box_of(double at, double low, double edge, u32 level)
{
    const u32 boxes = 1u << level;
    double where = (at - low) / edge * boxes;
    return where < boxes ? (u32)where : boxes - 1;
}

/* Any item that finds a special point near by says so in SHARED_ANSWER, which is 0 before. */
device_inline void find_special(const struct madness_lists *lists, const struct madness_desk *desk)
{
    local_mem const u32 *task = desk->shared + SHARED_TASK;
    if (task[MADNESS_LEVEL] >= lists->max_level) return;
    for (u32 i = item_id(); i < lists->specials; i += group_size()) {
        global_mem const double *special = lists->special + MADNESS_SPECIAL_NUMBERS * i;
        bool near = (u32)special[3] == task[MADNESS_FUNCTION] && task[MADNESS_LEVEL] < (u32)special[4];
        for (u32 a = 0; near && a < 3; a++) {
            u32 at = box_of(special[a], lists->table[MADNESS_LOW + a], lists->table[MADNESS_EDGE + a],
                            task[MADNESS_LEVEL]);
            near = at <= task[MADNESS_AT + a] + 1 && task[MADNESS_AT + a] <= at + 1;
        }
        if (near) desk->shared[SHARED_ANSWER] = 1;
    }
}

/* By one item: room for eight tasks, which count as pending from now on instead of their parent; MADNESS_NONE if there
 * is none. Relaxed: nobody learns of the tasks by these counters. */
device_inline u32 reserve(const struct madness_lists *lists)
{
    u32 made = atom_add(&lists->control[MADNESS_TAIL], 8u, order_relaxed);
    if (made + 8 > lists->tasks) {
        atom_store(&lists->control[MADNESS_STOP], (u32)MADNESS_FULL, order_relaxed);
        return MADNESS_NONE;
    }
    atom_add(&lists->control[MADNESS_PENDING], 7u, order_relaxed);
    return made;
}

/* By all items of the group; answers whether there was room. */
device_inline bool divide(const struct madness_lists *lists, const struct madness_desk *desk)
{
    local_mem const u32 *task = desk->shared + SHARED_TASK;
    if (item_id() == 0) desk->shared[SHARED_MADE] = reserve(lists);
    group_barrier();
    const u32 made = desk->shared[SHARED_MADE];
    if (made == MADNESS_NONE) return false;
    for (u32 c = item_id(); c < 8; c += group_size()) {
        global_mem u32 *child = lists->task + (u64)MADNESS_TASK_WORDS * (made + c);
        child[MADNESS_FUNCTION] = task[MADNESS_FUNCTION];
        child[MADNESS_LEVEL] = task[MADNESS_LEVEL] + 1;
        for (u32 a = 0; a < 3; a++) child[MADNESS_AT + a] = 2 * task[MADNESS_AT + a] + (c >> (2 - a) & 1);
        /* release: pairs with the acquire in wait_for(), so that who sees the state sees the task. */
        atom_store(&lists->state[made + c], (u32)MADNESS_WAITING, order_release);
    }
    return true;
}

/* By one item: the family stays where it is. */
device_inline void keep(const struct madness_lists *lists, const struct madness_desk *desk, double square,
                        double difference)
{
    global_mem u32 *family = lists->family + (u64)MADNESS_FAMILY_WORDS * desk->shared[SHARED_PLACE];
    global_mem double *number = lists->number + (u64)MADNESS_FAMILY_NUMBERS * desk->shared[SHARED_PLACE];
    for (u32 i = 0; i < MADNESS_USED; i++) family[i] = desk->shared[SHARED_TASK + i];
    family[MADNESS_USED] = 1;
    number[0] = square;
    number[1] = difference;
    desk->shared[SHARED_PLACE] = MADNESS_NONE;
    atom_add(&lists->control[MADNESS_PENDING], 0xffffffffu, order_relaxed); /* one less */
}

/* By one item: keeps the family, or answers that the box has to be divided. */
device_inline bool decide(const struct madness_lists *lists, const struct madness_desk *desk, global_mem u64 *stats)
{
    const u32 level = desk->shared[SHARED_TASK + MADNESS_LEVEL];
    const double square = desk->array[0], difference = sqrt(desk->array[group_size()]);
    const double tolerance = lists->table[MADNESS_TOLERANCE + level];
    if (!isfinite(square)) {
        atom_store(&lists->control[MADNESS_STOP], (u32)MADNESS_NOT_FINITE, order_relaxed);
        return true;
    }
    bool last = level >= lists->max_level;
    if (!last && fabs(difference - tolerance) <= 1e-9 * tolerance + 1e-12 * sqrt(square)) stats[MADNESS_NEAR]++;
    if (difference >= tolerance && !last) return true;
    keep(lists, desk, square, difference);
    return false;
}

/* By one item: a place for a family that may be kept, if the group has none. False, and everybody stops, when there is
 * no room. */
device_inline bool find_place(const struct madness_lists *lists, const struct madness_desk *desk)
{
    if (desk->shared[SHARED_PLACE] != MADNESS_NONE) return true;
    u32 place = atom_add(&lists->control[MADNESS_PLACES], 1u, order_relaxed);
    if (place >= lists->places) {
        atom_store(&lists->control[MADNESS_STOP], (u32)MADNESS_FULL, order_relaxed);
        return false;
    }
    desk->shared[SHARED_PLACE] = place;
    lists->family[(u64)MADNESS_FAMILY_WORDS * place + MADNESS_USED] = 0;
    return true;
}

/* The task of that number, by the whole group. It is done, unless the lists are full. */
TEMPLATE device_inline void run_task(const struct madness_lists *lists, const struct madness_desk *desk, u32 ticket,
                                     global_mem u64 *stats)
{
    for (u32 i = item_id(); i < MADNESS_USED; i += group_size())
        desk->shared[SHARED_TASK + i] = lists->task[(u64)MADNESS_TASK_WORDS * ticket + i];
    if (item_id() == 0) desk->shared[SHARED_ANSWER] = 0;
    group_barrier();
    find_special(lists, desk);
    group_barrier();
    bool divided = desk->shared[SHARED_ANSWER] != 0;
    const bool forced = divided;
    group_barrier();
    if (!forced) {
        if (item_id() == 0) desk->shared[SHARED_ANSWER] = find_place(lists, desk);
        group_barrier();
        if (!desk->shared[SHARED_ANSWER]) return;
        const u32 place = desk->shared[SHARED_PLACE];
        OF_ORDER(compute)(lists, desk, lists->coefficient + (u64)(8 * order * order * order) * place);
        if (item_id() == 0) desk->shared[SHARED_ANSWER] = decide(lists, desk, stats);
        group_barrier();
        divided = desk->shared[SHARED_ANSWER] != 0;
    }
    if (divided && !divide(lists, desk)) return;
    if (item_id() == 0) desk->shared[SHARED_DONE] = forced ? 2 : 1;
}

/* ---- the groups ---- */

/* By one item: the task of that number is there, or MADNESS_NONE when it will not come. Pending is above 0 as long as
 * somebody may still make one. */
device_inline u32 wait_for(const struct madness_lists *lists, u32 ticket, global_mem u64 *stats)
{
    if (ticket >= lists->tasks) return MADNESS_NONE;
    for (;;) {
        if (atom_load(&lists->control[MADNESS_STOP], order_relaxed)) return MADNESS_NONE;
        /* acquire: pairs with the release in divide(). */
        if (atom_load(&lists->state[ticket], order_acquire) == MADNESS_WAITING) return ticket;
        if (atom_load(&lists->control[MADNESS_PENDING], order_relaxed) == 0) return MADNESS_NONE;
        stats[MADNESS_LOOKS]++;
        spin_pause();
    }
}

/* By one item: the task that the group has just done, if it has, is done for the host to see, after the launch. */
device_inline void note_done(const struct madness_lists *lists, const struct madness_desk *desk,
                             global_mem u64 *stats)
{
    const u32 done = desk->shared[SHARED_DONE];
    if (!done) return;
    desk->shared[SHARED_DONE] = 0;
    atom_store(&lists->state[desk->shared[SHARED_TICKET]], (u32)MADNESS_DONE, order_relaxed);
    stats[MADNESS_BOXES]++;
    stats[MADNESS_FORCED] += done == 2;
}

/* By one item: the group's next task. */
device_inline u32 next_task(const struct madness_lists *lists, const struct madness_desk *desk, u32 begin, u32 end,
                            u32 *turn, global_mem u64 *stats)
{
    note_done(lists, desk, stats);
    if (end == 0) return wait_for(lists, atom_add(&lists->control[MADNESS_NEXT], 1u, order_relaxed), stats);
    u32 ticket = begin + group_id() + group_count() * (*turn)++;
    bool stop = atom_load(&lists->control[MADNESS_STOP], order_relaxed) != 0;
    return ticket < end && !stop ? ticket : MADNESS_NONE;
}

TEMPLATE device_inline void run_group(const struct madness_lists *lists, const struct madness_desk *desk, u32 begin,
                                      u32 end, global_mem u64 *stats)
{
    global_mem const double2 *matrices = (global_mem const double2 *)(lists->table + MADNESS_MATRICES);
    u32 turn = 0;
    for (u32 i = item_id(); i < PAIRS * PAIRS + 2 * order * PAIRS; i += group_size()) desk->table[i] = matrices[i];
    if (item_id() == 0) {
        desk->shared[SHARED_PLACE] = MADNESS_NONE;
        desk->shared[SHARED_DONE] = 0;
    }
    for (;;) {
        if (item_id() == 0) desk->shared[SHARED_TICKET] = next_task(lists, desk, begin, end, &turn, stats);
        group_barrier();
        const u32 ticket = desk->shared[SHARED_TICKET];
        if (ticket == MADNESS_NONE) return;
        OF_ORDER(run_task)(lists, desk, ticket, stats);
        group_barrier();
    }
}

#define MADNESS_PARAMETERS                                                                                             \
    global_mem u32 *task, global_mem atom32 *state, global_mem atom32 *control, global_mem u32 *family,                \
        global_mem double *number, global_mem double *coefficient, global_mem const double *table,                     \
        global_mem const double *body, global_mem const double *special, global_mem u64 *stats, u32 specials,          \
        u32 kind, u32 max_level, u32 tasks, u32 places, u32 begin, u32 end

/* The kernel proper; array is the group's. */
#define MADNESS_RUN(array)                                                                                             \
    local_array(double2, table_here, PAIRS *PAIRS + 2 * order * PAIRS);                                                \
    local_array(double, axis, 6 * order);                                                                              \
    local_array(u32, shared, SHARED_WORDS);                                                                            \
    const struct madness_lists lists = {task,    state, control,  family,    number, coefficient, table,               \
                                        body, special, specials, kind, max_level, tasks,  places};                     \
    const struct madness_desk desk = {array, axis, table_here, shared};                                           \
    OF_ORDER(run_group)(&lists, &desk, begin, end, stats + MADNESS_STATS_WORDS * (u64)group_id());

#ifdef __CUDACC__
TEMPLATE device_inline void run_here(MADNESS_PARAMETERS, double *scratch)
{
    extern __shared__ double array[];
    MADNESS_RUN((far ? scratch + (u64)MADNESS_ARRAY(order) * group_id() : array))
}

#define MADNESS_ARGUMENTS                                                                                              \
    task, state, control, family, number, coefficient, table, body, special, stats, specials, kind, max_level, tasks,  \
        places, begin, end, scratch
#define MADNESS_NEAR_KERNEL(n)                                                                                         \
    kernel_entry __launch_bounds__(MADNESS_MOST_GROUP) madness_##n(MADNESS_PARAMETERS, double *scratch)                \
    {                                                                                                                  \
        run_here<n, false>(MADNESS_ARGUMENTS);                                                                         \
    }
#define MADNESS_FAR_KERNEL(n)                                                                                          \
    kernel_entry __launch_bounds__(MADNESS_MOST_GROUP) madness_far_##n(MADNESS_PARAMETERS, double *scratch)            \
    {                                                                                                                  \
        run_here<n, true>(MADNESS_ARGUMENTS);                                                                          \
    }
#define MADNESS_KERNELS(n) MADNESS_NEAR_KERNEL(n) MADNESS_FAR_KERNEL(n)
MADNESS_KERNELS(1) MADNESS_KERNELS(2) MADNESS_KERNELS(3) MADNESS_KERNELS(4) MADNESS_KERNELS(5)
MADNESS_KERNELS(6) MADNESS_KERNELS(7) MADNESS_KERNELS(8) MADNESS_KERNELS(9) MADNESS_KERNELS(10)
MADNESS_KERNELS(11) MADNESS_KERNELS(12) MADNESS_KERNELS(13) MADNESS_FAR_KERNEL(14) MADNESS_FAR_KERNEL(15)
MADNESS_FAR_KERNEL(16) MADNESS_FAR_KERNEL(17) MADNESS_FAR_KERNEL(18) MADNESS_FAR_KERNEL(19) MADNESS_FAR_KERNEL(20)
MADNESS_FAR_KERNEL(21) MADNESS_FAR_KERNEL(22) MADNESS_FAR_KERNEL(23) MADNESS_FAR_KERNEL(24) MADNESS_FAR_KERNEL(25)
MADNESS_FAR_KERNEL(26) MADNESS_FAR_KERNEL(27) MADNESS_FAR_KERNEL(28) MADNESS_FAR_KERNEL(29) MADNESS_FAR_KERNEL(30)
#else
kernel_entry madness(MADNESS_PARAMETERS, scratch_mem double *scratch)
{
#if MADNESS_FAR
    MADNESS_RUN(scratch + (u64)MADNESS_ARRAY(order) * group_id())
#else
    MADNESS_RUN(scratch)
#endif
}
#endif
