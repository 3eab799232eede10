/* SPDX-License-Identifier: MIT */
/* Kernels as the host dialect runs them: a thread plays a group, which has one item. */
#ifndef TESTS_KERNELS_PLAYERS_H
#define TESTS_KERNELS_PLAYERS_H

#include <check.h>
#include <pthread.h>

#include "../../kernels/portability/host.h"

struct player {
    void (*kernel)(void);
    u32 group, groups;
    pthread_t thread;
};

static void *player_main(void *argument)
{
    const struct player *player = argument;
    gws_host_group = player->group;
    gws_host_groups = player->groups;
    player->kernel();
    return NULL;
}

enum { most_players = 16 };

static void start_players(struct player *player, void (*kernel)(void), u32 groups)
{
    ck_assert_uint_le(groups, most_players);
    for (u32 g = 0; g < groups; g++) {
        player[g] = (struct player){.kernel = kernel, .group = g, .groups = groups};
        ck_assert_int_eq(pthread_create(&player[g].thread, NULL, player_main, &player[g]), 0);
    }
}

static void join_players(struct player *player, u32 groups)
{
    for (u32 g = 0; g < groups; g++) pthread_join(player[g].thread, NULL);
}

/* One kernel by so many groups, all at the same time; back when all have ended. */
static void emulate_groups(void (*kernel)(void), u32 groups)
{
    struct player player[most_players];
    start_players(player, kernel, groups);
    join_players(player, groups);
}

#endif
