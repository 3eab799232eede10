/* SPDX-License-Identifier: MIT */
/* Emulates kernels by threads. Each thread emulates a group of one item, on one of several devices. */
#ifndef GWS_TESTS_KERNELS_EMULATE_H
#define GWS_TESTS_KERNELS_EMULATE_H

#include <check.h>
#include <pthread.h>

#include "../../kernels/portability/host.h"

struct emulated_group {
    void (*kernel)(void);
    u32 device, group, groups;
    pthread_t thread;
};

static _Thread_local u32 emulated_device; /* of this thread's group */

static void *emulated_group_main(void *argument)
{
    const struct emulated_group *group = argument;
    emulated_device = group->device;
    gws_host_group = group->group;
    gws_host_groups = group->groups;
    group->kernel();
    return NULL;
}

enum { max_emulated_groups = 16 };

static void start_device(u32 device, struct emulated_group *group, void (*kernel)(void), u32 groups)
{
    ck_assert_uint_le(groups, max_emulated_groups);
    for (u32 g = 0; g < groups; g++) {
        group[g] = (struct emulated_group){.kernel = kernel, .device = device, .group = g, .groups = groups};
        ck_assert_int_eq(pthread_create(&group[g].thread, NULL, emulated_group_main, &group[g]), 0);
    }
}

static inline void start_groups(struct emulated_group *group, void (*kernel)(void), u32 groups)
{
    start_device(0, group, kernel, groups);
}

static void join_groups(struct emulated_group *group, u32 groups)
{
    for (u32 g = 0; g < groups; g++) pthread_join(group[g].thread, NULL);
}

/* Runs a kernel with `groups` groups in parallel. Returns when all groups have ended. */
static inline void emulate_groups(void (*kernel)(void), u32 groups)
{
    struct emulated_group group[max_emulated_groups];
    start_groups(group, kernel, groups);
    join_groups(group, groups);
}

#endif
