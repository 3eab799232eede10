/* SPDX-License-Identifier: MIT */
/* Tests four-in-a-row: values computed by hand, values of a serial minimax under every policy, invalid positions,
 * failing memory, bounded memory. */
#include "workload.h"

#include "../../lib/random.h"
#include "../../workloads/connect_four.h"

enum { won = GWS_CONNECT_FOUR_WON };
static const char drawn[] = "547125662261271266215743771576315353334444"; /* a full board without four in a row */

static struct gws_connect_four_result search(struct gws_runtime *runtime, const char *moves, uint32_t ahead,
                                             uint32_t batch)
{
    struct gws_connect_four_options options = {.moves = moves, .ahead = ahead, .batch = batch};
    struct gws_connect_four_result result;
    struct gws_diagnostic where = {0};
    ck_assert_msg(gws_connect_four(runtime, &options, &result, &where) == GWS_OK, "%s", where.message);
    return result;
}

static void search_and_check(struct gws_runtime *runtime, const char *moves, uint32_t ahead, uint32_t batch)
{
    struct gws_connect_four_options options = {.moves = moves, .ahead = ahead};
    struct gws_connect_four_result result = search(runtime, moves, ahead, batch);
    struct gws_diagnostic where = {0};
    if (gws_connect_four_check(&options, &result, &where) != GWS_OK)
        ck_abort_msg("%s, %u workers, \"%s\", %u ahead: %s", gws_runtime_policy(runtime), gws_runtime_workers(runtime),
                     moves, ahead, where.message);
}

/* Plays at random, up to `max` moves or until the game is over, and takes back the move that ended the game. */
static void random_position(struct gws_runtime *runtime, uint64_t seed, uint32_t max, char *moves)
{
    memset(moves, 0, sizeof drawn);
    for (uint32_t i = 0; i < max; i++) {
        struct gws_connect_four_options options = {.moves = moves, .ahead = 1};
        struct gws_connect_four_result result;
        moves[i] = (char)('1' + gws_random_below(gws_random_next(&seed), GWS_CONNECT_FOUR_COLUMNS));
        gws_status status = gws_connect_four(runtime, &options, &result, NULL);
        if (status == GWS_OK) continue;
        moves[i] = '\0';
        if (status == GWS_INVALID) break;
        i--; /* that column was full */
    }
}

