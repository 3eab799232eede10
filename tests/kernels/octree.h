/* SPDX-License-Identifier: MIT */
/* Tests octrees by tasks, emulated with groups as threads. Every task must run once, and the tree must equal the
 * oracle's serial tree. A test names its queue and includes the sources before this file. */
#ifndef GWS_TESTS_KERNELS_OCTREE_SUITE_H
#define GWS_TESTS_KERNELS_OCTREE_SUITE_H

#include "../../lib/random.h"
#include "emulate.h"

enum {
    max_groups = 7,
    max_points = 5000,
    capacity = POOL_STEALS ? 256 : 4 * max_points,
    inner_words = 24 * max_points,
    max_events = 1 << 16
};

static struct {
    u64 key[max_points], other_key[max_points], given[max_points];
    u32 number[max_points], other_number[max_points], out[max_points], entry[8 * (max_points + 2)];
    atom32 done[max_points + 2];
    u64 inner[inner_words], stats[max_groups * STATS_STRIDE];
    atom64 control[CONTROL_WORDS], deques[max_groups * (DEQUE_HEAD + 256 * TASK_WORDS) + (u64)capacity * TASK_WORDS];
    u32 groups, points, leaf, depth, piece, chunk, capacity, round, patience;
    u64 inner_words;
    u64 trace[1 + 3 * max_events]; /* a struct gws__trace_log */
} run;

#define TRACE_LOG ((struct gws__trace_log *)run.trace)

#define RUN_ARGUMENTS                                                                                                  \
    run.key, run.other_key, run.number, run.other_number, run.out, run.entry, run.done, run.inner, run.control,        \
        run.deques, run.stats, TRACE_LOG, run_words()

static struct gws__octree_params run_words(void)
{
    return (struct gws__octree_params){run.capacity, run.points, run.leaf,        run.depth,
                                       run.piece,    run.chunk,  run.inner_words, 0};
}

static void launch(void (*kernel)(void))
{
    emulate_groups(kernel, run.groups);
}

static u32 octants, octant[3 * 8];

static void begin(void)
{
    octree_begin(RUN_ARGUMENTS, octant, octants);
}

#if POOL_STEALS
static void steal(void)
{
    octree_steal(RUN_ARGUMENTS, run.groups, run.patience);
}

static void all_rounds(void)
{
    launch(steal);
}
#else
static void one_round(void)
{
    octree_round(RUN_ARGUMENTS, run.round);
}

static void all_rounds(void)
{
    u32 max_rounds = 4 * (run.depth + 1);
    while (run.control[CONTROL_FINALISED] < run.points && run.control[CONTROL_STATE] == RUN_ON &&
           run.round++ < max_rounds)
        launch(one_round);
}
#endif

static void prepare(u32 groups, u32 points, u32 leaf, u32 depth, u32 piece)
{
    memset(run.control, 0, sizeof run.control);
    memset(run.deques, 0, sizeof run.deques);
    memset(run.stats, 0, sizeof run.stats);
    memset(run.done, 0, sizeof run.done);
    memset(run.out, 0xff, sizeof run.out);
    memcpy(run.key, run.given, sizeof run.key);
    TRACE_LOG->capacity = max_events;
    TRACE_LOG->count = 0;
    run.groups = groups;
    run.points = points;
    run.leaf = leaf;
    run.depth = depth;
    run.piece = piece;
    run.chunk = 1 + groups % 5;
    run.round = 0;
    run.capacity = run.capacity ? run.capacity : capacity;
    run.inner_words = run.inner_words ? run.inner_words : inner_words;
    run.patience = run.patience ? run.patience : UINT32_MAX;
}

static void build(u32 groups, u32 points, u32 leaf, u32 depth, u32 piece)
{
    prepare(groups, points, leaf, depth, piece);
    octants = 1;
    memcpy(octant, (u32[]){0, points, 0}, 3 * sizeof *octant);
    launch(begin);
    all_rounds();
}

/* ---- the oracle ---- */

struct expected_tree {
    u32 order[max_points]; /* the points, by leaf and then by number */
    u64 divided;
};

