/* SPDX-License-Identifier: MIT */
/* Tests the topology order of victims. The test accepts any order of all other workers on the real machine. The order
 * is known on artificial machines of hwloc. */
#include "../../harness.h"

#include <stdint.h>

#include "../../../lib/pool/topology.h"

enum { max_workers = 70 };

static uint32_t order[max_workers * max_workers];

static const uint32_t *row_of(uint32_t workers, uint32_t worker)
{
    return order + (size_t)worker * (workers - 1);
}

static bool names_all_others(const uint32_t *row, uint32_t workers, uint32_t worker)
{
    bool named[max_workers] = {false};
    for (uint32_t i = 0; i + 1 < workers; i++) {
        if (row[i] >= workers || row[i] == worker || named[row[i]]) return false;
        named[row[i]] = true;
    }
    return true;
}

START_TEST(everybody_else_once)
{
    for (uint32_t workers = 1; workers <= max_workers; workers += 1 + workers / 8)
        for (int pinned = 0; pinned < 2; pinned++) {
            memset(order, 0xff, sizeof order);
            gws__topology_order(workers, pinned, order);
            for (uint32_t w = 0; w < workers; w++)
                ck_assert_msg(names_all_others(row_of(workers, w), workers, w), "%u of %u", w, workers);
            ck_assert_uint_eq(order[workers * (workers - 1)], UINT32_MAX);
        }
}
END_TEST

START_TEST(by_number_without_pins)
{
    gws__topology_order(5, false, order);
    for (uint32_t w = 0; w < 5; w++)
        for (uint32_t i = 0; i < 4; i++) ck_assert_uint_eq(row_of(5, w)[i], (w + 1 + i) % 5);
}
END_TEST

#ifdef GWS_WITH_HWLOC
static void expect(uint32_t workers, uint32_t worker, const uint32_t *others)
{
    for (uint32_t i = 0; i + 1 < workers; i++)
        ck_assert_msg(row_of(workers, worker)[i] == others[i], "worker %u: %u in place %u, not %u", worker,
                      row_of(workers, worker)[i], i, others[i]);
}

/* The machine has two packages, each with two second-level caches, and two cores share each cache. */
START_TEST(caches_then_packages)
{
    static const uint32_t first[] = {1, 2, 3, 4, 5, 6, 7}, fourth[] = {2, 0, 1, 4, 5, 6, 7},
                          sixth[] = {4, 6, 7, 0, 1, 2, 3};
    setenv("HWLOC_SYNTHETIC", "pack:2 l3:1 l2:2 core:2 pu:1", 1);
    gws__topology_order(8, true, order);
    expect(8, 0, first);
    expect(8, 3, fourth);
    expect(8, 5, sixth);
    static const uint32_t of_six[] = {5, 0, 1, 2, 3}; /* the second package is half empty */
    gws__topology_order(6, true, order);
    expect(6, 4, of_six);
}
END_TEST

/* Workers i and i + 4 are on one CPU. */
START_TEST(more_workers_than_cpus)
{
    static const uint32_t first[] = {4, 1, 5, 2, 3, 6, 7}, last[] = {3, 2, 6, 0, 1, 4, 5};
    setenv("HWLOC_SYNTHETIC", "l2:2 core:2 pu:1", 1);
    gws__topology_order(8, true, order);
    expect(8, 0, first);
    expect(8, 7, last);
}
END_TEST

START_TEST(a_machine_that_cannot_be)
{
    setenv("HWLOC_SYNTHETIC", "pack:0 nonsense", 1);
    gws__topology_order(8, true, order);
    for (uint32_t w = 0; w < 8; w++) ck_assert(names_all_others(row_of(8, w), 8, w));
}
END_TEST
#endif

static Suite *topology_suite(void)
{
    Suite *suite = suite_create("topology");
    TCase *orders = tcase_create("orders");
    tcase_add_test(orders, everybody_else_once);
    tcase_add_test(orders, by_number_without_pins);
#ifdef GWS_WITH_HWLOC
    tcase_add_test(orders, caches_then_packages);
    tcase_add_test(orders, more_workers_than_cpus);
    tcase_add_test(orders, a_machine_that_cannot_be);
#else
    printf("skipped: order by caches: built without hwloc\n");
#endif
    suite_add_tcase(suite, orders);
    return suite;
}

int main(void)
{
    return gws_test_main(topology_suite);
}
