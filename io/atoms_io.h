/* SPDX-License-Identifier: MIT */
/* Reads and writes atoms as XYZ files of molecules. A frame has a line with the number of atoms, a line of comment, and
 * a line for each atom: SPECIES X Y Z, SPECIES X Y Z VX VY VZ, or SPECIES X Y Z VX VY VZ CHARGE. The comment may be an
 * extended one (github.com/libAtoms/extxyz): KEY=VALUE or KEY="VALUES". The keys, ignoring case:
 *
 * - Lattice="A 0 0 0 B 0 0 0 C": a box with these edges, whose opposite faces are the same place.
 * - Origin="X Y Z": the box's lowest corner; by default 0 0 0.
 * - pbc="T T T" or "F F F": with F the space is open, whatever the lattice.
 * - Properties=species:S:1:pos:R:3:velo:R:3:charge:R:1: the columns of the lines in their order. Names are species;
 * pos; velo, vel, velocity or velocities; charge, charges, initial_charges or q. The reader skips force and forces, and
 *   refuses other columns.
 *
 * The reader ignores other keys and comments. Numbers have any units; gtask takes them as those of traversal/md.h. */
#ifndef GWS_ATOMS_IO_H
#define GWS_ATOMS_IO_H

#include "../lib/points.h"
#include "output_io.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GWS_SPECIES_BYTES = 8 /* the longest name of a species */ };

/* Reads the first frame of path ("-": standard input), plain or gzip. *atoms is a set like those of gws_md_begin():
 * floats in the order of the lines, and the columns vx, vy, vz and charge (floats; 0 if the file lacks them). A further
 * column "species" (GWS_NUMBER_U64) has the eight bytes of each name as they are in memory, with zeros after a shorter
 * name. low and high (3 entries each, outputs) are the box's corners, or all 0 for open space. Outputs are unchanged
 * after an error. Errors, with file, line and column in *where (may be NULL): GWS_SYSTEM, GWS_SYNTAX (a line that
 * breaks the rules, a number that is not finite or too large for a float, more atoms than the first line tells, a box
 * with an edge of 0), GWS_TRUNCATED (fewer atoms), GWS_TOO_LARGE (a count beyond 64 bits), GWS_UNSUPPORTED (an
 * oblique box, a box with open and closed faces, another column), GWS_NO_MEMORY, GWS_CANCELLED, and those of gzip.
 * Memory: the set, and up to twice 40 bytes per atom during the call. The reader skips later frames. */
GWS_API gws_status gws_atoms_read(struct gws_runtime *runtime, const char *path, struct gws_points *atoms,
                                  double low[3], double high[3], struct gws_diagnostic *where);

/* Appends a frame to the output, which the caller opens, and closes with the status of this call. Several calls make a
 * trajectory. The frame has the columns species (X for each atom without that column), vx, vy, vz and charge of the
 * set, if all of the latter four exist, and no others. Every number is the shortest text that reads back as the same
 * number, so the reader returns equal atoms. low and high: the box, or all 0 for open space. Errors: GWS_INVALID (a
 * species that is no name, or not of GWS_NUMBER_U64), GWS_SYSTEM, GWS_NO_MEMORY, GWS_CANCELLED, GWS_BUSY. */
GWS_API gws_status gws_atoms_write(struct gws_output *output, const struct gws_points *atoms, const double low[3],
                                   const double high[3]);

#ifdef __cplusplus
}
#endif
#endif
