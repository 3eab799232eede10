/* SPDX-License-Identifier: MIT */
/* The rules of Louvain and Leiden, which threads and devices share, so their results are equal in every bit. Include
 * it after a portability header. traversal/graph/communities/moving.c explains the rounds and classes.
 *
 * No product may be fused with a sum, because only some devices fuse them. */
#ifndef GWS_KERNELS_COMMUNITIES_RULES_H
#define GWS_KERNELS_COMMUNITIES_RULES_H

#define COMMUNITIES_BLOCK 16u /* nodes of a block, and number of classes */
#define COMMUNITIES_ROUNDS 64u
#define COMMUNITIES_FIRST 1000u /* any number; the known graphs are tested with this one */

device_inline u32 block_rotation(u32 block, u32 round)
{
    u32 hash = ((block + 1) * 2654435769u) ^ ((round + COMMUNITIES_FIRST) * 2246822519u);
    hash = (hash ^ hash >> 15) * 2246822507u;
    return (hash ^ hash >> 13) / (0xffffffffu / COMMUNITIES_BLOCK + 1);
}

device_inline u32 class_of_node(u32 node, u32 round)
{
    return (node + block_rotation(node / COMMUNITIES_BLOCK, round)) % COMMUNITIES_BLOCK;
}

/* Returns the node of a block that is in the class. It may lie behind the last node of the level. */
device_inline u32 node_of_class(u32 block, u32 number, u32 round)
{
    return block * COMMUNITIES_BLOCK + (number - block_rotation(block, round)) % COMMUNITIES_BLOCK;
}

/* Returns the increase of modularity, times total, if a node of this degree joins a community. sum: the weight of the
 * arcs from the node to the community. degrees: the degrees of the members. */
device_inline double modularity_gain(double resolution, u64 total, u64 sum, u64 degree, u64 degrees)
{
    return (double)sum - double_product(resolution * (double)degree, (double)degrees / (double)total);
}

/* Returns the gain that a move must exceed. A smaller increase may be a rounding error. */
device_inline double min_gain(double base, u64 degree)
{
    return base + double_product(1e-9, (double)degree);
}

/* Returns the share of a community in the sum of squares of the modularity, in multiples of 2^-60. */
device_inline u64 modularity_square(u64 degrees, u64 total)
{
    double part = (double)degrees / (double)total;
    return (u64)(part * part * 1152921504606846976.0);
}

#endif
