/* SPDX-License-Identifier: MIT */
/* Lays out the nodes of the built tree by level, then by key. The nodes of one octant's subtree are contiguous on each
 * level, so workers process whole octants. The workers count the nodes level by level. Prefix sums over the octants
 * give the positions. Each worker then writes a subtree from the root down, with one cursor per level. */
#include <string.h>

#include "octree_owner.h"
#include "octree_state.h"

enum { levels = GWS_OCTREE_DEPTH + 1, units_per_worker = 32 };

/* The next node of each level, point and leaf, as counts first, then as positions. */
struct level_cursor {
    uint64_t level[levels + 1]; /* the last entry stays 0, because no node lies below the last level */
    uint64_t points, leaves;
};

/* An octant whose subtree one worker lays out. */
struct unit {
    gws__octree_handle handle;
    uint64_t key;
    unsigned level;
};

/* The counts of a unit's subtree. */
struct subtree {
    struct level_cursor at;
    uint64_t parent, large, max_leaf;
};

struct flatten {
    struct gws__octree_state *state;
    struct gws_octree_node *node;
    uint64_t *leaf;
    struct unit *unit;
    struct subtree *subtree; /* one per unit */
    uint64_t units, next_unit, max_units;
    struct level_cursor above; /* number of nodes above the units on each level */
    bool shared; /* the builder marked the octants to expand; otherwise the layout expands a level completely or not at
                    all */
};

/* ---- octants to distribute ---- */

static bool is_expanded(const struct flatten *flatten, const struct unit *unit, unsigned level)
{
    return unit->level == level && !gws__octree_handle_is_leaf(unit->handle) &&
           (!flatten->shared || gws__octree_is_shared(unit->handle));
}

/* Returns the number of units that expanding the given level would add. */
static uint64_t children_of(const struct flatten *flatten, unsigned level)
{
    uint64_t added = 0;
    for (const struct unit *unit = flatten->unit; unit < flatten->unit + flatten->units; unit++)
        if (is_expanded(flatten, unit, level))
            added += (uint64_t)__builtin_popcountll(gws__octree_inner_of(unit->handle)->mask) - 1;
    return added;
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

/* Expands the units from the back, so the function reads each unit before it overwrites that unit. */
static void expand(struct flatten *flatten, unsigned level, uint64_t added)
{
    uint64_t to = flatten->units + added;
    for (uint64_t i = flatten->units; i-- > 0;) {
        struct unit unit = flatten->unit[i];
        if (is_expanded(flatten, &unit, level)) {
            to = expand_unit(flatten, &unit, to);
            flatten->above.level[level]++;
        } else {
            flatten->unit[--to] = unit;
        }
    }
    flatten->units += added;
}

static void choose_units(struct flatten *flatten)
{
    flatten->unit[0] = (struct unit){.handle = flatten->state->root};
    for (unsigned level = 0; level < GWS_OCTREE_DEPTH; level++) {
        uint64_t added = children_of(flatten, level);
        if (flatten->units + added > flatten->max_units) break;
        expand(flatten, level, added);
    }
}

/* ---- counting ---- */

static void count_nodes(struct subtree *subtree, gws__octree_handle handle, unsigned level, uint64_t leaf_size)
{
    subtree->at.level[level]++;
    if (gws__octree_handle_is_leaf(handle)) {
        uint64_t points = handle >> 1;
        subtree->at.points += points;
        subtree->at.leaves++;
        subtree->large += points > leaf_size;
        if (points > subtree->max_leaf) subtree->max_leaf = points;
        return;
    }
    const struct gws__octree_inner *inner = gws__octree_inner_of(handle);
    unsigned children = (unsigned)__builtin_popcountll(inner->mask);
    for (unsigned c = 0; c < children; c++) count_nodes(subtree, inner->child[c], level + 1, leaf_size);
}

static void count_units(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct flatten *flatten = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        const struct unit *unit = &flatten->unit[i];
        flatten->subtree[i] = (struct subtree){.large = 0};
        count_nodes(&flatten->subtree[i], unit->handle, unit->level, flatten->state->leaf);
    }
}

/* ---- writing ---- */

struct node_context {
    uint64_t key, parent;
    unsigned level;
};

/* Returns the context of the first child in the mask. */
static inline struct node_context child_context(struct node_context parent, uint64_t node, uint64_t mask)
{
    return (struct node_context){parent.key << 3 | (unsigned)__builtin_ctzll(mask), node, parent.level + 1};
}

static void write_leaf(struct flatten *flatten, struct level_cursor *at, uint64_t points, struct node_context context)
{
    uint64_t node = at->level[context.level]++;
    flatten->node[node] = (struct gws_octree_node){.key = context.key,
                                                   .begin = at->points,
                                                   .end = at->points + points,
                                                   .parent = context.parent,
                                                   .first_child = GWS_OCTREE_NONE,
                                                   .level = (uint8_t)context.level,
                                                   .large = points > flatten->state->leaf};
    flatten->leaf[at->leaves++] = node;
    at->points += points;
}

/* Writes a divided octant. The caller sets node->end after the octant's children. */
static struct gws_octree_node *write_divided(struct flatten *flatten, struct level_cursor *at, uint64_t mask,
                                             struct node_context context)
{
    struct gws_octree_node *node = &flatten->node[at->level[context.level]++];
    *node = (struct gws_octree_node){.key = context.key,
                                     .begin = at->points,
                                     .parent = context.parent,
                                     .first_child = at->level[context.level + 1],
                                     .child_mask = (uint8_t)mask,
                                     .level = (uint8_t)context.level};
    return node;
}