static int by_key(const void *a, const void *b)
{
    u32 x = *(const u32 *)a, y = *(const u32 *)b;
    if (run.given[x] != run.given[y]) return run.given[x] < run.given[y] ? -1 : 1;
    return (x > y) - (x < y);
}

static int by_number(const void *a, const void *b)
{
    u32 x = *(const u32 *)a, y = *(const u32 *)b;
    return (x > y) - (x < y);
}

/* Checks that the handle describes the octant whose points are order[begin .. end - 1], sorted by key. */
static void judge_octant(struct expected_tree *expected, u32 begin, u32 end, u32 level, u64 handle)
{
    if (end - begin <= run.leaf || level == run.depth) {
        if (handle != (u64)(end - begin) * 2 + 1) ck_abort_msg("a leaf of %u points has another handle", end - begin);
        qsort(expected->order + begin, end - begin, sizeof *expected->order, by_number);
        return;
    }
    expected->divided++;
    if (handle % 8 || handle / 8 >= run.control[CONTROL_INNER])
        ck_abort_msg("the handle %llu is no inner node", (unsigned long long)handle);
    const u64 *inner = run.inner + handle / 8;
    u64 mask = 0;
    u32 child = 1;
    for (u32 d = 0, at = begin; d < 8; d++) {
        u32 to = at;
        while (to < end && (run.given[expected->order[to]] >> (60 - 3 * level) & 7) == d) to++;
        if (to == at) continue;
        mask |= 1u << d;
        judge_octant(expected, at, to, level + 1, inner[child++]);
        at = to;
    }
    if (inner[0] != mask) ck_abort_msg("an inner node at level %u has other octants", level);
}

#if POOL_STEALS
/* Checks that the log has each steal once, with as many tasks as the thief counted. */
static void judge_trace(void)
{
    u64 steals[max_groups] = {0}, stolen[max_groups] = {0}, ends = 0;
    ck_assert_uint_le(TRACE_LOG->count, max_events);
    for (u32 i = 0; i < TRACE_LOG->count; i++) {
        const struct gws__trace_event *event = &TRACE_LOG->event[i];
        ends += event->kind == GWS_TRACE_END;
        if (event->kind != GWS_TRACE_STEAL) continue;
        ck_assert_uint_lt(event->first, run.groups);
        ck_assert_uint_ne(event->first, event->group);
        steals[event->group]++;
        stolen[event->group] += event->second;
    }
    ck_assert_uint_eq(ends, 1);
    for (u32 g = 0; g < run.groups; g++) {
        ck_assert_uint_eq(steals[g], run.stats[g * STATS_STRIDE + STATS_STEALS]);
        ck_assert_uint_eq(stolen[g], run.stats[g * STATS_STRIDE + STATS_FROM_DEVICE]);
    }
}
#endif

static void judge(void)
{
    static struct expected_tree expected;
    ck_assert_uint_eq(run.control[CONTROL_STATE], RUN_ON);
    ck_assert_uint_eq(run.control[CONTROL_FINALISED], run.points);
    for (u32 i = 0; i < run.points; i++) expected.order[i] = i;
    qsort(expected.order, run.points, sizeof *expected.order, by_key);
    expected.divided = 0;
    judge_octant(&expected, 0, run.points, 0, run.inner[0]);
    for (u32 i = 0; i < run.points; i++)
        if (run.out[i] != expected.order[i])
            ck_abort_msg("place %u has point %u, not %u", i, run.out[i], expected.order[i]);
    u64 tasks = 0;
    for (u32 g = 0; g < run.groups; g++) tasks += run.stats[g * STATS_STRIDE + STATS_TASKS];
#if POOL_STEALS
    judge_trace();
#endif
    ck_assert_uint_ge(tasks, expected.divided);
    if (run.piece > max_points) ck_assert_uint_eq(tasks, expected.divided);
    for (u32 i = 0; i < max_points + 2; i++)
        if (run.done[i]) ck_abort_msg("the counter of node %u is not 0", i);
}

/* ---- point sets ---- */

enum point_set { uniform, clustered, one_place, two_places, line, shapes };

