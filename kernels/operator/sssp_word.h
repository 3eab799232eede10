/* SPDX-License-Identifier: MIT */
/* Distances for kernels/operator/sssp.cl and sssp_parents.cl: integers of 32 bits, for integer weights. word[3] is
 * delta, the width of a bucket; NONE: there is one bucket. */
typedef u32 sssp_distance;
#define SSSP_UNREACHED NONE
#define sssp_min word_min
#define sssp_fresh word_fresh

/* Returns SSSP_UNREACHED if the sum exceeds a word. */
device_inline sssp_distance sssp_add(sssp_distance distance, u32 weight)
{
    return distance + weight >= distance ? distance + weight : SSSP_UNREACHED;
}

device_inline u32 sssp_bucket(const op_engine *s, sssp_distance distance)
{
    (void)s;
    return distance;
}
