/* SPDX-License-Identifier: MIT */
/* Decisions are pure functions. Every answer must be in range, and a search must try every worker. */
#include "../../harness.h"

#include "../../../lib/policy/decide.h"
#include "../../../lib/random.h"

static gws_victim *const victims[] = {gws__victim_random, gws__victim_last, gws__victim_round, gws__victim_nearest};
enum { victim_kinds = 4, drawn_kinds = 2, max_workers = 40 };

static struct gws_view view_of(uint32_t self, uint32_t workers, uint32_t last, uint64_t bits)
{
    return (struct gws_view){.self = self, .workers = workers, .last = last, .last_tried = last, .bits = bits};
}

START_TEST(a_search_names_every_other_worker_once)
{
    uint64_t random = 1;
    for (uint32_t workers = 2; workers <= max_workers; workers++)
        for (uint32_t self = 0; self < workers; self++) {
            bool met[max_workers] = {false};
            struct gws_view view = view_of(self, workers, (self * 7 + 1) % workers, gws_random_next(&random));
            for (; view.tried + 1 < workers; view.tried++) {
                view.previous = victims[_i](&view);
                if (view.previous >= workers || view.previous == self || met[view.previous])
                    ck_abort_msg("%u of %u selects %u in attempt %u", self, workers, view.previous, view.tried);
                met[view.previous] = true;
            }
        }
}
END_TEST

/* User strategies return the thief itself, an invalid worker, always the same worker, or any number. */
static uint32_t own_self(const struct gws_view *view)
{
    return view->self;
}

static uint32_t own_nobody(const struct gws_view *view)
{
    return view->workers;
}

static uint32_t own_second(const struct gws_view *view)
{
    (void)view;
    return 1;
}

static uint32_t own_any(const struct gws_view *view)
{
    return (uint32_t)view->bits;
}

START_TEST(every_worker_is_tried_once_with_any_user_strategy)
{
    static gws_victim *const own[] = {own_self, own_nobody, own_second, own_any};
    uint64_t random = 1;
    for (uint32_t workers = 2; workers <= max_workers; workers++)
        for (uint32_t self = 0; self < workers; self++) {
            bool met[max_workers] = {false};
            struct gws_view view = view_of(self, workers, self, gws_random_next(&random));
            for (; view.tried + 1 < workers; view.tried++) {
                view.previous = gws__victim_user(own[_i], &view);
                ck_assert_uint_lt(view.previous, workers);
                ck_assert_uint_ne(view.previous, self);
                ck_assert(!met[view.previous]);
                met[view.previous] = true;
            }
        }
}
END_TEST

START_TEST(a_user_strategy_names_the_first)
{
    struct gws_view view = view_of(3, 8, 3, 0);
    ck_assert_uint_eq(gws__victim_user(own_second, &view), 1);
    view.tried = 1, view.previous = 2;
    ck_assert_uint_eq(gws__victim_user(own_second, &view), 4); /* the search skips the thief itself */
}
END_TEST

START_TEST(nearest_goes_by_the_order_given)
{
    static const uint32_t near[] = {5, 1, 6, 0, 2, 3, 7};
    struct gws_view view = view_of(4, 8, 4, 0);
    view.topology_order = near;
    for (; view.tried < 7; view.tried++) ck_assert_uint_eq(gws__victim_nearest(&view), near[view.tried]);
    view.workers = 5; /* workers 5, 6 and 7 are absent */
    static const uint32_t those[] = {1, 0, 2, 3};
    for (view.tried = 0; view.tried < 4; view.tried++) ck_assert_uint_eq(gws__victim_nearest(&view), those[view.tried]);
}
END_TEST

START_TEST(round_goes_on_where_it_ended)
{
    struct gws_view view = view_of(2, 4, 2, 0);
    view.last_tried = 1;
    ck_assert_uint_eq(gws__victim_round(&view), 3);
    view.last_tried = 3;
    ck_assert_uint_eq(gws__victim_round(&view), 0);
}
END_TEST

