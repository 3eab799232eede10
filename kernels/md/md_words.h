/* SPDX-License-Identifier: MIT */
/* Words of molecular dynamics that host and kernels share. */
#ifndef GWS_KERNELS_MD_WORDS_H
#define GWS_KERNELS_MD_WORDS_H

#define MD_TASK 128u /* atoms of a task */
#define MD_WORDS 4u  /* floats of an atom in each array: x, y, z and charge; velocity; force and potential energy */

/* The pair potential and the box. half_edge: half of an edge, or larger than any distance where space is open. */
struct gws__md_field {
    float cutoff_square, cutoff;
    float force, energy;               /* of Lennard-Jones at the cut-off */
    float charge_force, charge_energy; /* of two unit charges at the cut-off */
    float low[3], edge[3], half_edge[3];
    float reach; /* cut-off and skin */
};

/* A grid of cells whose edges are at least `reach`. Cell (i, j, k) has number (k * count[1] + j) * count[0] + i. */
struct gws__md_grid {
    float low[3], edge[3]; /* edge: of one cell */
    unsigned count[3], cells;
};

/* Words of control[] of kernels/md/md_run.cl. */
#define MD_STEPS 0u    /* steps that ended in this launch */
#define MD_REBUILDS 1u /* number of times the lists were built */
#define MD_STALE 2u    /* and the next word: an atom may have moved by half the skin, for even and odd steps */
#define MD_LONGEST 4u  /* the longest list; longer than the capacity: the launch ended before it was complete */
#define MD_BROKEN 5u   /* an energy was not finite */
#define MD_BOUNDS 6u   /* six words: the smallest and largest coordinates, as words in the order of floats */
#define MD_READY 12u   /* several devices meet before they move atoms; no device marks it */
#define MD_SHORT 13u   /* a list is longer than the capacity, on any device */
#define MD_CONTROL 14u

#define MD_ENDED 2u /* meet(): the host has ended the kernel while it waited for other devices */

/* Words of 64 bits of links[]: the number of devices, the number of this one, and for each device the addresses of its
 * positions, its velocities, its numbers of atoms (id[]), and MD_MEET words of 64 bits, which are 0 before the first
 * launch. */
#define MD_LINK_DEVICES 0u
#define MD_LINK_OWN 1u
#define MD_LINK_ARRAYS 2u
#define MD_LINK_WORDS 4u
#define MD_LINK_POSITION 0u
#define MD_LINK_VELOCITY 1u
#define MD_LINK_ID 2u
#define MD_LINK_MEET 3u
#define MD_MEETINGS 32u /* the number of meetings of earlier launches; before it two words for each of 16 devices */
#define MD_MEET 33u

/* The schedule of a launch without forces. Others are SCHEDULE_STEAL and so on. */
#define MD_NO_FORCES 16u

/* Words of 64 bits of sums[] for each step. Energies are multiples of 2^-MD_ENERGY_BITS. */
#define MD_POTENTIAL 0u
#define MD_KINETIC 1u
#define MD_PAIRS 2u
#define MD_SUMS 3u
#define MD_ENERGY_SCALE 1048576.0

/* Words of 64 bits of stats[]. */
#define MD_RAN 0u
#define MD_STOLEN 1u
#define MD_STEALS 2u
#define MD_IDLE 3u /* ticks that groups waited at barriers and for tasks of the host */
#define MD_BUSY 4u /* ticks of all groups */
#define MD_STATS 5u

#endif
