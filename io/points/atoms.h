/* SPDX-License-Identifier: MIT */
/* The columns and the box of a frame of atoms (io/atoms_io.h). */
#ifndef GWS_IO_POINTS_ATOMS_H
#define GWS_IO_POINTS_ATOMS_H

#include "../atoms_io.h"
#include "reader.h"

/* The value of a token in an atom's line: the index of a number (x, y, z, vx, vy, vz, charge), or one of the last
 * two. */
enum { GWS__ATOM_POSITION, GWS__ATOM_VELOCITY = 3, GWS__ATOM_CHARGE = 6, GWS__ATOM_SPECIES, GWS__ATOM_SKIP };

enum { GWS__ATOM_NUMBERS = GWS__ATOM_SPECIES, GWS__ATOM_TOKENS = 16 };

struct gws__atoms_layout {
    uint32_t tokens; /* of each line; 0: the first line shows it */
    uint8_t value[GWS__ATOM_TOKENS];
    double low[3], high[3]; /* all 0: open space */
};

/* Returns true if the bytes are the name of a species: one to eight letters, digits, or one of + - _ . * #, the first
 * not a sign or point; a number only without a point. */
bool gws__atoms_is_species(const char *name, const char *end);

/* Reads the second line of a frame. Errors: GWS_SYNTAX, GWS_UNSUPPORTED. */
gws_status gws__atoms_comment(const struct gws__input *input, const struct gws__text_line *line,
                              struct gws__atoms_layout *layout);

/* Does the work of gws_atoms_read() with an open input. */
gws_status gws__atoms_read_input(struct gws__input *input, struct gws_points *atoms, double low[3], double high[3]);

#endif
