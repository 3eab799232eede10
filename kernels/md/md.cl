/* SPDX-License-Identifier: MIT */
/* The force on one atom from its list of neighbours (Chen et al., IPDPS 2010, section 6.1). traversal/md.h has the
 * potential. Each atom of a pair computes the pair, so no force is added by two workers. */

struct md_force {
    float x, y, z, energy; /* energy: half of the energies of the atom's pairs */
    u32 pairs;
};

/* Returns the distance to the nearest image. Atoms leave the box by less than half the skin before they are wrapped. */
device_inline float md_image(float d, float edge, float half)
{
    return d > half ? d - edge : d < -half ? d + edge : d;
}

/* Adds the force of one neighbour. sqrt() and the division are exact to rounding in all three languages. */
device_inline void md_add_pair(struct md_force *sum, const struct gws__md_field *field, global_mem const float *at,
                               global_mem const float *other)
{
    float x = md_image(at[0] - other[0], field->edge[0], field->half[0]);
    float y = md_image(at[1] - other[1], field->edge[1], field->half[1]);
    float z = md_image(at[2] - other[2], field->edge[2], field->half[2]);
    float square = x * x + y * y + z * z, charges = at[3] * other[3];
    bool inside = square < field->cutoff_square;
    float one = 1.0f / square, inverse = sqrt_of(one), sixth = one * one * one, beyond = square * inverse - field->cutoff;
    float force = field->force + charges * field->charge_force;
    float scale = (48.0f * sixth * sixth - 24.0f * sixth + charges * inverse) * one - force * inverse;
    float energy = 4.0f * (sixth * sixth - sixth) + charges * inverse - field->energy - charges * field->charge_energy +
                   beyond * force;
    scale = inside ? scale : 0.0f;
    sum->x += scale * x;
    sum->y += scale * y;
    sum->z += scale * z;
    sum->energy += inside ? 0.5f * energy : 0.0f;
    sum->pairs += inside;
}

/* The list of an atom has `length` entries, `stride` words apart. */
device_inline struct md_force md_force_on(const struct gws__md_field *field, global_mem const float *position, u32 atom,
                                          global_mem const u32 *list, u32 length, u32 stride)
{
    struct md_force sum = {0, 0, 0, 0, 0};
    for (u32 i = 0; i < length; i++)
        md_add_pair(&sum, field, position + (u64)MD_WORDS * atom, position + (u64)MD_WORDS * list[(u64)i * stride]);
    return sum;
}
