/* SPDX-License-Identifier: MIT */
/* The queue of events returns events in the order of their times, whatever the distances between them. */
#include "../../harness.h"

#include "../../../lib/random.h"
#include "../../../lib/sim/wheel.h"

enum { events = 330, steps = 60000 };

/* Adds events at random distances from now, of any magnitude, and compares with a search for the minimum. */
START_TEST(events_come_in_the_order_of_time)
{
    static struct gws__wheel_block block[2 * events];
    static struct gws__wheel wheel;
    uint64_t random = (uint64_t)_i, due[events], now = 0;
    gws__wheel_init(&wheel, block, gws__wheel_blocks(events));
    for (int w = 0; w < events; w++) gws__wheel_add(&wheel, w, due[w] = gws_random_next(&random) % 1000);
    for (int i = 0; i < steps; i++) {
        uint64_t first = UINT64_MAX;
        for (int w = 0; w < events && i % 16 == 0; w++) first = due[w] < first ? due[w] : first;
        const int w = gws__wheel_next(&wheel, UINT64_MAX);
        if (w < 0 || wheel.now != due[w] || due[w] < now || (i % 16 == 0 && due[w] != first))
            ck_abort_msg("step %d: event %d at %llu", i, w, (unsigned long long)wheel.now);
        now = wheel.now;
        const uint64_t apart = gws_random_next(&random) >> (24 + gws_random_next(&random) % 40);
        gws__wheel_add(&wheel, w, due[w] = now + (apart % 7 == 0 ? 0 : apart));
    }
    for (int w = 0; w < events; w++) ck_assert_int_ge(gws__wheel_next(&wheel, UINT64_MAX), 0);
    ck_assert_int_eq(gws__wheel_next(&wheel, UINT64_MAX), gws__wheel_none);
}
END_TEST

/* Adds many events of few times, some of them before events that are due soon, and asks for events up to a limit only.
 */
START_TEST(a_limit_holds_events_back)
{
    static struct gws__wheel_block block[2 * events];
    static struct gws__wheel wheel;
    uint64_t random = (uint64_t)_i, due[events], now = 0;
    gws__wheel_init(&wheel, block, gws__wheel_blocks(events));
    for (int w = 0; w < events; w++) gws__wheel_add(&wheel, w, due[w] = (uint64_t)w % 3 << 20);
    for (int i = 0; i < steps / 8; i++) {
        uint64_t first = UINT64_MAX;
        for (int w = 0; w < events; w++) first = due[w] < first ? due[w] : first;
        const uint64_t limit = now + (gws_random_next(&random) >> (44 + gws_random_next(&random) % 18));
        const int w = gws__wheel_next(&wheel, limit);
        const uint64_t expected = first <= limit ? first : limit;
        if ((w < 0) != (first > limit) || wheel.now != expected || (w >= 0 && due[w] != first))
            ck_abort_msg("step %d: event %d at %llu, not %llu", i, w, (unsigned long long)wheel.now,
                         (unsigned long long)expected);
        now = wheel.now;
        if (w >= 0) gws__wheel_add(&wheel, w, due[w] = now + (gws_random_next(&random) % 4 << _i * 6));
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{events_come_in_the_order_of_time, 3}, {a_limit_holds_events_back, 3}, {0}};
    return gws_test_run("wheel", test);
}