START_TEST(amounts_are_in_range)
{
    static gws_amount *const amounts[] = {gws__amount_one, gws__amount_two, gws__amount_chunk, gws__amount_half};
    static const uint64_t expected[][4] = {{1, 1, 1, 1}, {1, 2, 2, 1}, {1, 2, 3, 2}, {1, 2, 8, 50}};
    static const uint64_t lengths[] = {1, 2, 3, 100};
    for (int l = 0; l < 4; l++)
        for (int a = 0; a < 4; a++) ck_assert_uint_eq(amounts[a](lengths[l], 8), expected[l][a]);
    for (int a = 0; a < 4; a++) {
        uint64_t amount = amounts[a](UINT64_MAX, 8);
        ck_assert(amount >= 1 && amount <= UINT64_MAX);
    }
    ck_assert_uint_eq(gws__amount_half(UINT64_MAX, 1), (uint64_t)1 << 63);
}
END_TEST

START_TEST(balancing_is_as_rare_as_the_queue_is_long)
{
    uint64_t random = 1;
    ck_assert(gws__decide_balance(0, UINT64_MAX));
    ck_assert(gws__decide_balance(1, UINT64_MAX));
    ck_assert(!gws__decide_balance(UINT64_MAX, 0));
    uint32_t times = 0;
    for (uint32_t i = 0; i < 100000; i++) times += gws__decide_balance(10, gws_random_next(&random));
    ck_assert_uint_ge(times, 9500); /* mean 10000, within 5 standard deviations */
    ck_assert_uint_le(times, 10500);
}
END_TEST

START_TEST(threshold_adapts_within_bounds)
{
    uint64_t threshold = 2;
    for (int i = 0; i < 10; i++) threshold = gws__decide_threshold(threshold, 0);
    ck_assert_uint_eq(threshold, 64);
    ck_assert_uint_eq(gws__decide_threshold(threshold, 1), 32);
    for (int i = 0; i < 10; i++) threshold = gws__decide_threshold(threshold, 5);
    ck_assert_uint_eq(threshold, 2);
}
END_TEST

START_TEST(thieves_get_half)
{
    ck_assert_uint_eq(gws__decide_batch(0, 8, 2), 1);
    ck_assert_uint_eq(gws__decide_batch(1, 8, 2), 1);
    ck_assert_uint_eq(gws__decide_batch(3, 8, 2), 2);
    ck_assert_uint_eq(gws__decide_batch(100, 8, 2), 8);
    ck_assert_uint_eq(gws__decide_batch(5, 8, 1), 5);
    ck_assert_uint_eq(gws__decide_batch(UINT64_MAX, 256, 1), 256);
}
END_TEST

START_TEST(coarse_is_one_or_all)
{
    ck_assert_uint_eq(gws__decide_workers_coarse(0, 0, 8), 1);
    ck_assert_uint_eq(gws__decide_workers_coarse(799, 100, 8), 1);
    ck_assert_uint_eq(gws__decide_workers_coarse(800, 100, 8), 8);
    ck_assert_uint_eq(gws__decide_workers_coarse(UINT64_MAX, UINT32_MAX, 4096), 4096);
}
END_TEST

START_TEST(victims_are_others_and_all_are_reached)
{
    uint64_t random = 1;
    for (uint32_t workers = 2; workers <= max_workers; workers++)
        for (uint32_t self = 0; self < workers; self++) {
            bool met[max_workers] = {false};
            for (uint32_t i = 0; i < workers * 20; i++) {
                struct gws_view view = view_of(self, workers, self, gws_random_next(&random));
                uint32_t victim = victims[_i](&view);
                if (victim == self || victim >= workers) ck_abort_msg("%u of %u selects %u", self, workers, victim);
                met[victim] = true;
            }
            for (uint32_t v = 0; workers <= 8 && v < workers; v++) ck_assert_int_eq(met[v], v != self);
        }
}
END_TEST

