/* SPDX-License-Identifier: MIT */
/* Included once for each container, behind its text (octree_tasks_{abp,chunked}.c): CPU workers by the device's own
 * texts, so that a task is the same to both sides, in its words as in its orders. Their atomics know no scope; the
 * device's must reach the host (GWS_SCOPE=GWS_HOST_SCOPE) where both share the arrays. GWS_WORKER_CALLS: the table's
 * name. */
#include "../../../kernels/octree/rank.cl"

#include "../../../kernels/octree/octree_words.cl"

#include "../../../kernels/octree/octree_tasks.cl"

#include "../../../kernels/octree/octree_points.cl"

#include "../../../kernels/octree/octree.cl"
#include "../../../kernels/octree/octree_steal.cl"

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

/* Nobody has begun with it. */
static bool is_whole(struct octree t, struct octant o)
{
    return o.kind == KIND_WHOLE || (o.kind == KIND_COUNT && o.first == 0 && o.last == o.count / t.piece);
}

/* Takes octants for the device, of at most so many points, from any deque's head, where the largest are; its own is one
 * of them. It goes on until it has met nothing for a while, or one that the device cannot have: true, and that is in
 * *task. */
static bool take_for_device(struct octree t, struct hand *hand, u32 workers, u32 *random, u64 most,
                            struct gws__octree_load *load, u32 *loads, u64 *task)
{
    struct pool one = t.pool;
    one.chunk = 1; /* nothing is put into its own deque then, which need not be empty */
    for (u32 looks = 2 * workers; looks > 0 && most > 0 && *loads < gws__octree_most_loads;) {
        if (pool_steal(one, next_random(random) % workers, hand->self, task) == 0) {
            looks--;
            continue;
        }
        struct octant o = octant_of(task[0], task[1], task[2]);
        if (!is_whole(t, o) || o.count > most) return true;
        load[(*loads)++] = (struct gws__octree_load){o.begin, o.count, o.level, o.side, o.sprout};
        most -= o.count;
    }
    return false;
}

static void run_load(struct octree t, struct hand *hand, struct gws__octree_load load, struct desk desk)
{
    struct octant o = {load.begin, load.count, load.sprout, load.level, load.side, KIND_WHOLE, 0, 0};
    run_octant(t, o, hand, desk);
}

/* Between its own tasks: what the device is to have. */
static void serve(struct octree t, struct hand *hand, u32 workers, u32 *random, struct gws__octree_keeper *keeper,
                  struct desk desk)
{
    struct gws__octree_load load[gws__octree_most_loads];
    u64 task[TASK_WORDS], most = keeper->wants(keeper);
    u32 loads = 0;
    bool another = most > 0 && take_for_device(t, hand, workers, random, most, load, &loads, task);
    if (loads > 0 && !keeper->send(keeper, load, loads))
        for (u32 i = 0; i < loads; i++) run_load(t, hand, load[i], desk);
    if (another) run_task(t, hand, task, desk);
}

static void begin(const struct gws__octree_place *place)
{
    push_root(octree_of(place));
}

static void keep(const struct gws__octree_place *place, uint32_t self, struct gws__octree_keeper *keeper)
{
    OCTREE_DESK(desk);
    struct octree t = octree_of(place);
    struct hand hand = hand_of(self);
    u32 random = random_of(self);
    u64 task[TASK_WORDS];
    while (!is_over(t)) {
        if (keeper->wants) serve(t, &hand, place->workers, &random, keeper, desk);
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

const struct gws__octree_worker_calls GWS_WORKER_CALLS = {.begin = begin, .work = work_to_the_end, .keep = keep};
