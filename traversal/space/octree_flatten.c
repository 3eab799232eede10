/* SPDX-License-Identifier: MIT */
/* The grown tree is laid out: nodes by level, then key. The part of a level that comes from one octant is contiguous,
 * so octants are shared out whole: their nodes are counted level by level, sums over the octants before give the
 * places, and each is then written from its root down, with one place to write at for each level. */
#include <string.h>

#include "octree_owner.h"
#include "octree_state.h"

enum { levels = GWS_OCTREE_DEPTH + 1, units_a_worker = 32 };

/* Where the nodes of each level go, and the points and leaves: counts first, then places. */
struct cursor {
    uint64_t level[levels + 1]; /* one more, which stays 0: nothing lies below the last level */
    uint64_t points, leaves;
};

/* An octant whose part is laid out by one worker. */
struct unit {
    gws__octree_handle handle;
    uint64_t key;
    unsigned level;
};

/* What it is made of. */
struct part {
    struct cursor at;
    uint64_t parent, large, max_leaf;
};

struct flatten {
    struct gws__octree_state *state;
    struct gws_octree_node *node;
    uint64_t *leaf;
    struct unit *unit;
    struct part *part; /* of each unit */
    uint64_t units, next_unit, most_units;
    struct cursor above; /* how many nodes each level has above the units */
    bool shared;         /* the builder says which octants are to be shared out; else a level or none of it is */
};

/* ---- octants to share out ---- */

static bool is_expanded(const struct flatten *flatten, const struct unit *unit, unsigned level)
{
    return unit->level == level && !gws__octree_is_leaf(unit->handle) &&
           (!flatten->shared || gws__octree_is_shared(unit->handle));
}

/* How many more units there are once those of the given level are replaced by their children. */
static uint64_t children_of(const struct flatten *flatten, unsigned level)
{
    uint64_t more = 0;
    for (const struct unit *unit = flatten->unit; unit < flatten->unit + flatten->units; unit++)
        if (is_expanded(flatten, unit, level))
            more += (uint64_t)__builtin_popcountll(gws__octree_inner_of(unit->handle)->mask) - 1;
    return more;
}

static uint64_t expand_unit(struct flatten *flatten, const struct unit *unit, uint64_t to)
{
    const struct gws__octree_inner *inner = gws__octree_inner_of(unit->handle);
    unsigned made = (unsigned)__builtin_popcountll(inner->mask);
    for (unsigned c = 8; c-- > 0;) {
        if (!(inner->mask >> c & 1)) continue;
        flatten->unit[--to] =
            (struct unit){.handle = inner->child[--made], .key = unit->key << 3 | c, .level = unit->level + 1};
    }
    return to;
}

/* Replaces them, from the back, so that nothing is overwritten before it is read. */
static void expand(struct flatten *flatten, unsigned level, uint64_t more)
{
    uint64_t to = flatten->units + more;
    for (uint64_t i = flatten->units; i-- > 0;) {
        struct unit unit = flatten->unit[i];
        if (is_expanded(flatten, &unit, level)) {
            to = expand_unit(flatten, &unit, to);
            flatten->above.level[level]++;
        } else {
            flatten->unit[--to] = unit;
        }
    }
    flatten->units += more;
}

static void choose_units(struct flatten *flatten)
{
    flatten->unit[0] = (struct unit){.handle = flatten->state->root};
    for (unsigned level = 0; level < GWS_OCTREE_DEPTH; level++) {
        uint64_t more = children_of(flatten, level);
        if (flatten->units + more > flatten->most_units) break;
        expand(flatten, level, more);
    }
}

/* ---- counting ---- */

static void count_nodes(struct part *part, gws__octree_handle handle, unsigned level, uint64_t few)
{
    part->at.level[level]++;
    if (gws__octree_is_leaf(handle)) {
        uint64_t points = handle >> 1;
        part->at.points += points;
        part->at.leaves++;
        part->large += points > few;
        if (points > part->max_leaf) part->max_leaf = points;
        return;
    }
    const struct gws__octree_inner *inner = gws__octree_inner_of(handle);
    unsigned children = (unsigned)__builtin_popcountll(inner->mask);
    for (unsigned c = 0; c < children; c++) count_nodes(part, inner->child[c], level + 1, few);
}

