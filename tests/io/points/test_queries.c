/* SPDX-License-Identifier: MIT */
#include "../../harness.h"

#include "../../../io/query_io.h"
#include "../../../lib/parallel.h"

static const struct gws_query_kind kinds[] = {{"none", 0, "none"}, {"pair", 2, "pair A B"}};

static gws_status read_text(struct gws_runtime *runtime, const char *text, struct gws_query **query, uint64_t *count,
                            struct gws_diagnostic *where)
{
    return gws_queries_read(runtime, gws_test_file("queries", text, strlen(text)), kinds, 2, query, count, where);
}

START_TEST(reads_them_in_order)
{
    struct gws_runtime *runtime = NULL;
    struct gws_query *query = NULL;
    uint64_t count = 0;
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    ck_assert_int_eq(read_text(runtime, "# first\n\nPAIR 1 , 2.5\r\n none\npair\t-1e300,0.1", &query, &count, NULL),
                     GWS_OK);
    ck_assert_uint_eq(count, 3);
    ck_assert(query[0].kind == 1 && query[0].line == 3 && query[0].number[1] == 2.5);
    ck_assert(query[1].kind == 0 && query[1].line == 4);
    ck_assert(query[2].number[0] == -1e300 && query[2].number[1] == 0.1);
    ck_assert(query[0].column[0] == 6 && query[0].column[1] == 10 && query[2].column[1] == 13);
    gws_release(runtime, query, count, sizeof *query);
    ck_assert_int_eq(read_text(runtime, "", &query, &count, NULL), GWS_OK);
    ck_assert_uint_eq(count, 0);
    gws_release(runtime, query, count, sizeof *query);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(says_what_is_wrong)
{
    static const struct {
        const char *text, *message;
        uint64_t line, column;
    } bad[] = {{"pear 1 2\n", "expected none or pair, found 'pear'", 1, 1},
               {"none\n pair 1\n", "expected a number of pair A B, found the end of the line", 2, 8},
               {"pair 1 x\n", "expected a number of pair A B, found 'x'", 1, 8},
               {"pair 1 inf\n", "expected a number of pair A B, found 'inf'", 1, 8},
               {"pair 1 2x\n", "expected a number of pair A B, found '2x'", 1, 8},
               {"pair 1 2 3\n", "expected the end of pair A B, found '3'", 1, 10},
               {"none 1\r\n", "expected the end of none, found '1'", 1, 6}};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct gws_query *query = NULL;
        struct gws_diagnostic where = {0};
        uint64_t count = 7;
        ck_assert_int_eq(read_text(runtime, bad[i].text, &query, &count, &where), GWS_SYNTAX);
        ck_assert_str_eq(where.message, bad[i].message);
        ck_assert_uint_eq(where.line, bad[i].line);
        ck_assert_uint_eq(where.column, bad[i].column);
        ck_assert(query == NULL && count == 7);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(any_allocation_may_fail)
{
    static char text[4000];
    for (size_t i = 0; i < 200; i++) memcpy(text + 9 * i, "pair 1 2\n", 9);
    bool failed = true;
    for (uint64_t k = 1; failed; k++) {
        struct gws_test_memory memory = {0};
        struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *runtime = NULL;
        struct gws_query *query = NULL;
        uint64_t count = 0;
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        memory.fail_at = memory.calls + k;
        struct gws_diagnostic where = {0};
        gws_status status = read_text(runtime, text, &query, &count, &where);
        failed = memory.failed;
        ck_assert_int_eq(status, failed ? GWS_NO_MEMORY : GWS_OK);
        ck_assert_uint_eq(count, failed ? 0 : 200);
        if (failed) ck_assert(strstr(where.file, "queries") && strstr(where.message, "out of memory"));
        gws_release(runtime, query, count, sizeof *query);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {reads_them_in_order, 1}, {says_what_is_wrong, 1}, {any_allocation_may_fail, 1}, {0}};
    return gws_test_run("queries", test);
}