static void make_points(enum point_set shape, u32 points)
{
    u64 random = 11;
    for (u32 i = 0; i < points; i++) {
        u64 some = gws_random_next(&random) >> 1;
        if (shape == clustered) some >>= 3 * (some % 15);
        if (shape == one_place) some = UINT64_C(0x1234567812345678);
        if (shape == two_places) some = UINT64_C(0x1234567812345678) + (some & 1);
        if (shape == line) some = (u64)i << 40;
        run.given[i] = some & ((UINT64_C(1) << 63) - 1);
    }
}

START_TEST(trees_equal_the_oracles)
{
    static const u32 pieces[] = {UINT32_MAX, 40, 700};
    u32 points = gws_test_quick() ? 1500 : 5000;
    for (enum point_set shape = uniform; shape < shapes; shape++) {
        make_points(shape, points);
        for (u32 groups = 1; groups <= max_groups; groups += 3)
            for (u32 p = 0; p < 3; p++)
                for (u32 leaf = 1; leaf <= 33; leaf += 32) {
                    if (gws_test_quick() && (shape + groups / 3 + p + leaf / 33) % 2) continue;
                    build(groups, points, leaf, p == 1 && leaf == 33 ? 3 : 21, pieces[p]);
                    judge();
                }
    }
}
END_TEST

/* Small octants and few pieces are boundary cases. */
START_TEST(small_sets)
{
    make_points(clustered, 64);
    for (u32 points = 2; points <= 40; points += 1 + points / 8)
        for (u32 piece = 1; piece < 6; piece++)
            for (u32 leaf = 1; leaf < 4 && leaf < points; leaf++) {
                build(3, points, leaf, 21, piece);
                judge();
            }
}
END_TEST

/* All groups stop after an overflow and report the overflow. */
START_TEST(overflow_is_reported)
{
    make_points(uniform, 3000);
    run.inner_words = 100;
    build(3, 3000, 8, 21, 700);
    ck_assert_uint_eq(run.control[CONTROL_STATE], RUN_OUT_OF_INNER);
    run.inner_words = 0;
    run.capacity = 2;
    build(3, 3000, 8, 21, 700);
    ck_assert_uint_eq(run.control[CONTROL_STATE], RUN_OUT_OF_SLOTS);
    run.capacity = 0;
}
END_TEST

#if POOL_STEALS
/* The number of tasks in a deque does not grow with the points. A deque holds seven tasks per level, and one for each
 * halving of the pieces. */
START_TEST(deques_remain_short)
{
    make_points(uniform, max_points);
    for (u32 groups = 1; groups <= 7; groups += 2) {
        build(groups, max_points, 1, 21, 1);
        judge();
        for (u32 g = 0; g < groups; g++) ck_assert_uint_le(run.stats[g * STATS_STRIDE + STATS_HIGH], 7 * 21 + 32 + 12);
    }
}
END_TEST

/* The probing workers stop the run after the loss of a task. */
START_TEST(lost_tasks_stop_the_run)
{
    make_points(uniform, 3000);
    run.patience = 1000;
    build(2, 3000, 8, 21, UINT32_MAX);
    atom_store(&run.control[CONTROL_FINALISED], run.points - 1, order_relaxed);
    all_rounds();
    ck_assert_uint_eq(run.control[CONTROL_STATE], RUN_STUCK);
    run.patience = 0;
}
END_TEST

/* The run builds a tree for each of several contiguous octants, the eight parts of the root, as after a handoff. */
static int by_value(const void *a, const void *b)
{
    u64 x = *(const u64 *)a, y = *(const u64 *)b;
    return (x > y) - (x < y);
}

static void cut_into_octants(u32 points)
{
    octants = 0;
    qsort(run.given, points, sizeof *run.given, by_value);
    for (u32 i = 0; i < points; i++) {
        bool first = i == 0 || run.given[i] >> 60 != run.given[i - 1] >> 60;
        if (first) memcpy(&octant[3 * octants++], (u32[]){i, 0, 1}, 3 * sizeof *octant);
        octant[3 * octants - 2]++;
    }
}

