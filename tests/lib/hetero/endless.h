/* SPDX-License-Identifier: MIT */
/* A task for tests that cancel a run: its tree has more leaves than any device runs. */
#ifndef GWS_TESTS_ENDLESS_H
#define GWS_TESTS_ENDLESS_H

/* The tree has 2^60 leaves. */
static const char endless[] =
    "#define TASK_LENGTH 1u\n"
    "device_inline u32 task_child(struct task_state *s, const u32 *parent, u32 i, u32 *child)\n"
    "{\n"
    "    (void)s, (void)i;\n"
    "    child[0] = parent[0] + 1;\n"
    "    return child[0] < 60 ? 2 : 0;\n"
    "}\n";

#endif
