/* SPDX-License-Identifier: MIT */
/* Tests of devices that steal from each other. All devices have the same number of groups. */
#include "task_suite.h"

enum { max_devices = 8 };

/* Makes the memory of each device. The first one has the root. */
static void make_runs(struct task_run *r, u32 devices, u32 groups, u32 numbers, u32 blocks)
{
    for (u32 d = 0; d < devices; d++) {
        make_run(&r[d], groups, numbers, blocks);
        r[d].waits = d == 0;
        r[d].peers = (u64 *)calloc(TASK_PEERS_WORDS, sizeof(u64));
    }
    for (u32 d = 0; d < devices; d++) {
        r[d].peers[TASK_PEERS_OPEN] = (size_t)&r->control[TASK_OPEN];
        r[d].peers[TASK_PEERS_COUNT] = devices - 1;
        for (u32 i = 0; i + 1 < devices; i++) {
            const struct task_run *peer = &r[(d + 1 + i) % devices];
            u64 *row = r[d].peers + TASK_PEERS_FIRST + i * TASK_PEER_STRIDE;
            row[TASK_PEER_DEQUES] = (size_t)peer->deques;
            row[TASK_PEER_CONTROL] = (size_t)peer->control;
            row[TASK_PEER_BLOCK] = (size_t)peer->block;
            row[TASK_PEER_WORKERS] = row[TASK_PEER_PLACES] = peer->workers;
        }
    }
}

/* Adds what the other devices did to the first one's, checks it, and frees all memory. */
static void judge_runs(struct task_run *r, u32 devices)
{
    for (u32 d = 1; d < devices; d++) {
        for (u32 i = 0; i < r->numbers; i++) r->data[i] += r[d].data[i];
        for (u32 i = 0; i < r->workers * TASK_STATS_STRIDE; i++) r->stats[i] += r[d].stats[i];
        (void)atom_add(&r->control[TASK_SUM], atom_load(&r[d].control[TASK_SUM], order_relaxed), order_relaxed);
        u64 longest = atom_load(&r[d].control[TASK_MAX + 1], order_relaxed);
        if (longest > atom_load(&r->control[TASK_MAX + 1], order_relaxed))
            atom_store(&r->control[TASK_MAX + 1], longest, order_relaxed);
    }
    judge(r);
    for (u32 d = 0; d < devices; d++) {
        free(r[d].peers);
        free_run(&r[d]);
    }
}

/* A run on several devices. Returns the number of steals between them. */
static u64 check_peers(u32 devices, u32 groups, u32 numbers)
{
    struct task_run r[max_devices];
    u64 steals = 0, tasks = 0;
    make_runs(r, devices, groups, numbers, numbers);
    finish_runs(r, devices);
    for (u32 d = 0; d < devices; d++)
        for (u32 i = 0; i < TASK_PEERS; i++) {
            steals += atom_load(&r[d].control[TASK_ACROSS + i], order_relaxed);
            tasks += atom_load(&r[d].control[TASK_ACROSS_TASKS + i], order_relaxed);
        }
    if (tasks < steals || tasks > steals * TASK_BLOCK) fail("%u tasks in %u steals\n", (u32)tasks, (u32)steals);
    if (r->launches != 1) fail("%u launches\n", r->launches);
    judge_runs(r, devices);
    return steals;
}

/* A pause of one device pauses all of them: short of blocks, or by the host's word of the last device. */
static void check_peers_pause(u32 devices, u32 groups, u32 numbers, u32 blocks)
{
    struct task_run r[max_devices];
    make_runs(r, devices, groups, numbers, blocks > 0 ? blocks : numbers);
    if (blocks == 0) host_store(&r[devices - 1].stop, TASK_STOP_PAUSE, order_relaxed);
    finish_runs(r, devices);
    if (r->pauses == 0) fail("no pause of %u devices\n", devices);
    judge_runs(r, devices);
}

/* The word of one device ends all of them, perhaps after they have run all tasks. */
static void check_peers_cancelled(u32 devices, u32 groups, u32 numbers)
{
    struct task_run r[max_devices];
    make_runs(r, devices, groups, numbers, numbers);
    host_store(&r[devices - 1].stop, TASK_STOP_NOW, order_relaxed);
    launch_devices(r, devices);
    for (u32 d = 0; d < devices; d++) {
        u64 flags = atom_load(&r[d].control[TASK_ACTIVE], order_relaxed);
        if (!(flags & (TASK_CANCELLED | TASK_OVER))) fail("device %u has not ended\n", d);
        free(r[d].peers);
        free_run(&r[d]);
    }
}