static void build_octants(u32 groups, u32 points, u32 piece)
{
    prepare(groups, points, 3, 21, piece);
    launch(begin);
    all_rounds();
}

static void judge_octants(void)
{
    static struct expected_tree expected;
    ck_assert_uint_eq(run.control[CONTROL_STATE], RUN_ON);
    ck_assert_uint_eq(run.control[CONTROL_FINALISED], run.points);
    for (u32 i = 0; i < run.points; i++) expected.order[i] = i;
    for (u32 i = 0; i < octants; i++)
        judge_octant(&expected, octant[3 * i], octant[3 * i] + octant[3 * i + 1], octant[3 * i + 2], run.inner[i]);
    for (u32 i = 0; i < run.points; i++)
        if (run.out[i] != expected.order[i])
            ck_abort_msg("place %u has point %u, not %u", i, run.out[i], expected.order[i]);
}

START_TEST(octants_side_by_side)
{
    static const u32 pieces[] = {UINT32_MAX, 40, 700};
    for (u32 groups = gws_test_quick() ? 3 : 1; groups <= max_groups; groups += gws_test_quick() ? 4 : 2)
        for (u32 p = 0; p < 3; p++) {
            make_points(p == 1 ? clustered : uniform, 3000);
            cut_into_octants(3000);
            build_octants(groups, 3000, pieces[p]);
            judge_octants();
        }
}
END_TEST

/* ---- tests of the deque alone, whose owners push, pop and steal ---- */

enum { pushes = 2000 };
static atom32 seen[max_groups * pushes];
static atom64 popped;

static void count_task(const u64 *task)
{
    ck_assert_uint_eq(task[1], ~task[0]);
    ck_assert_uint_eq(task[2], task[0] * 3);
    atom_add(&seen[task[0]], 1, order_relaxed);
    atom_add(&popped, 1, order_relaxed);
}

static void push_and_pop(void)
{
    struct pool pool = {run.deques, run.capacity, 3};
    u32 self = group_id(), random = self + 1, next = 0;
    u64 task[TASK_WORDS];
    while (atom_load(&popped, order_relaxed) < (u64)run.groups * pushes) {
        u32 what = next_random(&random) % 8, victim = next_random(&random) % run.groups;
        if (what < 4 && next < pushes) {
            task[0] = (u64)self * pushes + next;
            task[1] = ~task[0];
            task[2] = task[0] * 3;
            u32 place = pool_reserve(pool, self, 1);
            if (place == POOL_FULL) continue;
            pool_write(pool, self, place, task);
            pool_commit(pool, self, place, 1);
            next++;
        } else if (pool_pop(pool, self, task) || (victim != self && pool_steal(pool, victim, self, task) > 0)) {
            count_task(task);
        } else {
            spin_pause();
        }
    }
}

START_TEST(every_task_once)
{
    u32 all_pushes;
    for (run.groups = 1; run.groups <= max_groups; run.groups++)
        for (run.capacity = 4; run.capacity <= 64; run.capacity *= 4) {
            memset(run.deques, 0, sizeof run.deques);
            memset(seen, 0, sizeof seen);
            atom_store(&popped, 0, order_relaxed);
            launch(push_and_pop);
            all_pushes = run.groups * pushes;
            for (u32 i = 0; i < all_pushes; i++)
                if (seen[i] != 1) ck_abort_msg("task %u of %u was seen %u times", i, all_pushes, seen[i]);
        }
    run.capacity = 0;
}
END_TEST
#endif

static Suite *octree(void)
{
    Suite *suite = suite_create("octree kernels");
    TCase *tests = tcase_create("emulated");
    tcase_add_test(tests, trees_equal_the_oracles);
    tcase_add_test(tests, small_sets);
    tcase_add_test(tests, overflow_is_reported);
#if POOL_STEALS
    tcase_add_test(tests, deques_remain_short);
    tcase_add_test(tests, lost_tasks_stop_the_run);
    tcase_add_test(tests, octants_side_by_side);
    tcase_add_test(tests, every_task_once);
#endif
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(octree);
}

#endif
