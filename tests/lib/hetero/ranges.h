/* SPDX-License-Identifier: MIT */
/* A tree of tasks for tests of several sides: the leaves are the numbers of a range, each of which gets a mark. */
#ifndef GWS_TESTS_RANGES_H
#define GWS_TESTS_RANGES_H

#include "../../../lib/device_tasks.h"

/* A task is a range. Its children are one number and the rest, or halves. A child of one number marks the number. */
static const char source[] =
    "#define TASK_LENGTH 2u\n"
    "device_inline u32 task_child(struct task_state *s, const u32 *parent, u32 i, u32 *child)\n"
    "{\n"
    "    u32 length = parent[1] - parent[0];\n"
    "    u32 middle = parent[0] + (length > s->data[0] ? 1 : length / 2);\n"
    "    child[0] = i == 0 ? parent[0] : middle;\n"
    "    child[1] = i == 0 ? middle : parent[1];\n"
    "    if (child[1] - child[0] == 1) {\n"
    "        (void)word_add(&s->data[1 + child[0]], 1u);\n"
    "        task_add(s, 3, child[0]);\n"
    "        return 0;\n"
    "    }\n"
    "    return 2;\n"
    "}\n";

enum { task_words = 3, numbers = 60000 };

/* The workers' form of the program, and the marks of all sides. */
static struct {
    uint32_t longest; /* longer ranges lose one number at a time */
    _Atomic uint32_t mark[numbers];
} tree;

static void run_tasks(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    const uint32_t *parent = task;
    (void)context;
    (void)worker;
    for (; count > 0; count--, parent += task_words + 1)
        for (uint32_t i = parent[3]; i < parent[2]; i++) {
            uint32_t length = parent[1] - parent[0];
            uint32_t middle = parent[0] + (length > tree.longest ? 1 : length / 2);
            const uint32_t child[task_words + 1] = {i == 0 ? parent[0] : middle, i == 0 ? middle : parent[1], 2, 0};
            if (child[1] - child[0] > 1)
                gws_spawn(self, child);
            else
                atomic_fetch_add(&tree.mark[child[0]], 1);
        }
}

#endif
