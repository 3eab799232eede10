/* SPDX-License-Identifier: MIT */
/* Immediate tasks on a device with workers of 32 lanes: the tests of task_suite.h, emulated by warps. test_warps.py
 * assembles the sources. */
#include "warps.h"

#include <cstdio>

#define TASK_BLOCK 32u
#define TASK_STACK 64u
#define TASK_DIVISIBLE 8u
#define PER_GROUP 2u
#define EMULATED_GROUP blockIdx.x

template <class... T> static void fail(const char *format, T... value)
{
    std::printf(format, value...);
    std::exit(1);
}

static void launch(void (*call)(), u32 groups)
{
    emulated_blocks.clear();
    for (u32 b = 0; b < groups; b++) emulated_blocks.emplace_back(new emulated_block(32 * PER_GROUP, groups));
    emulate_blocks(groups, 32 * PER_GROUP, call);
}

#include <task_peers_suite.h>

#ifdef SOME
enum { numbers = 5000 };
#else
enum { numbers = 20000 };
#endif

int main()
{
    check_run(1, 1000);
    u64 stolen = 0;
    for (u32 i = 0; i < 5 && stolen == 0; i++) stolen = check_run(2, numbers);
    if (stolen == 0) fail("nothing stolen\n");
    stolen = 0;
    for (u32 i = 0; i < 5 && stolen == 0; i++) stolen = check_wide(2, numbers);
    if (stolen == 0) fail("one worker has created all children of the root\n");
    check_slices(2, numbers / 4, false);
    check_slices(2, numbers / 4, true);
    check_cancelled(1, numbers);
    u64 across = 0;
    for (u32 i = 0; i < 5 && across == 0; i++) across = check_peers(2, 1, numbers);
    if (across == 0) fail("nothing stolen from another device\n");
    check_peers_pause(2, 1, numbers / 4, 0);
    return 0;
}
