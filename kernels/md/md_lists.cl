/* SPDX-License-Identifier: MIT */
/* The lists of molecular dynamics on a device: a counting sort of the atoms into cells, the order of the atoms, and the
 * neighbours of each atom.
 *
 * The lists of a warp's atoms are interleaved: entry i of an atom is WARP words behind entry i - 1. Atoms of a cell are
 * sorted by number, so no result depends on the number of groups. */

/* ---- bounds of open space ---- */

/* Maps floats to words in the same order. */
device_inline u32 word_of_float(float value)
{
    union {
        float value;
        u32 bits;
    } as;
    as.value = value;
    return as.bits >> 31 ? ~as.bits : as.bits | 0x80000000u;
}

device_inline float float_of_word(u32 word)
{
    return float_of(word >> 31 ? word & 0x7fffffffu : ~word);
}

device_inline void find_bounds(const struct md *s)
{
    u32 low[3], high[3];
    for (u32 axis = 0; axis < 3; axis++) low[axis] = 0xffffffffu, high[axis] = 0;
    for (u64 i = s->first; i < s->atoms; i += s->items)
        for (u32 axis = 0; axis < 3; axis++) {
            u32 word = word_of_float(s->position[MD_WORDS * i + axis]);
            low[axis] = min_u32(low[axis], word);
            high[axis] = high[axis] > word ? high[axis] : word;
        }
    for (u32 axis = 0; axis < 3 && s->first < s->atoms; axis++) {
        (void)word_min(&s->control[MD_BOUNDS + axis], low[axis]);
        (void)word_max(&s->control[MD_BOUNDS + 3 + axis], high[axis]);
    }
}

device_inline bool is_periodic(const struct md *s)
{
    return s->field.edge[0] > 0.0f;
}

device_inline void choose_grid(struct md *s)
{
    float low[3], high[3];
    for (u32 axis = 0; axis < 3; axis++) {
        low[axis] = is_periodic(s) ? s->field.low[axis] : float_of_word(word_fresh(&s->control[MD_BOUNDS + axis]));
        high[axis] = is_periodic(s) ? low[axis] + s->field.edge[axis]
                                    : float_of_word(word_fresh(&s->control[MD_BOUNDS + 3 + axis]));
    }
    s->grid = md_grid_over(low, high, s->field.reach, s->atoms);
}

/* ---- cells: a counting sort ---- */

device_inline void wrap_atoms(const struct md *s)
{
    for (u64 i = s->first; i < s->atoms && is_periodic(s); i += s->items)
        for (u32 axis = 0; axis < 3; axis++) {
            global_mem float *at = &s->position[MD_WORDS * i + axis];
            *at = md_wrapped(*at, s->field.low[axis], s->field.edge[axis]);
        }
}

device_inline void clear_cells(const struct md *s)
{
    for (u64 c = s->first; c <= s->grid.cells; c += s->items) s->begin[c] = 0;
}

/* next_id[] holds an atom's place in its cell until the atoms are ordered. */
device_inline void count_cells(const struct md *s)
{
    for (u64 i = s->first; i < s->atoms; i += s->items) {
        s->cell[i] = md_cell_of(&s->grid, &s->position[MD_WORDS * i]);
        s->next_id[i] = word_add(&s->begin[s->cell[i]], 1);
    }
}

device_inline u64 warp_number(void)
{
    return (u64)group_id() * warp_count() + warp_id();
}

device_inline u64 range_begin(const struct md *s, u64 warp)
{
    u64 warps = (u64)group_count() * warp_count(), cells = (u64)s->grid.cells + 1;
    return min_u64((cells + warps - 1) / warps * warp, cells);
}

device_inline u64 warp_sum_long(u64 value)
{
    for (u32 step = WARP / 2; step > 0; step /= 2) value += warp_shuffle_long(value, lane_id() ^ step);
    return value;
}

/* The prefix sum of begin[], in two phases: each warp has a range of cells. */
device_inline void sum_range(const struct md *s)
{
    u64 warp = warp_number(), sum = 0;
    for (u64 c = range_begin(s, warp) + lane_id(); c < range_begin(s, warp + 1); c += WARP) sum += s->begin[c];
    sum = warp_sum_long(sum);
    if (lane_id() == 0) s->part[warp] = sum;
}

device_inline void place_range(const struct md *s)
{
    u64 warp = warp_number(), before = 0;
    for (u64 i = lane_id(); i < warp; i += WARP) before += s->part[i];
    before = warp_sum_long(before);
    for (u64 base = range_begin(s, warp); base < range_begin(s, warp + 1); base += WARP) {
        u64 c = base + lane_id();
        u32 count = c < range_begin(s, warp + 1) ? s->begin[c] : 0, sum = count;
        for (u32 step = 1; step < WARP; step *= 2) {
            u32 other = warp_shuffle(sum, lane_id() >= step ? lane_id() - step : 0);
            sum += lane_id() >= step ? other : 0;
        }
        if (c < range_begin(s, warp + 1)) s->begin[c] = (u32)before + sum - count;
        before += warp_shuffle(sum, WARP - 1);
    }
}

device_inline void fill_cells(const struct md *s)
{
    for (u64 i = s->first; i < s->atoms; i += s->items) s->member[s->begin[s->cell[i]] + s->next_id[i]] = (u32)i;
}

