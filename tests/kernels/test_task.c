/* SPDX-License-Identifier: MIT */
/* Emulates immediate tasks on a device by threads, with workers of one item and tiny blocks and stacks. */
#include "../harness.h"

#include "emulate.h"

#define TASK_BLOCK 3u
#define TASK_STACK 8u
#define TASK_OWN 1u
#define TASK_DIVISIBLE 2u
#define PER_GROUP 1u
#define EMULATED_GROUP gws_host_group
#define launch emulate_groups
#undef fail
#define fail ck_abort_msg

#include "task_peers_suite.h"

START_TEST(each_task_runs_once)
{
    u64 stolen = 0;
    for (u32 groups = 1; groups <= 7; groups++)
        for (u32 numbers = 2; numbers < 3000; numbers = numbers * 5 + 1) stolen += check_run(groups, numbers);
    for (u32 i = 0; i < 100 && stolen == 0; i++) stolen += check_run(7, 100000);
    ck_assert_uint_gt(stolen, 0);
}
END_TEST

START_TEST(workers_divide_the_children_of_one_task)
{
    u64 stolen = 0;
    for (u32 groups = 1; groups <= 7; groups += 3)
        for (u32 numbers = 2; numbers < 3000; numbers = numbers * 5 + 1) stolen += check_wide(groups, numbers);
    for (u32 i = 0; i < 100 && stolen == 0; i++) stolen += check_wide(7, 100000);
    ck_assert_uint_gt(stolen, 0);
}
END_TEST

START_TEST(nobody_steals_from_a_static_schedule)
{
    for (u32 groups = 1; groups <= 5; groups += 2)
        for (u32 i = 0; i < 10; i++) check_static(groups, 100, true);
    check_static(5, 50000, false);
}
END_TEST

START_TEST(a_run_short_of_blocks_pauses_and_goes_on)
{
    for (u32 groups = 1; groups <= 5; groups += 2)
        for (u32 blocks = 1; blocks < 4; blocks++) check_short_of_blocks(groups, 20000, blocks);
}
END_TEST

START_TEST(a_slice_of_time_pauses_the_run)
{
    check_slices(1, 2000, false);
    check_slices(1, 2000, true);
    check_slices(4, 5000, false);
    check_slices(4, 5000, true);
}
END_TEST

START_TEST(the_host_can_end_a_run)
{
    check_cancelled(1, 5000);
    check_cancelled(4, 100000);
}
END_TEST

START_TEST(devices_steal_from_each_other)
{
    u64 steals = 0;
    for (u32 devices = 2; devices <= max_devices; devices = devices < 4 ? devices + 1 : devices + 4)
        for (u32 groups = 1; groups <= (devices < 4 ? 3 : 2); groups++)
            for (u32 numbers = 2; numbers < 3000; numbers = numbers * 5 + 1)
                steals += check_peers(devices, groups, numbers);
    for (u32 i = 0; i < 100 && steals == 0; i++) steals += check_peers(2, 2, 100000);
    ck_assert_uint_gt(steals, 0);
}
END_TEST

START_TEST(devices_pause_together)
{
    for (u32 groups = 1; groups <= 3; groups += 2) {
        check_peers_pause(2, groups, 20000, 1);
        check_peers_pause(3, groups, 20000, 3);
        check_peers_pause(max_devices, groups / 2 + 1, 20000, 3);
        check_peers_pause(2, groups, 5000, 0);
        check_peers_cancelled(2, groups, 20000);
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{each_task_runs_once, 1},
                                    {workers_divide_the_children_of_one_task, 1},
                                    {nobody_steals_from_a_static_schedule, 1},
                                    {a_run_short_of_blocks_pauses_and_goes_on, 1},
                                    {a_slice_of_time_pauses_the_run, 1},
                                    {the_host_can_end_a_run, 1},
                                    {devices_steal_from_each_other, 1},
                                    {devices_pause_together, 1},
                                    {0}};
    return gws_test_run("tasks of a device", test);
}
