/* SPDX-License-Identifier: MIT */
/* Molecular dynamics with short-range forces, the irregular workload of Chen, Villa, Krishnamoorthy, Gao: "Dynamic Load
 * Balancing on Single- and Multi-GPU Systems", IPDPS 2010, section 6. Atoms attract and repel each other by
 * Lennard-Jones and electrostatic forces within a cut-off. Dense regions of space cost more than sparse ones. A task is
 * the force on 128 atoms, so the workers' policy balances the load.
 *
 * Units are reduced: lengths in sigma, energies in epsilon, masses in the mass of an atom, and charges in
 * sqrt(4 pi eps0 sigma epsilon). For helium, sigma is 2.556 Angstrom and epsilon is 10.22 K times Boltzmann's constant.
 * The energy of two atoms at distance r is 4 (r^-12 - r^-6) + q1 q2 / r, shifted so that energy and force are 0 at the
 * cut-off (Toxvaerd, Dyre, J. Chem. Phys. 134, 2011).
 *
 * Positions, velocities and forces are floats. Sums of energies and momenta are doubles. Velocity Verlet moves the
 * atoms. Each atom has a list of its neighbours within cut-off and skin. The lists are built again when an atom may
 * have moved by half the skin (Frenkel, Smit, "Understanding Molecular Simulation", appendix F). No result depends on
 * the number of threads or on the policy. */
#ifndef GWS_MD_H
#define GWS_MD_H

#include "../lib/points.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GWS_MD_TASK = 128 /* atoms of a task */ };

/* The order in which tasks take the atoms. */
enum gws_md_order {
    GWS_MD_SPATIAL,    /* by cells of the cut-off's size, row after row; restored whenever lists are built */
    GWS_MD_POPULATION, /* the same, and fuller cells before emptier ones ("decomposition-sort" of Chen et al.) */
    GWS_MD_RANDOM      /* a random permutation ("randomization" of Chen et al.) */
};

/* The tasks that compute nothing, for measurements of load balance (patterns P0 to P4 of Chen et al., Figure 6). The
 * paper does not give the shares of P1 to P3; these are ours. With a pattern other than P0 the atoms rest, and
 * results have no physical meaning. */
enum gws_md_pattern {
    GWS_MD_P0, /* every task has work */
    GWS_MD_P1, /* every fourth task has none */
    GWS_MD_P2, /* every second task has none */
    GWS_MD_P3, /* the second half of the tasks has none */
    GWS_MD_P4  /* three of four tasks have none */
};

/* Return the names "spatial", "population", "random", and "P0" to "P4", in the order of the enums, or NULL past the
 * end. */
GWS_API const char *gws_md_order_at(uint32_t i);
GWS_API const char *gws_md_pattern_at(uint32_t i);

/* {0} selects the default of each member. */
struct gws_md_options {
    double cutoff; /* 0: 2.5 */
    double skin;   /* 0: 0.3 */
    double step;   /* time of a step; 0: 0.004 */
    /* A box whose opposite faces are the same place. Its edges are at least 2 (cutoff + skin). All zeros: open space.
     */
    double low[3], high[3];
    enum gws_md_order order;
    enum gws_md_pattern pattern;
    uint64_t seed; /* of GWS_MD_RANDOM */
};

/* ---- initial states ---- */

struct gws_md_start {
    uint64_t atoms;
    double density;     /* atoms per volume, of GWS_MD_GAUSS at the centre; 0: 0.84 */
    double temperature; /* of the velocities; 0: 1 */
    double charge;      /* every second atom has this charge, and the others its negative; may be 0 */
    bool gauss;         /* the density falls with the distance from the centre by Gauss's curve; false: it is uniform */
    uint64_t seed;
};