static void count_units(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct flatten *flatten = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        const struct unit *unit = &flatten->unit[i];
        flatten->part[i] = (struct part){.large = 0};
        count_nodes(&flatten->part[i], unit->handle, unit->level, flatten->state->leaf);
    }
}

/* ---- writing ---- */

struct place {
    uint64_t key, parent;
    unsigned level;
};

/* That of the first child in the mask. */
static inline struct place child_place(struct place parent, uint64_t node, uint64_t mask)
{
    return (struct place){parent.key << 3 | (unsigned)__builtin_ctzll(mask), node, parent.level + 1};
}

static void write_leaf(struct flatten *flatten, struct cursor *at, uint64_t points, struct place place)
{
    uint64_t node = at->level[place.level]++;
    flatten->node[node] = (struct gws_octree_node){.key = place.key,
                                                   .begin = at->points,
                                                   .end = at->points + points,
                                                   .parent = place.parent,
                                                   .first_child = GWS_OCTREE_NONE,
                                                   .level = (uint8_t)place.level,
                                                   .large = points > flatten->state->leaf};
    flatten->leaf[at->leaves++] = node;
    at->points += points;
}

/* A divided octant; its last point is known when its children are written. */
static struct gws_octree_node *write_divided(struct flatten *flatten, struct cursor *at, uint64_t mask,
                                             struct place place)
{
    struct gws_octree_node *node = &flatten->node[at->level[place.level]++];
    *node = (struct gws_octree_node){.key = place.key,
                                     .begin = at->points,
                                     .parent = place.parent,
                                     .first_child = at->level[place.level + 1],
                                     .child_mask = (uint8_t)mask,
                                     .level = (uint8_t)place.level};
    return node;
}

static bool is_unit(const struct flatten *flatten, unsigned level, uint64_t key)
{
    if (flatten->next_unit == flatten->units) return false;
    const struct unit *unit = &flatten->unit[flatten->next_unit];
    return unit->level == level && unit->key == key;
}

/* A unit's counts become places, and move the cursor behind it. */
static void place_unit(struct part *part, struct cursor *at, uint64_t parent)
{
    struct cursor here = *at;
    for (unsigned l = 0; l < levels; l++) at->level[l] += part->at.level[l];
    at->points += part->at.points;
    at->leaves += part->at.leaves;
    part->at = here;
    part->parent = parent;
}

/* All of an octant of a unit. */
static void write_nodes(struct flatten *flatten, struct cursor *at, gws__octree_handle handle, struct place place)
{
    if (gws__octree_is_leaf(handle)) {
        write_leaf(flatten, at, handle >> 1, place);
        return;
    }
    const struct gws__octree_inner *inner = gws__octree_inner_of(handle);
    struct gws_octree_node *node = write_divided(flatten, at, inner->mask, place);
    const gws__octree_handle *child = inner->child;
    uint64_t self = (uint64_t)(node - flatten->node);
    for (uint64_t mask = inner->mask; mask; mask &= mask - 1)
        write_nodes(flatten, at, *child++, child_place(place, self, mask));
    node->end = at->points;
}

/* From the root down to the units, which come in the order of their keys. */
static void write_above(struct flatten *flatten, struct cursor *at, gws__octree_handle handle, struct place place)
{
    if (is_unit(flatten, place.level, place.key)) {
        place_unit(&flatten->part[flatten->next_unit++], at, place.parent);
        return;
    }
    const struct gws__octree_inner *inner = gws__octree_inner_of(handle);
    struct gws_octree_node *node = write_divided(flatten, at, inner->mask, place);
    const gws__octree_handle *child = inner->child;
    uint64_t self = (uint64_t)(node - flatten->node);
    for (uint64_t mask = inner->mask; mask; mask &= mask - 1)
        write_above(flatten, at, *child++, child_place(place, self, mask));
    node->end = at->points;
}