START_TEST(victims_at_the_edges)
{
    static const uint64_t bits[] = {0, 1, UINT32_MAX, (uint64_t)1 << 32, (uint64_t)1 << 63, UINT64_MAX};
    static const uint32_t sizes[] = {2, 3, 4096, UINT32_MAX};
    for (size_t b = 0; b < sizeof bits / sizeof bits[0]; b++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            const uint32_t selves[] = {0, 1, sizes[s] / 2, sizes[s] - 1};
            for (size_t i = 0; i < 4; i++) {
                struct gws_view view = view_of(selves[i], sizes[s], selves[i], bits[b]);
                uint32_t victim = victims[_i](&view);
                ck_assert_uint_ne(victim, selves[i]);
                ck_assert_uint_lt(victim, sizes[s]);
            }
        }
}
END_TEST

START_TEST(random_victims_are_equally_likely)
{
    uint32_t times[8] = {0};
    uint64_t random = 1;
    for (uint32_t i = 0; i < 70000; i++) {
        struct gws_view view = view_of(3, 8, 3, gws_random_next(&random));
        times[gws__victim_random(&view)]++;
    }
    for (uint32_t v = 0; v < 8; v++) {
        ck_assert_uint_ge(times[v], v == 3 ? 0 : 9500); /* mean 10000 each, within 5 standard deviations */
        ck_assert_uint_le(times[v], v == 3 ? 0 : 10500);
    }
}
END_TEST

START_TEST(the_last_victim_is_reused_while_it_is_present)
{
    for (uint32_t last = 0; last < 8; last++) {
        struct gws_view view = view_of(3, 8, last, 0);
        if (last != 3) ck_assert_uint_eq(gws__victim_last(&view), last);
        view.workers = 4; /* workers 4 .. 7 are absent from a smaller loop */
        if (last > 3) ck_assert_uint_lt(gws__victim_last(&view), 3);
    }
}
END_TEST

