/* SPDX-License-Identifier: MIT */
/* The part of octree_task_run.c that depends on the width of point numbers. octree_task_run.c includes this file once
 * per width, and defines NUMBER, the type of a number, INDEX, the state's array of numbers, and OF_WIDTH(name), the
 * name of a function for this width. */
static int OF_WIDTH(by_number)(const void *a, const void *b)
{
    NUMBER x = *(const NUMBER *)a, y = *(const NUMBER *)b;
    return (x > y) - (x < y);
}

static void OF_WIDTH(sort_numbers)(NUMBER *number, uint64_t count)
{
    uint64_t sorted = 1;
    while (sorted < count && number[sorted - 1] < number[sorted]) sorted++;
    if (count > insertion && sorted < count) {
        qsort(number, count, sizeof *number, OF_WIDTH(by_number));
        return;
    }
    for (uint64_t i = sorted; i < count; i++) {
        NUMBER one = number[i];
        uint64_t at = i;
        for (; at > 0 && number[at - 1] > one; at--) number[at] = number[at - 1];
        number[at] = one;
    }
}

/* Writes a leaf. Sorts its points and counts them. */
static void OF_WIDTH(write_leaf)(const struct gws__octree_work *work, struct gws__octree_tally *tally,
                                 const struct gws__octree_octant *octant)
{
    uint64_t count = octant->end - octant->begin;
    OF_WIDTH(sort_numbers)(work->state->INDEX + octant->begin, count);
    *octant->handle = gws__octree_leaf(count);
    uint64_t finalised = atomic_load_explicit(&tally->finalised, memory_order_relaxed);
    atomic_store_explicit(&tally->finalised, finalised + count, memory_order_relaxed);
}

/* Moves points to their children's ranges, from next[] to end[], along cycles (McIlroy, Bostic, McIlroy, "Engineering
 * Radix Sort", Computing Systems 1993: American flag sort). */
static void OF_WIDTH(permute)(const struct gws__octree_work *work, uint64_t level, uint64_t next[8],
                              const uint64_t end[8])
{
    uint64_t *key = work->key;
    NUMBER *index = work->state->INDEX;
    for (unsigned c = 0; c < 8; c++)
        for (uint64_t at = next[c]; at < end[c]; at = next[c]) {
            uint64_t one = key[at];
            NUMBER number = index[at];
            for (unsigned digit = digit_of(one, level); digit != c; digit = digit_of(one, level)) {
                uint64_t to = next[digit]++, other = key[to];
                NUMBER other_number = index[to];
                key[to] = one;
                index[to] = number;
                one = other;
                number = other_number;
            }
            key[at] = one;
            index[at] = number;
            next[c]++;
        }
}

/* Moves points like permute(), but stably, through a copy. */
static void OF_WIDTH(scatter)(const struct gws__octree_work *work, const struct gws__octree_octant *octant,
                              uint64_t next[8])
{
    NUMBER *index = work->state->INDEX, *old = work->index_copy;
    uint64_t *key = work->key, *old_key = work->key_copy, begin = octant->begin, count = octant->end - begin;
    memcpy(old_key + begin, key + begin, count * sizeof *key);
    memcpy(old + begin, index + begin, count * sizeof *index);
    for (uint64_t i = begin; i < octant->end; i++) {
        uint64_t to = next[digit_of(old_key[i], octant->level)]++;
        key[to] = old_key[i];
        index[to] = old[i];
    }
}

/* Writes the children that are leaves, and spawns tasks for all other children. The order is reversed, so this worker
 * runs the first child next. */
static void OF_WIDTH(spawn_children)(const struct gws__octree_work *work, struct gws_task_worker *self,
                                     struct gws__octree_tally *tally, const struct gws__octree_octant *parent,
                                     struct gws__octree_inner *inner, const uint64_t end[8])
{
    unsigned child = (unsigned)__builtin_popcountll(inner->mask);
    for (unsigned c = 8; c-- > 0;) {
        if (!(inner->mask >> c & 1)) continue;
        struct gws__octree_octant octant = {c ? end[c - 1] : parent->begin, end[c], &inner->child[--child],
                                            parent->level + 1};
        if (gws__octree_is_leaf(work->state, octant.end - octant.begin, (unsigned)octant.level))
            OF_WIDTH(write_leaf)(work, tally, &octant);
        else
            gws_spawn(self, &octant);
    }
}

static void OF_WIDTH(run_octant)(const struct gws__octree_work *work, struct gws_task_worker *self, uint32_t worker,
                                 struct gws__octree_octant octant)
{
    struct gws__octree_state *state = work->state;
    struct gws__octree_tally *tally = &work->tally[worker];
    uint64_t begin[8], end[8];
    while (!gws__octree_is_leaf(state, octant.end - octant.begin, (unsigned)octant.level)) {
        unsigned mask = count_children(work, &octant, begin, end);
        struct gws__octree_inner *inner = gws__octree_inner_new(state->runtime, &state->arena[worker], mask);
        if (!inner) break;
        tally->tasks++;
        *octant.handle = gws__octree_branch(inner);
        if (mask & (mask - 1)) {
            if (work->stable && octant.end - octant.begin >= work->stable)
                OF_WIDTH(scatter)(work, &octant, begin);
            else
                OF_WIDTH(permute)(work, octant.level, begin, end);
            OF_WIDTH(spawn_children)(work, self, tally, &octant, inner, end);
            return;
        }
        octant.handle = &inner->child[0]; /* all points lie in one child, which this task divides too */
        octant.level++;
    }
    OF_WIDTH(write_leaf)(work, tally, &octant);
}

void OF_WIDTH(gws__octree_run)(void *context, struct gws_task_worker *self, uint32_t worker, const void *task,
                               uint32_t count)
{
    const struct gws__octree_octant *octant = task;
    for (uint32_t i = 0; i < count; i++) OF_WIDTH(run_octant)(context, self, worker, octant[i]);
}

#undef NUMBER
#undef INDEX
#undef OF_WIDTH
