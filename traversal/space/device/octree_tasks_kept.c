/* SPDX-License-Identifier: MIT */
/* Octrees by tasks on both sides, where they share memory with atomics (as in Abdelmageed's thesis, chapter 3): the
 * arrays lie there, and the runtime's threads are further workers of the same pool, behind the groups. All steal from
 * all, and all end when the counter says that all points have been placed.
 *
 * The runtime's workers play those of the pool, a task of one loop each; nobody waits for another in it, so it does no
 * harm if one plays several, or if no group ever starts. The first of them, the caller as a rule, also looks whether
 * the device is still well: a task that a kernel took with it when it failed would keep all looking. */
#include "octree_tasks.h"

enum { looks_a_poll = 256 };

struct kept {
    struct gws__octree_keeper keeper;
    struct gws__octree_tasks *tasks;
    struct gws__octree_place place;
    /* The keeper's. */
    gws_status status;
    struct gws_where *where;
    uint64_t placed; /* when something last happened */
    double until_ms; /* by then something must have */
};

static bool look(struct gws__octree_keeper *keeper, uint64_t placed)
{
    struct kept *kept = (struct kept *)keeper;
    if (keeper->looks % looks_a_poll > 0) return true;
    double now = gws_clock_ms();
    bool over;
    if (keeper->looks == looks_a_poll || placed != kept->placed)
        kept->until_ms = now + gws_device_limit_ms(kept->tasks->device);
    kept->placed = placed;
    kept->status = gws_device_poll(kept->tasks->device, &over, kept->where);
    return kept->status == GWS_OK && now < kept->until_ms;
}

static void play(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct kept *kept = context;
    const struct gws__octree_tasks *tasks = kept->tasks;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        uint32_t self = tasks->groups + (uint32_t)i;
        if (i == 0)
            tasks->worker->keep(&kept->place, self, &kept->keeper);
        else
            tasks->worker->work(&kept->place, self);
    }
}

gws_status gws__octree_tasks_play(struct gws__octree_tasks *tasks, struct gws_where *where)
{
    struct kept kept = {.keeper = {.look = look},
                        .tasks = tasks,
                        .place = {tasks->host, &tasks->words, tasks->groups + tasks->threads},
                        .where = where};
    struct gws_loop loop = {
        .count = tasks->threads, .chunk = 1, .grain = 1, .body = play, .context = &kept, .aside = true};
    gws_parallel_run(tasks->runtime, &loop);
    gws_status status = gws_device_wait(tasks->device, kept.status == GWS_OK ? where : NULL);
    return kept.status == GWS_OK ? status : kept.status;
}
