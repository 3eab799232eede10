/* SPDX-License-Identifier: MIT */
/* The atoms of gtask md: made from options, or read from a file; and written to a file, once or as a trajectory. */
#ifndef TOOLS_GTASK_MD_ATOMS_H
#define TOOLS_GTASK_MD_ATOMS_H

#include <math.h>

#include "../common/options.h"
#include "workload.h"

struct md_atoms {
    uint64_t atoms;                      /* 0: not given */
    double density, temperature, charge; /* NAN: not given, and unknown of a file's atoms */
    const char *shape, *input, *out, *lattice;
    double edge[3];         /* of --lattice */
    struct gws_points read; /* the atoms of the file; empty without a file */
    double low[3], high[3]; /* their box */
    uint64_t frames;        /* steps from a frame of --out to the next; 0: the file has one frame, the last atoms */
    struct gws_output *output;
    struct gws_diagnostic where; /* of the output */
};

#define MD_ATOMS_INITIAL                                                                                               \
    {                                                                                                                  \
        .density = NAN, .temperature = NAN, .charge = NAN                                                              \
    }

enum { MD_ATOMS_ROWS = 9 };
extern const struct option_row md_atoms_row[MD_ATOMS_ROWS];

/* Checks the options against each other and sets the defaults of those not given. Returns -1, or the exit status. */
int md_atoms_check(struct md_atoms *atoms);

/* Refuses 0 as the value of an option. Returns -1, or the exit status. */
int md_check_positive(const char *option, double value);

/* Reads the file, if one is given. Returns -1, or the exit status. */
int md_atoms_read(struct md_atoms *atoms, struct gws_runtime *runtime);
void md_atoms_clear(struct md_atoms *atoms);

/* Sets *set and its box to the file's atoms, or to new ones. The caller clears the set before these atoms. */
gws_status md_atoms_begin(const struct md_atoms *atoms, struct gws_runtime *runtime, uint64_t seed,
                          struct gws_points *set, double low[3], double high[3]);

/* Sums the velocities of a set from md_atoms_begin(). */
void md_atoms_momentum(const struct gws_points *set, double sum[3]);

/* Opens the file of --out. Removes what was written to it before. */
gws_status md_atoms_open(struct md_atoms *atoms, struct gws_runtime *runtime);

/* Appends a set from gws_md_fetch() to the open file as a frame. An error's message is in atoms->where. */
gws_status md_atoms_append(struct md_atoms *atoms, const struct gws_points *set, const double low[3],
                           const double high[3]);

/* Ends the file, which appears if status is GWS_OK. Returns -1, or the exit status. */
int md_atoms_close(struct md_atoms *atoms, gws_status status);

#endif
