/* SPDX-License-Identifier: MIT */
/* Octrees by tasks on both sides, where they share memory with atomics (as in Abdelmageed's thesis, chapter 3): the
 * arrays lie there, and the runtime's threads are further workers of the same pool, behind the groups. All steal from
 * all, and all end when the counter says that all points have been placed. Nobody waits if no group ever starts.
 *
 * The first of the threads also looks whether the device is still well: a task that a kernel took with it when it
 * failed would keep all looking. */
#include "octree_tasks.h"

enum { looks_a_poll = 256 };

struct kept {
    struct gws__octree_keeper keeper;
    struct gws_device *device;
    struct gws__octree_patience patience;
    gws_status status;
    struct gws_where *where;
};

static bool look(struct gws__octree_keeper *keeper, uint64_t placed)
{
    struct kept *kept = (struct kept *)keeper;
    bool over;
    if (keeper->looks % looks_a_poll > 0) return true;
    kept->status = gws_device_poll(kept->device, &over, kept->where);
    return kept->status == GWS_OK &&
           gws__octree_patient(&kept->patience, kept->device, keeper->looks == looks_a_poll, placed);
}

gws_status gws__octree_tasks_play(struct gws__octree_tasks *tasks, struct gws_where *where)
{
    struct kept kept = {.keeper = {.look = look}, .device = tasks->device, .where = where};
    struct gws__octree_crew crew = {.calls = tasks->worker,
                                    .place = {tasks->host, &tasks->words, gws__octree_tasks_workers(tasks)},
                                    .first = tasks->groups,
                                    .threads = tasks->threads,
                                    .keeper = &kept.keeper};
    gws__octree_crew_run(tasks->runtime, &crew);
    gws_status status = gws_device_wait(tasks->device, kept.status == GWS_OK ? where : NULL);
    return kept.status == GWS_OK ? status : kept.status;
}