START_TEST(like_a_serial_search)
{
    struct gws_runtime *runtime = policies_open(_i);
    search_and_check(runtime, NULL, 5, 0);
    search_and_check(runtime, "4435", 5, 1);
    search_and_check(runtime, "444444", 5, 256);
    for (uint32_t i = 0; i < (gws_test_quick() ? 3 : 10); i++) {
        char moves[sizeof drawn];
        random_position(runtime, (uint64_t)_i * 100 + i, 4 * i, moves);
        search_and_check(runtime, moves, 1 + i % 5, i);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(many_positions)
{
    struct gws_runtime *runtime = policies_open(_i);
    for (uint32_t i = 0; i < (gws_test_quick() ? 20 : 200); i++) {
        char moves[sizeof drawn];
        random_position(runtime, i, i % 43, moves);
        search_and_check(runtime, moves, 1 + i % 4, 0);
    }
    gws_runtime_close(runtime);
}
END_TEST

static void expect(struct gws_runtime *runtime, const char *moves, uint32_t ahead, const int32_t *value, uint32_t move)
{
    struct gws_connect_four_result result = search(runtime, moves, ahead, 0);
    for (int i = 0; i < GWS_CONNECT_FOUR_COLUMNS; i++)
        if (result.value[i] != value[i])
            ck_abort_msg("\"%s\", %u ahead: column %d is worth %d, not %d", moves, ahead, i + 1, result.value[i],
                         value[i]);
    ck_assert_uint_eq(result.move, move);
}

START_TEST(by_hand)
{
    struct gws_runtime *runtime = policies_open(1);
    expect(runtime, "", 1, (int32_t[]){0, 0, 0, 0, 0, 0, 0}, 1);
    expect(runtime, "11", 1, (int32_t[]){0, 1, 0, 0, 0, 0, 0}, 2);
    /* A row of three counts once, and not as rows of two as well. The other player has columns 1, 2, 3 at the bottom,
     * and this player has 7, 7. */
    expect(runtime, "17273", 1, (int32_t[]){0, 0, 0, 0, 0, 2, 0}, 6);
    expect(runtime, "112233", 1, (int32_t[]){0, 0, 0, won, 0, 0, 0}, 4);
    /* A player that does not stop the row of three loses. */
    struct gws_connect_four_result result = search(runtime, "11223", 2, 0);
    for (int i = 0; i < GWS_CONNECT_FOUR_COLUMNS; i++) ck_assert_int_eq(result.value[i] == -won, i != 3);
    ck_assert_uint_eq(result.move, 4);
    gws_runtime_close(runtime);
}
END_TEST

/* No player can win before the seventh move, and a column holds six tokens. */
START_TEST(counts_positions)
{
    struct gws_runtime *runtime = policies_open(2);
    uint64_t level = 1, nodes = 0;
    for (uint32_t ahead = 1; ahead <= (gws_test_quick() ? 5 : 7); ahead++) {
        level = level * 7 - (ahead == 7 ? 7 : 0);
        nodes += level;
        struct gws_connect_four_result result = search(runtime, "", ahead, 0);
        ck_assert_uint_eq(result.nodes, nodes);
        ck_assert_uint_eq(result.leaves, level);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(the_end_of_the_game)
{
    struct gws_runtime *runtime = policies_open(1);
    char moves[sizeof drawn];
    memcpy(moves, drawn, sizeof drawn);
    for (size_t left = 1; left <= 8; left++) {
        moves[sizeof drawn - 1 - left] = '\0';
        search_and_check(runtime, moves, 8, 0);
    }
    struct gws_connect_four_result result = search(runtime, "222222", 1, 0);
    ck_assert(!result.legal[1] && result.legal[0] && result.legal[2]);
    ck_assert_int_eq(result.value[1], 0);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(wrong_positions)
{
    static const struct {
        const char *moves;
        gws_status status;
        uint64_t column;
        const char *message;
    } wrong[] = {
        {"4438", GWS_SYNTAX, 4, "a move is a column, 1 to 7"},
        {"0", GWS_SYNTAX, 1, "a move is a column, 1 to 7"},
        {"44 5", GWS_SYNTAX, 3, "a move is a column, 1 to 7"},
        {"4\xff", GWS_SYNTAX, 2, "a move is a column, 1 to 7"},
        {"44444445", GWS_SYNTAX, 7, "the column is full before this move"},
        {"11223345", GWS_SYNTAX, 8, "the game is over before this move: four in a row"},
        {"1122334", GWS_INVALID, 7, "the game is over: four in a row"},
        {drawn, GWS_INVALID, 42, "the game is over: the board is full"},
    };
    struct gws_runtime *runtime = policies_open(1);
    struct gws_connect_four_result result, before;
    memset(&result, 0x5a, sizeof result);
    before = result;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct gws_connect_four_options options = {.moves = wrong[i].moves, .ahead = 2};
        struct gws_diagnostic where = {0};
        ck_assert_int_eq(gws_connect_four(runtime, &options, &result, &where), wrong[i].status);
        ck_assert_str_eq(where.message, wrong[i].message);
        ck_assert_uint_eq(where.column, wrong[i].column);
        ck_assert_int_eq(gws_connect_four(runtime, &options, &result, NULL), wrong[i].status);
        ck_assert_int_eq(gws_connect_four_check(&options, &result, NULL), GWS_INVALID);
    }
    ck_assert_mem_eq(&result, &before, sizeof result);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(wrong_options)
{
    static const struct gws_connect_four_options wrong[] = {
        {NULL, 0, 0}, {NULL, GWS_CONNECT_FOUR_MAX_AHEAD + 1, 0}, {NULL, UINT32_MAX, 0}, {NULL, 2, 257}};
    struct gws_runtime *runtime = policies_open(1);
    struct gws_connect_four_result result = {.move = 77};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct gws_diagnostic where = {0};
        ck_assert_int_eq(gws_connect_four(runtime, &wrong[i], &result, &where), GWS_INVALID);
        ck_assert(where.message[0] != '\0');
    }
    ck_assert_uint_eq(result.move, 77);
    gws_runtime_close(runtime);
}
END_TEST

/* The game on a nearly full board ends before any search depth, but the moves must fit into a task. */
START_TEST(as_far_ahead_as_can_be)
{
    struct gws_runtime *runtime = policies_open(1);
    char moves[sizeof drawn];
    memcpy(moves, drawn, sizeof drawn);
    moves[sizeof drawn - 1 - 9] = '\0';
    search_and_check(runtime, moves, GWS_CONNECT_FOUR_MAX_AHEAD, 3);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(check_finds)
{
    struct gws_runtime *runtime = policies_open(1);
    struct gws_connect_four_options options = {.moves = "222222", .ahead = 3};
    struct gws_connect_four_result right = search(runtime, options.moves, options.ahead, 0);
    for (int i = 0; i < 6; i++) {
        struct gws_connect_four_result result = right;
        struct gws_diagnostic where = {0};
        if (i == 0) result.value[6]++;
        if (i == 1) result.legal[1] = true;
        if (i == 2) result.move = result.move % 7 + 1;
        if (i == 3) result.nodes--;
        if (i == 4) result.leaves++;
        if (i == 5) result.value[1] = 1;
        ck_assert_int_eq(gws_connect_four_check(&options, &result, &where), GWS_WRONG_RESULT);
        ck_assert(where.message[0] != '\0');
    }
    ck_assert_int_eq(gws_connect_four_check(&options, &right, NULL), GWS_OK);
    gws_runtime_close(runtime);
}
END_TEST

/* With last in, first out queues, the number of open nodes depends on the depth of the search, not on its width. */
START_TEST(memory_is_bounded)
{
    struct gws_runtime *runtime = workload_open((uint32_t)_i, "chaselev");
    struct gws_connect_four_result result = search(runtime, "", gws_test_quick() ? 6 : 7, 1);
    ck_assert_uint_le(result.open_nodes, 3 * 256 * (uint64_t)_i);
    ck_assert_uint_ge(result.node_bytes, result.open_nodes * 24);
    gws_runtime_close(runtime);
}
END_TEST

static gws_status wide(struct gws_runtime *runtime, void *context)
{
    (void)context;
    struct gws_connect_four_options options = {.ahead = 5};
    struct gws_connect_four_result result = {.nodes = 77};
    gws_status status = gws_connect_four(runtime, &options, &result, NULL);
    ck_assert_uint_eq(result.nodes, status == GWS_OK ? 7 + 49 + 343 + 2401 + 16807 : 77);
    return status;
}

START_TEST(short_memory)
{
    policies_fail(200, wide, NULL);
}
END_TEST

static Suite *connect_four_suite(void)
{
    Suite *suite = suite_create("four-in-a-row");
    TCase *values = tcase_create("values"), *calls = tcase_create("calls");
    tcase_add_loop_test(values, like_a_serial_search, 0, policies_count());
    tcase_add_loop_test(values, many_positions, 0, 3);
    tcase_add_test(values, by_hand);
    tcase_add_test(values, counts_positions);
    tcase_add_test(values, the_end_of_the_game);
    tcase_add_test(values, as_far_ahead_as_can_be);
    tcase_add_test(calls, wrong_positions);
    tcase_add_test(calls, wrong_options);
    tcase_add_test(calls, check_finds);
    tcase_add_loop_test(calls, memory_is_bounded, 1, 5);
    tcase_add_test(calls, short_memory);
    suite_add_tcase(suite, values);
    suite_add_tcase(suite, calls);
    return suite;
}

int main(void)
{
    return gws_test_main(connect_four_suite);
}
