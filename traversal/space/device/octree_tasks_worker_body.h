/* SPDX-License-Identifier: MIT */
/* Included once for each container, behind its text (octree_tasks_{abp,chunked}.c): CPU workers by the device's own
 * texts, so that a task is the same to both sides, in its words as in its orders. Their atomics know no scope; the
 * device's must reach the host (GWS_SCOPE=GWS_HOST_SCOPE) where both share the arrays. GWS_WORKER_CALLS: the table's
 * name. */
#include "../../../kernels/rank.cl"

#include "../../../kernels/octree_words.cl"

#include "../../../kernels/octree_tasks.cl"

#include "../../../kernels/octree_points.cl"

#include "../../../kernels/octree.cl"
#include "../../../kernels/octree_steal.cl"

#include "octree_tasks.h"

_Static_assert(RUN_OUT_OF_TWIGS == octree_out_of_twigs && RUN_OUT_OF_SLOTS == octree_out_of_slots &&
                   RUN_STUCK == octree_stuck,
               "as in the kernels");
_Static_assert(CONTROL_PLACED == octree_placed && CONTROL_STATE == octree_state && CONTROL_TWIGS == octree_twigs &&
                   CONTROL_WORDS == octree_control_words,
               "as in the kernels");

static struct octree octree_of(const struct gws__octree_place *place)
{
    void *const *array = place->array;
    const struct gws__octree_words *words = place->words;
    return (struct octree){.key = array[gws__octree_key],
                           .other_key = array[gws__octree_other_key],
                           .number = array[gws__octree_number],
                           .other_number = array[gws__octree_other_number],
                           .out = array[gws__octree_out],
                           .entry = array[gws__octree_entry],
                           .done = array[gws__octree_done],
                           .twig = array[gws__octree_twig],
                           .control = array[gws__octree_control],
                           .pool = {array[gws__octree_deques], words->room, words->chunk},
                           .stats = array[gws__octree_counts],
                           .points = words->points,
                           .leaf = words->leaf,
                           .depth = words->depth,
                           .piece = words->piece,
                           .twigs = words->twigs,
                           .base = words->base};
}

/* The keeper ends what nobody will end otherwise, so the others may look as often as they can count. */
static void work_to_the_end(const struct gws__octree_place *place, uint32_t self)
{
    OCTREE_DESK(desk);
    work(octree_of(place), self, place->workers, UINT32_MAX, desk);
}

static void run_task(struct octree t, struct hand *hand, u64 *task, struct desk desk)
{
    split_pieces(t, hand, task);
    run_octant(t, octant_of(task[0], task[1], task[2]), hand, desk);
}

static void keep(const struct gws__octree_place *place, uint32_t self, struct gws__octree_keeper *keeper)
{
    OCTREE_DESK(desk);
    struct octree t = octree_of(place);
    struct hand hand = hand_of(self);
    u32 random = random_of(self);
    u64 task[TASK_WORDS];
    while (!is_over(t)) {
        if (pool_pop(t.pool, self, task) || rob_once(t, &hand, place->workers, &random, task)) {
            run_task(t, &hand, task, desk);
            keeper->looks = 0;
            continue;
        }
        keeper->looks++;
        if (!keeper->look(keeper, atom_load(&t.control[CONTROL_PLACED], order_relaxed))) stop(t, RUN_STUCK);
        spin_pause();
    }
    note_work(t, hand);
}

const struct gws__octree_worker_calls GWS_WORKER_CALLS = {.work = work_to_the_end, .keep = keep};