START_TEST(workers_by_grain)
{
    static const struct {
        uint64_t count;
        uint32_t grain, workers, expected;
    } rows[] = {
        {0, 0, 8, 8},
        {0, 1, 8, 1},
        {1, 1, 8, 1},
        {2, 1, 8, 2},
        {100, 1, 8, 8},
        {99, 100, 8, 1},
        {100, 100, 8, 1},
        {199, 100, 8, 1},
        {200, 100, 8, 2},
        {799, 100, 8, 7},
        {800, 100, 8, 8},
        {UINT64_MAX, 1, 8, 8},
        {UINT64_MAX, UINT32_MAX, 4096, 4096},
        {UINT32_MAX, UINT32_MAX, 2, 1},
        {5, 0, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ck_assert_uint_eq(gws__decide_workers(rows[i].count, rows[i].grain, rows[i].workers), rows[i].expected);
}
END_TEST

START_TEST(attempts_are_bounded)
{
    for (uint32_t victims_left = 1; victims_left <= 64; victims_left++)
        for (uint64_t count = 0; count < 100000; count = count * 3 + 1) {
            uint32_t attempts = gws__decide_attempts(count, 16, victims_left);
            if (attempts < 1 || attempts > victims_left) ck_abort_msg("%u of %u", attempts, victims_left);
        }
    ck_assert_uint_eq(gws__decide_attempts(UINT64_MAX, 1, UINT32_MAX), UINT32_MAX);
    ck_assert_uint_eq(gws__decide_attempts(1000, 1, 7), 7);
    ck_assert_uint_eq(gws__decide_attempts(10, 1, 7), 2);
    ck_assert_uint_eq(gws__decide_attempts(10, 1, 1), 1);
}
END_TEST

/* A search returns every rank once, those of the own host first; each group begins with the last victim in it. */
START_TEST(victims_by_distance)
{
    uint32_t firsts = 0;
    for (uint32_t others = 1; others <= 9; others++)
        for (uint32_t near = 0; near <= others; near++)
            for (uint32_t last = 0; last <= others; last++) {
                struct gws__distance_view view = {
                    .others = others, .near = near, .last = last < others ? last : UINT32_MAX};
                bool seen[9] = {false};
                view.bits = (others * 17 + near * 5 + last) * UINT64_C(0x9e3779b97f4a7c15);
                for (; view.tried < others; view.tried++) {
                    const uint32_t victim = gws__victim_by_distance(&view);
                    ck_assert_uint_lt(victim, others);
                    ck_assert(!seen[victim] && (victim < near) == (view.tried < near));
                    seen[victim] = true;
                    if (last < others && view.tried == (last < near ? 0 : near)) ck_assert_uint_eq(victim, last);
                    if (others == 9 && near == 9 && view.tried == 0) firsts |= 1U << victim;
                }
            }
    ck_assert_uint_eq(firsts, 0x1ff); /* and the first without one is not always the same */
    for (uint32_t i = firsts = 0; i < 64; i++) {
        struct gws__distance_view view = {
            .others = 4, .near = 2, .last = UINT32_MAX, .bits = i * UINT64_C(0x9e3779b97f4a7c15)};
        firsts |= 1U << gws__victim_by_distance(&view);
        view.tried = 2;
        firsts |= 1U << gws__victim_by_distance(&view);
    }
    ck_assert_uint_eq(firsts, 0xf);
}
END_TEST

START_TEST(releases)
{
    ck_assert_uint_eq(gws__decide_release(0, 0, 0), 0);
    ck_assert_uint_eq(gws__decide_release(1, 0, 0), 0); /* the task that the worker runs next */
    ck_assert_uint_eq(gws__decide_release(2, 0, 0), 1);
    ck_assert_uint_eq(gws__decide_release(3, 1, 0), 0);
    ck_assert_uint_eq(gws__decide_release(800, 99, 0), 400);
    ck_assert_uint_eq(gws__decide_release(800, 100, 0), 0);
    ck_assert_uint_eq(gws__decide_release(7, 0, 3), 0); /* two for each idle thread */
    ck_assert_uint_eq(gws__decide_release(8, 0, 3), 1);
    ck_assert_uint_eq(gws__decide_release(UINT64_MAX, 0, UINT32_MAX), (UINT64_MAX - 2 * (uint64_t)UINT32_MAX) / 2);
}
END_TEST

START_TEST(chunks_are_bounded)
{
    uint32_t before = 0;
    for (uint64_t count = 0; count < UINT64_MAX / 3; count = count * 3 + 1) {
        uint32_t chunk = gws__decide_chunk(count, 4);
        ck_assert_uint_ge(chunk, 16);
        ck_assert_uint_le(chunk, 8192);
        ck_assert_uint_ge(chunk, before);
        before = chunk;
    }
    ck_assert_uint_eq(gws__decide_chunk(0, 1), 16);
    ck_assert_uint_eq(gws__decide_chunk(128000, 4), 1000);
    ck_assert_uint_eq(gws__decide_chunk(UINT64_MAX, 1), 8192);
    ck_assert_uint_eq(gws__decide_chunk(UINT64_MAX, UINT32_MAX), 8192);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{victims_are_others_and_all_are_reached, drawn_kinds},
                                    {victims_at_the_edges, victim_kinds},
                                    {random_victims_are_equally_likely, 1},
                                    {the_last_victim_is_reused_while_it_is_present, 1},
                                    {a_search_names_every_other_worker_once, victim_kinds},
                                    {nearest_goes_by_the_order_given, 1},
                                    {every_worker_is_tried_once_with_any_user_strategy, 4},
                                    {a_user_strategy_names_the_first, 1},
                                    {round_goes_on_where_it_ended, 1},
                                    {amounts_are_in_range, 1},
                                    {balancing_is_as_rare_as_the_queue_is_long, 1},
                                    {threshold_adapts_within_bounds, 1},
                                    {thieves_get_half, 1},
                                    {coarse_is_one_or_all, 1},
                                    {workers_by_grain, 1},
                                    {attempts_are_bounded, 1},
                                    {victims_by_distance, 1},
                                    {releases, 1},
                                    {chunks_are_bounded, 1},
                                    {0}};
    return gws_test_run("decide", test);
}
