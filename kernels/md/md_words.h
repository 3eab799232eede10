/* SPDX-License-Identifier: MIT */
/* Words of molecular dynamics that host and kernels share. */
#ifndef GWS_KERNELS_MD_WORDS_H
#define GWS_KERNELS_MD_WORDS_H

#define MD_WORDS 4u /* floats of an atom in each array: x, y, z and charge; velocity; force and potential energy */

/* The pair potential and the box. half: half of an edge, or larger than any distance where space is open. */
struct gws__md_field {
    float cutoff_square, cutoff;
    float force, energy;               /* of Lennard-Jones at the cut-off */
    float charge_force, charge_energy; /* of two unit charges at the cut-off */
    float edge[3], half[3];
};

#endif