static bool is_unit(const struct flatten *flatten, unsigned level, uint64_t key)
{
    if (flatten->next_unit == flatten->units) return false;
    const struct unit *unit = &flatten->unit[flatten->next_unit];
    return unit->level == level && unit->key == key;
}

/* Replaces a unit's counts by positions and advances the cursor past the unit. */
static void commit_unit(struct subtree *subtree, struct level_cursor *at, uint64_t parent)
{
    struct level_cursor here = *at;
    for (unsigned l = 0; l < levels; l++) at->level[l] += subtree->at.level[l];
    at->points += subtree->at.points;
    at->leaves += subtree->at.leaves;
    subtree->at = here;
    subtree->parent = parent;
}

/* Writes the nodes of an octant. The first call writes the nodes from the root down to the units, which occur in key
 * order. Later calls write the nodes of one unit each. */
static void write_nodes(struct flatten *flatten, struct level_cursor *at, gws__octree_handle handle,
                        struct node_context context)
{
    if (is_unit(flatten, context.level, context.key)) {
        commit_unit(&flatten->subtree[flatten->next_unit++], at, context.parent);
        return;
    }
    if (gws__octree_handle_is_leaf(handle)) {
        write_leaf(flatten, at, handle >> 1, context);
        return;
    }
    const struct gws__octree_inner *inner = gws__octree_inner_of(handle);
    struct gws_octree_node *node = write_divided(flatten, at, inner->mask, context);
    const gws__octree_handle *child = inner->child;
    uint64_t self = (uint64_t)(node - flatten->node);
    for (uint64_t mask = inner->mask; mask; mask &= mask - 1)
        write_nodes(flatten, at, *child++, child_context(context, self, mask));
    node->end = at->points;
}

static void write_units(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct flatten *flatten = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        const struct unit *unit = &flatten->unit[i];
        struct subtree *subtree = &flatten->subtree[i];
        write_nodes(flatten, &subtree->at, unit->handle,
                    (struct node_context){unit->key, subtree->parent, unit->level});
    }
}

/* ---- all ---- */

/* Computes the tree's counts and the beginning of each level. */
static gws_status sum_counts(struct flatten *flatten, struct gws_octree *tree, struct level_cursor *begin)
{
    struct level_cursor count = flatten->above;
    for (uint64_t i = 0; i < flatten->units; i++) {
        const struct subtree *subtree = &flatten->subtree[i];
        for (unsigned l = 0; l < levels; l++) count.level[l] += subtree->at.level[l];
        count.points += subtree->at.points;
        tree->leaves += subtree->at.leaves;
        tree->large += subtree->large;
        if (subtree->max_leaf > tree->max_leaf) tree->max_leaf = subtree->max_leaf;
    }
    for (unsigned l = 0; l < levels; l++) {
        begin->level[l] = tree->nodes;
        tree->nodes += count.level[l];
        if (count.level[l]) tree->depth = l;
    }
    if (count.points != flatten->state->indexed)
        return gws_diagnostic_set(flatten->state->where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "%llu points reached a leaf, not %llu", (unsigned long long)count.points,
                                  (unsigned long long)flatten->state->indexed);
    tree->stats.finalised = count.points;
    tree->empty = 8 * (tree->nodes - tree->leaves) - (tree->nodes - 1);
    gws__octree_owner_reuse(flatten->state->runtime, tree, flatten->state->reusable, flatten->state->reusable_bytes);
    flatten->state->reusable = NULL;
    return gws__octree_owner_allocate(flatten->state->runtime, tree) ? GWS_OK : GWS_NO_MEMORY;
}

static gws_status run_over_units(struct flatten *flatten, gws_body *body)
{
    struct gws_loop loop = {.count = flatten->units, .chunk = 1, .body = body, .context = flatten};
    return gws_parallel_try(flatten->state->runtime, &loop);
}

static gws_status layout(struct flatten *flatten, struct gws_octree *tree)
{
    struct level_cursor at = {.points = 0};
    gws_status status = run_over_units(flatten, count_units);
    if (status == GWS_OK) status = sum_counts(flatten, tree, &at);
    if (status != GWS_OK) return status;
    flatten->node = tree->owner->node;
    flatten->leaf = tree->owner->leaf;
    memcpy(tree->owner->level_begin, at.level, (tree->depth + UINT64_C(1)) * sizeof *at.level);
    tree->owner->level_begin[tree->depth + 1] = tree->nodes;
    write_nodes(flatten, &at, flatten->state->root, (struct node_context){0, GWS_OCTREE_NONE, 0});
    return run_over_units(flatten, write_units);
}

gws_status gws__octree_flatten(struct gws__octree_state *state, struct gws_octree *tree)
{
    uint64_t workers = gws_runtime_workers(state->runtime);
    struct flatten flatten = {.state = state, .units = 1, .shared = gws__octree_is_shared(state->root)};
    flatten.max_units = workers == 1 ? 1 : 8 * units_per_worker * workers;
    flatten.unit = gws_allocate(state->runtime, flatten.max_units, sizeof *flatten.unit);
    if (!flatten.unit) return GWS_NO_MEMORY;
    choose_units(&flatten);
    flatten.subtree = gws_allocate(state->runtime, flatten.units, sizeof *flatten.subtree);
    gws_status status = flatten.subtree ? layout(&flatten, tree) : GWS_NO_MEMORY;
    gws_release(state->runtime, flatten.subtree, flatten.units, sizeof *flatten.subtree);
    gws_release(state->runtime, flatten.unit, flatten.max_units, sizeof *flatten.unit);
    return status;
}
