/* SPDX-License-Identifier: MIT */
/* Tests segmented lists. Records must not move while a list grows, pop must return the last record first, and failing
 * allocations must leave a list intact. */
#include "../../harness.h"

#include "../../../lib/base/memory.h"
#include "../../../lib/pool/segmented_list.h"

static bool add(struct gws__segmented_list *list, uint64_t value)
{
    uint64_t *slot = gws__segmented_list_reserve(list);
    if (!slot) return false;
    for (uint32_t k = 0; k < list->words; k++) slot[k] = value * 10 + k;
    list->count++;
    return true;
}

static void check_at(const struct gws__segmented_list *list, uint64_t index)
{
    for (uint32_t k = 0; k < list->words; k++)
        if (gws__segmented_list_at(list, index)[k] != index * 10 + k)
            ck_abort_msg("record %llu", (unsigned long long)index);
}

START_TEST(records_do_not_move)
{
    struct gws__segmented_list list = {.allocator = &gws__memory_default, .words = (uint32_t)_i};
    uint64_t *first = NULL;
    for (uint64_t i = 0; i < 20 * gws__segment_records + 7; i++) {
        ck_assert(gws__segmented_list_reserve(&list) ==
                  gws__segmented_list_reserve(&list)); /* reserving twice has no effect */
        if (!add(&list, i)) ck_abort_msg("no memory");
        if (i == 0) first = gws__segmented_list_at(&list, 0);
    }
    ck_assert_ptr_eq(first, gws__segmented_list_at(&list, 0));
    for (uint64_t i = 0; i < list.count; i++) check_at(&list, i);
    gws__segmented_list_clear(&list);
    ck_assert_uint_eq(list.count, 0);
    ck_assert(add(&list, 0)); /* the list can be used again */
    gws__segmented_list_clear(&list);
}
END_TEST

START_TEST(the_last_come_first)
{
    struct gws__segmented_list list = {.allocator = &gws__memory_default, .words = 2};
    uint64_t out[2 * 300], left = 2 * gws__segment_records + 100;
    for (uint64_t i = 0; i < left; i++) ck_assert(add(&list, i));
    for (uint32_t max = 1; left > 0; max = max % 300 + 7) {
        uint32_t took = gws__segmented_list_pop(&list, max > 300 ? 300 : max, out);
        ck_assert_uint_eq(took, left < max ? left : max > 300 ? 300 : max);
        for (uint32_t i = 0; i < took; i++) {
            left--;
            if (out[2 * i] != left * 10 || out[2 * i + 1] != left * 10 + 1) ck_abort_msg("not the last");
        }
    }
    ck_assert_uint_eq(gws__segmented_list_pop(&list, 5, out), 0);
    gws__segmented_list_clear(&list);
}
END_TEST

START_TEST(memory_that_fails)
{
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {.fail_at = k};
        struct gws_allocator allocator = gws_test_allocator(&memory);
        struct gws__segmented_list list = {.allocator = &allocator, .words = 1};
        uint64_t made = 0;
        for (uint64_t i = 0; i < 40 * gws__segment_records; i++) {
            if (!add(&list, made)) break;
            made++;
        }
        ck_assert_uint_eq(list.count, made);
        for (uint64_t i = 0; i < made; i++) check_at(&list, i);
        gws__segmented_list_clear(&list);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
}
END_TEST

static Suite *segmented_list_suite(void)
{
    Suite *suite = suite_create("segmented list");
    TCase *lists = tcase_create("lists");
    tcase_add_loop_test(lists, records_do_not_move, 1, 4);
    tcase_add_test(lists, the_last_come_first);
    tcase_add_test(lists, memory_that_fails);
    suite_add_tcase(suite, lists);
    return suite;
}

int main(void)
{
    return gws_test_main(segmented_list_suite);
}