static void write_units(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct flatten *flatten = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        const struct unit *unit = &flatten->unit[i];
        struct part *part = &flatten->part[i];
        write_nodes(flatten, &part->at, unit->handle, (struct place){unit->key, part->parent, unit->level});
    }
}

/* ---- all ---- */

/* The tree's counts, and where each level begins. */
static gws_status sum_up(struct flatten *flatten, struct gws_octree *tree, struct cursor *begin)
{
    struct cursor count = flatten->above;
    for (uint64_t i = 0; i < flatten->units; i++) {
        const struct part *part = &flatten->part[i];
        for (unsigned l = 0; l < levels; l++) count.level[l] += part->at.level[l];
        count.points += part->at.points;
        tree->leaves += part->at.leaves;
        tree->large += part->large;
        if (part->max_leaf > tree->max_leaf) tree->max_leaf = part->max_leaf;
    }
    for (unsigned l = 0; l < levels; l++) {
        begin->level[l] = tree->nodes;
        tree->nodes += count.level[l];
        if (count.level[l]) tree->depth = l;
    }
    if (count.points != flatten->state->kept)
        return gws_where_set(flatten->state->where, GWS_WRONG_RESULT, NULL, 0, 0, "%llu points found a leaf, not %llu",
                             (unsigned long long)count.points, (unsigned long long)flatten->state->kept);
    tree->stats.placed = count.points;
    tree->empty = 8 * (tree->nodes - tree->leaves) - (tree->nodes - 1);
    gws__octree_owner_reuse(flatten->state->runtime, tree, flatten->state->spare, flatten->state->spare_bytes);
    flatten->state->spare = NULL;
    return gws__octree_owner_room(flatten->state->runtime, tree) ? GWS_OK : GWS_NO_MEMORY;
}

static void share_units(struct flatten *flatten, gws_body *body)
{
    struct gws_loop loop = {.count = flatten->units, .chunk = 1, .body = body, .context = flatten};
    gws_parallel_run(flatten->state->runtime, &loop);
}

static gws_status lay_out(struct flatten *flatten, struct gws_octree *tree)
{
    struct cursor at = {.points = 0};
    share_units(flatten, count_units);
    gws_status status = sum_up(flatten, tree, &at);
    if (status != GWS_OK) return status;
    flatten->node = tree->owner->node;
    flatten->leaf = tree->owner->leaf;
    memcpy(tree->owner->level_begin, at.level, (tree->depth + UINT64_C(1)) * sizeof *at.level);
    tree->owner->level_begin[tree->depth + 1] = tree->nodes;
    write_above(flatten, &at, flatten->state->root, (struct place){0, GWS_OCTREE_NONE, 0});
    share_units(flatten, write_units);
    return GWS_OK;
}

gws_status gws__octree_flatten(struct gws__octree_state *state, struct gws_octree *tree)
{
    uint64_t workers = gws_runtime_workers(state->runtime);
    struct flatten flatten = {.state = state, .units = 1, .shared = gws__octree_is_shared(state->root)};
    flatten.most_units = workers == 1 ? 1 : 8 * units_a_worker * workers;
    flatten.unit = gws_allocate(state->runtime, flatten.most_units, sizeof *flatten.unit);
    if (!flatten.unit) return GWS_NO_MEMORY;
    choose_units(&flatten);
    flatten.part = gws_allocate(state->runtime, flatten.units, sizeof *flatten.part);
    gws_status status = flatten.part ? lay_out(&flatten, tree) : GWS_NO_MEMORY;
    gws_release(state->runtime, flatten.part, flatten.units, sizeof *flatten.part);
    gws_release(state->runtime, flatten.unit, flatten.most_units, sizeof *flatten.unit);
    return status;
}
