/* SPDX-License-Identifier: MIT */
/* The cells of molecular dynamics on a device: a counting sort of the atoms into cells, and the order of the atoms.
 * Atoms of a cell are sorted by number, so no result depends on the number of groups. */

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

/* Moves atoms back into the box. With other devices, each does so with its own atoms, and writes them to all. */
device_inline void wrap_atoms(const struct md *s)
{
    u64 from = s->links ? s->from : 0, end = s->links ? s->end : s->atoms;
    for (u64 i = from + s->first; i < end; i += s->items) {
        for (u32 axis = 0; axis < 3 && is_periodic(s); axis++) {
            global_mem float *at = &s->position[MD_WORDS * i + axis];
            *at = md_wrapped(*at, s->field.low[axis], s->field.edge[axis]);
        }
        if (s->links) send_position(s, i, all_others(s));
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
        s->cell[i] = md_cell_of(&s->grid, md_load(s->position, i));
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
        u32 count = c < range_begin(s, warp + 1) ? s->begin[c] : 0, sum = warp_prefix(count);
        if (c < range_begin(s, warp + 1)) s->begin[c] = (u32)before + sum - count;
        before += warp_shuffle(sum, WARP - 1);
    }
}

/* Returns the cell of the atom that will have a place in the order: the last one that begins there or before. */
device_inline u32 cell_at(const struct md *s, u32 place)
{
    u32 low = 0, high = s->grid.cells;
    while (high - low > 1) {
        u32 middle = low + (high - low) / 2;
        if (s->begin[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Finds the cells of this device's atoms and those beside them. Two layers reach beyond any of these: neighbours in a
 * layer are at most a layer apart, also through faces of the box. */
device_inline void find_near(struct md *s)
{
    u32 cells = s->grid.cells, margin = 2 * s->grid.count[0] * s->grid.count[1];
    s->near_cell = 0, s->near_cells = cells;
    if (!s->links || !s->reorders || s->from >= s->end) return;
    u32 low = cell_at(s, s->from), high = cell_at(s, s->end - 1);
    if ((u64)(high - low) + 1 + 2 * (u64)margin >= cells) return;
    s->near_cell = (low + cells - margin) % cells;
    s->near_cells = high - low + 1 + 2 * margin;
}

device_inline bool is_near(const struct md *s, u32 cell)
{
    return (cell + s->grid.cells - s->near_cell) % s->grid.cells < s->near_cells;
}

device_inline void fill_cells(const struct md *s)
{
    for (u64 i = s->first; i < s->atoms; i += s->items)
        if (is_near(s, s->cell[i])) s->member[s->begin[s->cell[i]] + s->next_id[i]] = (u32)i;
}

/* Sorts the atoms of each near cell by number: some twenty of them, by insertion. */
device_inline void sort_cells(const struct md *s)
{
    for (u32 k = s->first; k < s->near_cells; k += s->items) {
        u32 c = (s->near_cell + k) % s->grid.cells;
        for (u32 i = s->begin[c]; i < s->begin[c + 1]; i++) {
            u32 atom = s->member[i], at = i;
            for (; at > s->begin[c] && s->member[at - 1] > atom; at--) s->member[at] = s->member[at - 1];
            s->member[at] = atom;
        }
    }
}

/* ---- the order of the atoms ---- */

/* Returns the number of atoms in the near cells. They are those from begin[near_cell] on, after the last one the first
 * one. */
device_inline u32 near_atoms(const struct md *s)
{
    u32 end = s->near_cell + s->near_cells, cells = s->grid.cells;
    if (end <= cells) return s->begin[end] - s->begin[s->near_cell];
    return s->atoms - s->begin[s->near_cell] + s->begin[end - cells];
}

device_inline u64 near_atom(const struct md *s, u64 k)
{
    u64 at = s->begin[s->near_cell] + k;
    return at < s->atoms ? at : at - s->atoms;
}

device_inline void permute_atoms(const struct md *s)
{
    u32 count = near_atoms(s);
    for (u64 k = s->first; k < count; k += s->items) {
        u64 i = near_atom(s, k), from = s->reorders ? s->member[i] : i;
        md_store(s->built_at, i, md_load(s->position, from));
        if (!is_own(s, i)) continue;
        md_store(s->sorted, i, velocity_of(s, from));
        s->next_id[i] = id_of(s, from);
    }
}

device_inline void take_order(const struct md *s)
{
    u32 count = near_atoms(s);
    for (u64 k = s->first; k < count; k += s->items) {
        u64 i = near_atom(s, k);
        struct md_four at = md_load(s->built_at, i);
        md_store(s->position, i, at);
        if (s->reorders) s->member[i] = (u32)i;
        if (!is_own(s, i)) continue;
        md_store(s->velocity, i, md_load(s->sorted, i));
        s->id[i] = s->next_id[i];
        s->cell[i] = md_cell_of(&s->grid, at);
    }
}