/* Sorts the atoms of each cell by number: some twenty of them, by insertion. */
device_inline void sort_cells(const struct md *s)
{
    for (u64 c = s->first; c < s->grid.cells; c += s->items)
        for (u32 i = s->begin[c]; i < s->begin[c + 1]; i++) {
            u32 atom = s->member[i], at = i;
            for (; at > s->begin[c] && s->member[at - 1] > atom; at--) s->member[at] = s->member[at - 1];
            s->member[at] = atom;
        }
}

/* ---- the order of the atoms ---- */

device_inline void permute_atoms(const struct md *s)
{
    for (u64 i = s->first; i < s->atoms; i += s->items) {
        u64 from = s->reorders ? s->member[i] : i;
        copy_words(&s->built_at[MD_WORDS * i], &s->position[MD_WORDS * from]);
        if (is_own(s, i)) copy_words(&s->sorted[MD_WORDS * i], velocity_of(s, from));
        s->next_id[i] = s->id[from];
    }
}

device_inline void take_order(const struct md *s)
{
    for (u64 i = s->first; i < s->atoms; i += s->items) {
        copy_words(&s->position[MD_WORDS * i], &s->built_at[MD_WORDS * i]);
        if (is_own(s, i)) copy_words(&s->velocity[MD_WORDS * i], &s->sorted[MD_WORDS * i]);
        s->id[i] = s->next_id[i];
        s->cell[i] = md_cell_of(&s->grid, &s->built_at[MD_WORDS * i]);
        if (s->reorders) s->member[i] = (u32)i;
    }
}

/* ---- lists ---- */

device_inline global_mem u32 *list_of(const struct md *s, u32 atom)
{
    return &s->list[(u64)(atom / WARP) * s->capacity * WARP + atom % WARP];
}

/* Appends the atoms of a cell. Returns the length, which may exceed the capacity. Adds the devices of atoms that are
 * not this device's to *wanted. */
device_inline u32 list_cell(const struct md *s, u32 atom, u32 cell, u32 length, u32 *wanted)
{
    global_mem u32 *list = list_of(s, atom);
    for (u32 i = s->begin[cell]; i < s->begin[cell + 1]; i++) {
        u32 other = s->member[i];
        if (other == atom) continue;
        if (!md_is_neighbour(&s->field, &s->position[(u64)MD_WORDS * atom], &s->position[(u64)MD_WORDS * other]))
            continue;
        if (length < s->capacity) list[(u64)length * WARP] = other;
        if (s->links && other - s->from >= s->end - s->from) *wanted |= 1u << device_of(s, other);
        length++;
    }
    return length;
}

device_inline u32 list_atom(const struct md *s, u32 atom)
{
    const struct gws__md_grid *grid = &s->grid;
    u32 cell = s->cell[atom], row = cell / grid->count[0], length = 0, wanted = 0;
    struct md_around x = md_cells_beside(cell % grid->count[0], grid->count[0], is_periodic(s));
    struct md_around y = md_cells_beside(row % grid->count[1], grid->count[1], is_periodic(s));
    struct md_around z = md_cells_beside(row / grid->count[1], grid->count[2], is_periodic(s));
    for (u32 k = 0; k < z.count; k++)
        for (u32 j = 0; j < y.count; j++)
            for (u32 i = 0; i < x.count; i++)
                length = list_cell(s, atom, (z.at[k] * grid->count[1] + y.at[j]) * grid->count[0] + x.at[i], length,
                                   &wanted);
    if (s->links) s->wanted[atom] = wanted;
    return length;
}

device_inline u32 units_of(const struct md *s)
{
    return (s->end - s->from + WARP - 1) / WARP;
}

device_inline u32 unit_begin(const struct md *s, u32 unit)
{
    return min_u32(s->from + unit * WARP, s->end);
}

/* Opens a step of the work distributor; the distributor's step alternates between two sets of cursors. */
device_inline struct distributor units_open(struct md *s, u32 counts)
{
    return distributor_open(s->cursors, s->stats, s->rounds, units_of(s), 1, counts, s->schedule);
}

device_inline void units_close(struct md *s)
{
    distributor_clear(s->cursors, s->rounds);
    s->rounds++;
    next_phase(s);
}

device_inline void build_lists(struct md *s)
{
    struct distributor work = units_open(s, 0);
    struct unit_range at = {0, 0};
    u32 longest = 0;
    while (distributor_next(&work, &at))
        for (u32 atom = unit_begin(s, at.begin) + lane_id(); atom < unit_begin(s, at.end); atom += WARP) {
            u32 length = list_atom(s, atom);
            s->length[atom] = length;
            longest = longest > length ? longest : length;
        }
    if (longest > 0) (void)word_max(&s->control[MD_LONGEST], longest);
    units_close(s);
}

device_inline void rebuild(struct md *s)
{
    if (s->first == 0) s->control[MD_REBUILDS]++;
    wrap_atoms(s);
    if (!is_periodic(s)) find_bounds(s);
    next_phase(s);
    choose_grid(s);
    clear_cells(s);
    next_phase(s);
    for (u32 i = s->first; i < 6; i += s->items) s->control[MD_BOUNDS + i] = i < 3 ? 0xffffffffu : 0;
    count_cells(s);
    next_phase(s);
    sum_range(s);
    next_phase(s);
    place_range(s);
    next_phase(s);
    fill_cells(s);
    next_phase(s);
    sort_cells(s);
    next_phase(s);
    permute_atoms(s);
    (void)meet(s, MD_READY); /* the others have read the velocities that take_order() overwrites */
    take_order(s);
    next_phase(s);
    build_lists(s);
}
