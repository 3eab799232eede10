/* SPDX-License-Identifier: MIT */
/* Octrees by tasks on a device: what the parts share. What the arrays hold, kernels/octree/octree_words.cl says. */
#ifndef GWS_SPACE_OCTREE_TASKS_H
#define GWS_SPACE_OCTREE_TASKS_H

#include "octree_device_state.h"
#include "octree_tasks_worker.h"

/* What every kernel gets first, in this order (OCTREE_PARAMETERS). */
enum gws__octree_array {
    gws__octree_key,
    gws__octree_other_key,
    gws__octree_number,
    gws__octree_other_number,
    gws__octree_out,
    gws__octree_entry,
    gws__octree_done,
    gws__octree_twig,
    gws__octree_control,
    gws__octree_deques,
    gws__octree_counts,
    gws__octree_arrays
};

/* As in kernels/{octree_words.cl,deque_words.h,rank.cl}. */
enum {
    octree_control_words = 64,
    octree_placed = 0,
    octree_state = 16,
    octree_twigs = 32,
    octree_high = 48,
    octree_rounds = 49,
    octree_stats_words = 8,
    octree_stats_tasks = 0,
    octree_stats_steals = 1,
    octree_stats_failed = 2,
    octree_stats_high = 3,
    octree_stats_stolen = 4,
    octree_task_words = 3,
    octree_deque_head = 32,
    octree_most_items = 128,
    octree_twigs_at_once = 64
};
enum { octree_on, octree_out_of_twigs, octree_out_of_slots, octree_stuck };

/* The words behind the arrays. */
struct gws__octree_words {
    uint32_t room, points, leaf, depth, piece, chunk;
    uint64_t twigs, base;
};

struct gws__octree_tasks {
    struct gws_runtime *runtime;
    struct gws_device *device;
    bool steals; /* false: the static scheme */
    uint32_t groups, group_size;
    uint32_t threads;                              /* CPU workers beside the groups; 0: the device alone */
    bool shares;                                   /* they work on the same arrays */
    struct gws__octree_bridge *bridge;             /* they have their own, and octants are handed over; NULL: not so */
    const struct gws__octree_worker_calls *worker; /* what they run; NULL: there are none */
    struct gws_device_program *program;
    struct gws_device_buffer *array[gws__octree_arrays];
    void *host[gws__octree_arrays]; /* the same, if shared */
    struct gws__octree_words words;
    uint64_t *twig; /* words.twigs of them, the host's: what the device's sprouts point into */
    uint64_t control[octree_control_words];
    uint64_t *stats;           /* octree_stats_words for each group, and then for each CPU worker */
    uint64_t launches, handed; /* bridged: kernels, and octants that they were handed */
};

/* What is asked of such a tree, and room for its record and for what waits; and more of what was short, if that is why
 * it ended. */
void gws__octree_words_set(struct gws__octree_words *words, uint64_t points, uint64_t leaf, uint32_t depth,
                           uint32_t workers);
bool gws__octree_words_grow(struct gws__octree_words *words, uint64_t why);

/* What control says at the end: all points have found a place; or not, which is reported. */
static inline bool gws__octree_all_placed(const struct gws__octree_words *words, const uint64_t *control)
{
    return control[octree_placed] == words->points && control[octree_state] == octree_on;
}
gws_status gws__octree_not_placed(const struct gws__octree_words *words, const uint64_t *control,
                                  struct gws_where *where);

/* The way's (octree_tasks_open.c). */
bool gws__octree_tasks_suits(const struct gws_octree_device *builder, struct gws_where *where);
gws_status gws__octree_tasks_open(struct gws_octree_device *builder, struct gws_where *where);
void gws__octree_tasks_close(struct gws_octree_device *builder);

/* Builds the program of that container. */
gws_status gws__octree_tasks_program(struct gws__octree_tasks *tasks, const char *container, struct gws_where *where);

/* How many groups run at the same time. */
gws_status gws__octree_tasks_resident(const struct gws__octree_tasks *tasks, uint64_t *groups, struct gws_where *where);

/* Room for what the words say. What there is and large enough stays. */
gws_status gws__octree_tasks_room(struct gws__octree_tasks *tasks, struct gws_where *where);
void gws__octree_tasks_forget(struct gws__octree_tasks *tasks); /* what the host keeps for one tree */
void gws__octree_tasks_free(struct gws__octree_tasks *tasks);
uint64_t gws__octree_tasks_bytes(const struct gws__octree_tasks *tasks);

/* Bytes that each array needs for that many workers, of whom so many have deques. */
void gws__octree_need(const struct gws__octree_words *words, uint64_t workers, uint64_t deques,
                      uint64_t bytes[gws__octree_arrays]);

/* What begins as zero; and that with the keys there. */
gws_status gws__octree_tasks_clear(struct gws__octree_tasks *tasks, struct gws_where *where);
gws_status gws__octree_tasks_send(struct gws__octree_tasks *tasks, const uint64_t *key, struct gws_where *where);

/* Those who work on the device's arrays. */
static inline uint32_t gws__octree_tasks_workers(const struct gws__octree_tasks *tasks)
{
    return tasks->groups + (tasks->shares ? tasks->threads : 0);
}

/* Beside a kernel that has been launched: CPU workers, until all is over on both sides (octree_tasks_kept.c). */
gws_status gws__octree_tasks_play(struct gws__octree_tasks *tasks, struct gws_where *where);

/* Starts dividing octants whose keys are there: octant has where each begins, its points and its level, in three words
 * of 32 bits. And reads control, which waits for the end. */
gws_status gws__octree_tasks_start(struct gws__octree_tasks *tasks, struct gws_device_buffer *octant, uint32_t octants,
                                   struct gws_where *where);
gws_status gws__octree_tasks_look(struct gws__octree_tasks *tasks, struct gws_where *where);

/* Handing octants over (octree_tasks_bridged.c). piece: of the host's octants. Divided, control has the host's words,
 * and stats everybody's; words: what is asked for; *ready_ms: what copying and clearing took. Arrays of the host, and
 * what came back, stay until they are forgotten. free takes NULL. */
gws_status gws__octree_bridge_open(struct gws__octree_tasks *tasks, uint32_t piece, struct gws_where *where);
gws_status gws__octree_bridge_divide(struct gws__octree_bridge *bridge, const struct gws__octree_words *words,
                                     const uint64_t *key, double *ready_ms, struct gws_where *where);
void *gws__octree_bridge_array(const struct gws__octree_bridge *bridge, enum gws__octree_array which);
void gws__octree_bridge_forget(struct gws__octree_bridge *bridge);
void gws__octree_bridge_free(struct gws__octree_bridge *bridge);

/* The points divided: control and stats say how it went. */
gws_status gws__octree_tasks_divide(struct gws__octree_tasks *tasks, struct gws_where *where);

#endif
