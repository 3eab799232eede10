/* SPDX-License-Identifier: MIT */
/* The grid of cells, and the force on one atom from its list of neighbours (Chen et al., IPDPS 2010, section 6.1).
 * traversal/md.h has the potential. Each atom of a pair computes the pair, so no force is added by two workers. */

/* The words of an atom in an array, which a GPU reads and writes at once. */
struct md_four {
    float x, y, z, w;
} __attribute__((aligned(16)));

device_inline struct md_four md_load(global_mem const float *array, u64 atom)
{
    return ((global_mem const struct md_four *)array)[atom];
}

device_inline void md_store(global_mem float *array, u64 atom, struct md_four words)
{
    ((global_mem struct md_four *)array)[atom] = words;
}

/* ---- cells ---- */

device_inline u32 md_cells_on_axis(float extent, float min_edge)
{
    float cells = extent / min_edge; /* not a number if the simulation broke down; then one cell */
    return !(cells > 1.0f) ? 1u : cells < 1048576.0f ? (u32)cells : 1048576u;
}

/* Returns a grid over low .. high with at most two cells for each atom, and 64 more: where atoms are far apart, cells
 * are larger. */
device_inline struct gws__md_grid md_grid_over(const float *low, const float *high, float min_edge, u32 atoms)
{
    struct gws__md_grid grid = {{0, 0, 0}, {1, 1, 1}, {1, 1, 1}, 1};
    float limit = 2.0f * (float)atoms + 64.0f, product = limit + 1.0f;
    for (; product > limit; min_edge *= 1.25f) {
        product = 1.0f;
        for (u32 axis = 0; axis < 3; axis++) {
            grid.count[axis] = md_cells_on_axis(high[axis] - low[axis], min_edge);
            product *= (float)grid.count[axis];
        }
    }
    grid.cells = grid.count[0] * grid.count[1] * grid.count[2];
    for (u32 axis = 0; axis < 3; axis++) {
        float extent = high[axis] - low[axis];
        grid.low[axis] = low[axis];
        grid.edge[axis] = extent > 0.0f ? extent / (float)grid.count[axis] : 1.0f;
    }
    return grid;
}

device_inline u32 md_cell_on_axis(const struct gws__md_grid *grid, u32 axis, float at)
{
    float cell = (at - grid->low[axis]) / grid->edge[axis];
    u32 last = grid->count[axis] - 1;
    return cell < 0.0f ? 0u : cell < (float)last ? (u32)cell : last;
}

device_inline u32 md_cell_of(const struct gws__md_grid *grid, struct md_four at)
{
    u32 layer = md_cell_on_axis(grid, 2, at.z) * grid->count[1] + md_cell_on_axis(grid, 1, at.y);
    return layer * grid->count[0] + md_cell_on_axis(grid, 0, at.x);
}

/* The cells along an axis beside cell `mine`: at most three, none twice. */
struct md_around {
    u32 count, at[3];
};

device_inline struct md_around md_cells_beside(u32 mine, u32 cells, bool wraps)
{
    struct md_around around = {0, {0, 0, 0}};
    for (u32 step = 0; step < 3 && step < cells; step++) {
        u32 next = cells < 3 ? step + cells : mine + step + cells - 1;
        if (wraps || (next >= cells && next < 2 * cells)) around.at[around.count++] = next % cells;
    }
    return around;
}

/* Moves a coordinate back into a periodic box. */
device_inline float md_wrapped(float at, float low, float edge)
{
    if (at < low || at >= low + edge) at -= floor((at - low) / edge) * edge;
    return at < low + edge ? at : low;
}

/* ---- distances and forces ---- */

/* Returns the distance to the nearest image. Atoms leave the box by less than half the skin before they are wrapped. */
device_inline float md_image(float d, float edge, float half_edge)
{
    return d > half_edge ? d - edge : d < -half_edge ? d + edge : d;
}

device_inline bool md_is_neighbour(const struct gws__md_field *field, struct md_four at, struct md_four other)
{
    float x = md_image(at.x - other.x, field->edge[0], field->half_edge[0]);
    float y = md_image(at.y - other.y, field->edge[1], field->half_edge[1]);
    float z = md_image(at.z - other.z, field->edge[2], field->half_edge[2]);
    return x * x + y * y + z * z <= field->reach * field->reach;
}

struct md_force {
    float x, y, z, energy; /* energy: half of the energies of the atom's pairs */
    u32 pairs;
};

device_inline void md_add_pair(struct md_force *sum, const struct gws__md_field *field, struct md_four at,
                               struct md_four other)
{
    float x = md_image(at.x - other.x, field->edge[0], field->half_edge[0]);
    float y = md_image(at.y - other.y, field->edge[1], field->half_edge[1]);
    float z = md_image(at.z - other.z, field->edge[2], field->half_edge[2]);
    float square = x * x + y * y + z * z, charges = at.w * other.w;
    bool inside = square < field->cutoff_square;
    float one = 1.0f / square, inverse = sqrt(one), sixth = one * one * one, beyond = square * inverse - field->cutoff;
    float force = field->force + charges * field->charge_force;
    float scale = (48.0f * sixth * sixth - 24.0f * sixth + charges * inverse) * one - force * inverse;
    float energy = 4.0f * (sixth * sixth - sixth) + charges * inverse - field->energy - charges * field->charge_energy +
                   beyond * force;
    scale = inside ? scale : 0.0f;
    sum->x += scale * x;
    sum->y += scale * y;
    sum->z += scale * z;
    sum->energy += inside ? 0.5f * energy : 0.0f;
    sum->pairs += inside ? 1 : 0;
}

/* The list of an atom has `length` entries, `stride` words apart. */
device_inline struct md_force md_force_on(const struct gws__md_field *field, global_mem const float *position, u32 atom,
                                          global_mem const u32 *list, u32 length, u32 stride)
{
    struct md_force sum = {0, 0, 0, 0, 0};
    struct md_four at = md_load(position, atom);
    for (u32 i = 0; i < length; i++) md_add_pair(&sum, field, at, md_load(position, list[(u64)i * stride]));
    return sum;
}
