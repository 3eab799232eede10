/* SPDX-License-Identifier: MIT */
/* Distances for kernels/operator/sssp.cl and sssp_parents.cl: bits of doubles, for weights that are bits of floats. No
 * value is negative, so the bits have the order of the values. Sums are rounded after each arc, as on threads. A
 * bucket has a width of 2^(1023 - word[2]), and word[3] is 1. The last bucket has no end. */
typedef u64 sssp_distance;
#define SSSP_UNREACHED ((u64)0x7ff << 52) /* infinity */
#define sssp_min long_min
#define sssp_fresh long_fresh

device_inline sssp_distance sssp_add(sssp_distance distance, u32 weight)
{
    double sum = double_of(distance) + (double)float_of(weight);
    return bits_of_double(sum);
}

device_inline u32 sssp_bucket(const op_engine *s, sssp_distance distance)
{
    double bucket = double_of(distance) * double_of((u64)s->word[2] << 52);
    return bucket < (double)(NONE - 1u) ? (u32)bucket : NONE - 1u;
}