/* Places atoms on a face-centred cubic lattice: a full one in the box low .. high (3 entries each, outputs), or one
 * that thins out around the origin, with low and high 0. Velocities are normally distributed, and their sum is 0. The
 * set has floats and the columns vx, vy, vz and charge. Errors, which leave the outputs unchanged: GWS_INVALID (a
 * density or temperature below 0, or not finite), GWS_TOO_LARGE (2^31 atoms or more), GWS_NO_MEMORY, GWS_CANCELLED.
 * Time: O(atoms), for a Gaussian density 14 times as much. */
GWS_API gws_status gws_md_begin(struct gws_runtime *runtime, const struct gws_md_start *start, struct gws_points *atoms,
                                double low[3], double high[3]);

/* ---- simulation ---- */

struct gws_md;

struct gws_md_result {
    uint64_t atoms;
    uint64_t steps;            /* of this call */
    uint64_t tasks;            /* tasks of 128 atoms that computed forces, in all steps */
    uint64_t rebuilds;         /* number of times the lists were built */
    uint64_t neighbours;       /* entries of the lists; both atoms of a pair have one */
    uint64_t pairs;            /* pairs of atoms within the cut-off, at the end */
    double potential, kinetic; /* energies at the end */
    double energy;             /* total energy when the object was opened */
    double drift;              /* largest |total energy - energy| / atoms of all steps since opening */
    double momentum[3];        /* sum of the velocities at the end */
    double ms;                 /* time of the steps of this call */
    double rebuild_ms;         /* the part of it that built lists */
};

/* Copies the atoms, builds the lists and computes the first forces. atoms: coordinates, and optionally the columns vx,
 * vy, vz and charge (any kind of number; 0 if absent). options may be NULL. Errors, with a message in *where (may be
 * NULL): GWS_INVALID (a cut-off, skin or step that is negative or not finite, a box that is too small, a coordinate
 * beyond 1e9 or not finite, two atoms at one place), GWS_TOO_LARGE (2^31 atoms or more), GWS_NO_MEMORY, GWS_CANCELLED.
 * Memory: 96 bytes per atom, 4 bytes per neighbour, and 4 bytes per cell, of which there are at most twice as many as
 * atoms. */
GWS_API gws_status gws_md_open(struct gws_runtime *runtime, const struct gws_points *atoms,
                               const struct gws_md_options *options, struct gws_md **md, struct gws_diagnostic *where);
GWS_API void gws_md_close(struct gws_md *md); /* accepts NULL */

/* Runs `steps` steps on the runtime of gws_md_open(). Sets all fields of *result. Errors: GWS_INVALID (an energy is not
 * finite: the time step is too long), GWS_NO_MEMORY, GWS_CANCELLED. After an error the atoms are those of some earlier
 * step, and *result is unchanged. Time of a step: about 100 distances per atom in a liquid. */
GWS_API gws_status gws_md_run(struct gws_md *md, uint64_t steps, struct gws_md_result *result,
                              struct gws_diagnostic *where);

/* Copies the atoms in the order of gws_md_open(): coordinates as floats, and the columns vx, vy, vz, charge, fx, fy, fz
 * (forces) as floats. In a periodic box, the coordinates lie within the box. Errors: GWS_NO_MEMORY. */
GWS_API gws_status gws_md_fetch(const struct gws_md *md, struct gws_points *atoms);

/* Checks the atoms of gws_md_fetch() and the result by separate, serial code in doubles. The forces on a sample of 256
 * atoms, or on all of at most 4,096, agree with sums over all other atoms. For at most 4,096 atoms, the potential
 * energy and the number of pairs agree as well. Kinetic energy and momentum agree with the velocities. The energy
 * drifted by at most 0.02 per atom, and the sum of the velocities is what it was (momentum_before, 3 entries). Errors:
 * GWS_WRONG_RESULT (where->message describes the first fault), GWS_INVALID (a pattern other than P0), GWS_NO_MEMORY,
 * GWS_CANCELLED. */
GWS_API gws_status gws_md_check(struct gws_runtime *runtime, const struct gws_points *atoms,
                                const struct gws_md_options *options, const struct gws_md_result *result,
                                const double momentum_before[3], struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
