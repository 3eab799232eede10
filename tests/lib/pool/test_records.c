/* SPDX-License-Identifier: MIT */
/* Lists of records: nothing moves while they grow, the last come first, memory that fails leaves them whole. */
#include "../../harness.h"

#include "../../../lib/base/memory.h"
#include "../../../lib/pool/records.h"

static bool add(struct gws__records *records, uint64_t value)
{
    uint64_t *place = gws__records_place(records);
    if (!place) return false;
    for (uint32_t k = 0; k < records->words; k++) place[k] = value * 10 + k;
    records->count++;
    return true;
}

static void check_at(const struct gws__records *records, uint64_t index)
{
    for (uint32_t k = 0; k < records->words; k++)
        if (gws__records_at(records, index)[k] != index * 10 + k)
            ck_abort_msg("record %llu", (unsigned long long)index);
}

START_TEST(records_stay_where_they_are)
{
    struct gws__records records = {.allocator = &gws__memory_default, .words = (uint32_t)_i};
    uint64_t *first = NULL;
    for (uint64_t i = 0; i < 20 * gws__block_records + 7; i++) {
        ck_assert(gws__records_place(&records) == gws__records_place(&records)); /* asking takes nothing */
        if (!add(&records, i)) ck_abort_msg("no memory");
        if (i == 0) first = gws__records_at(&records, 0);
    }
    ck_assert_ptr_eq(first, gws__records_at(&records, 0));
    for (uint64_t i = 0; i < records.count; i++) check_at(&records, i);
    gws__records_clear(&records);
    ck_assert_uint_eq(records.count, 0);
    ck_assert(add(&records, 0)); /* and can be used again */
    gws__records_clear(&records);
}
END_TEST

START_TEST(the_last_come_first)
{
    struct gws__records records = {.allocator = &gws__memory_default, .words = 2};
    uint64_t out[2 * 300], left = 2 * gws__block_records + 100;
    for (uint64_t i = 0; i < left; i++) ck_assert(add(&records, i));
    for (uint32_t most = 1; left > 0; most = most % 300 + 7) {
        uint32_t took = gws__records_pop(&records, most > 300 ? 300 : most, out);
        ck_assert_uint_eq(took, left < most ? left : most > 300 ? 300 : most);
        for (uint32_t i = 0; i < took; i++) {
            left--;
            if (out[2 * i] != left * 10 || out[2 * i + 1] != left * 10 + 1) ck_abort_msg("not the last");
        }
    }
    ck_assert_uint_eq(gws__records_pop(&records, 5, out), 0);
    gws__records_clear(&records);
}
END_TEST

START_TEST(memory_that_fails)
{
    for (uint64_t k = 1;; k++) {
        struct gws_test_memory memory = {.fail_at = k};
        struct gws_allocator allocator = gws_test_allocator(&memory);
        struct gws__records records = {.allocator = &allocator, .words = 1};
        uint64_t made = 0;
        for (uint64_t i = 0; i < 40 * gws__block_records; i++) {
            if (!add(&records, made)) break;
            made++;
        }
        ck_assert_uint_eq(records.count, made);
        for (uint64_t i = 0; i < made; i++) check_at(&records, i);
        gws__records_clear(&records);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
}
END_TEST

static Suite *records_suite(void)
{
    Suite *suite = suite_create("records");
    TCase *lists = tcase_create("lists");
    tcase_add_loop_test(lists, records_stay_where_they_are, 1, 4);
    tcase_add_test(lists, the_last_come_first);
    tcase_add_test(lists, memory_that_fails);
    suite_add_tcase(suite, lists);
    return suite;
}

int main(void)
{
    return gws_test_main(records_suite);
}
