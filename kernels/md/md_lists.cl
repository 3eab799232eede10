/* SPDX-License-Identifier: MIT */
/* The lists of molecular dynamics on a device: the neighbours of each atom. The lists of a warp's atoms are
 * interleaved: entry i of an atom is WARP words behind entry i - 1. */

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
    struct md_four at = md_load(s->position, atom);
    for (u32 i = s->begin[cell]; i < s->begin[cell + 1]; i++) {
        u32 other = s->member[i];
        if (other == atom) continue;
        if (!md_is_neighbour(&s->field, at, md_load(s->position, other))) continue;
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
    if (s->links) (void)meet(s, MD_READY);
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
    find_near(s);
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
