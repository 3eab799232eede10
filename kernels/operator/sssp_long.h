/* SPDX-License-Identifier: MIT */
/* Distances for kernels/operator/sssp.cl and sssp_parents.cl: integers of 64 bits, for integer weights. No sum
 * overflows. A bucket has a width of 2^word[2], and word[3] is 1. The last bucket has no end. */
typedef u64 sssp_distance;
#define SSSP_UNREACHED (~(u64)0)
#define sssp_min long_min
#define sssp_fresh long_fresh

device_inline sssp_distance sssp_add(sssp_distance distance, u32 weight)
{
    return distance + weight;
}

device_inline u32 sssp_bucket(const op_engine *s, sssp_distance distance)
{
    u64 bucket = distance >> s->word[2];
    return bucket < NONE ? (u32)bucket : NONE - 1u;
}
