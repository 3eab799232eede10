/* SPDX-License-Identifier: MIT */
/* Writes a frame of an extended XYZ file of atoms (io/atoms_io.h). All workers format rows. */
#include <inttypes.h>
#include <string.h>

#include "../output/text.h"
#include "atoms.h"

enum { max_fields = 7 };

struct atom_rows {
    uint32_t fields; /* numbers of a row */
    struct gws_points_column field[max_fields];
    const uint64_t *species; /* NULL: every atom is an X */
};

static uint64_t species_length(uint64_t species)
{
    char name[GWS_SPECIES_BYTES + 1] = "";
    memcpy(name, &species, sizeof species);
    return strlen(name);
}

static char *format_rows(void *context, uint64_t begin, uint64_t end, char *text)
{
    const struct atom_rows *rows = context;
    for (uint64_t row = begin; row < end; row++) {
        uint64_t length = rows->species ? species_length(rows->species[row]) : 1;
        memcpy(text, rows->species ? (const char *)&rows->species[row] : "X", length);
        text += length;
        for (uint32_t i = 0; i < rows->fields; i++) {
            *text++ = ' ';
            text = gws__points_format_number(&rows->field[i], row, text);
        }
        *text++ = '\n';
    }
    return text;
}

/* Lists the coordinates, the velocities and the charge, as far as the set has them. */
static void list_fields(const struct gws_points *atoms, struct atom_rows *rows)
{
    static const char *const names[] = {"vx", "vy", "vz", "charge"};
    void *axis[] = {atoms->x, atoms->y, atoms->z};
    for (rows->fields = 0; rows->fields < 3; rows->fields++)
        rows->field[rows->fields] = (struct gws_points_column){
            .data = axis[rows->fields], .kind = atoms->is_double ? GWS_NUMBER_F64 : GWS_NUMBER_F32};
    for (int i = 0; i < 4; i++) {
        const struct gws_points_column *column = gws_points_find(atoms, names[i]);
        if (column) rows->field[rows->fields++] = *column;
    }
    if (rows->fields < max_fields) rows->fields = 3;
}

static gws_status find_species(const struct gws_output *output, const struct gws_points *atoms,
                               const uint64_t **species)
{
    const struct gws_points_column *column = gws_points_find(atoms, "species");
    *species = column ? column->data : NULL;
    if (!column) return GWS_OK;
    if (column->kind != GWS_NUMBER_U64)
        return gws_diagnostic_set(output->where, GWS_INVALID, output->file.path, 0, 0,
                                  "species are not 64-bit numbers");
    for (uint64_t i = 0; i < atoms->count; i++) {
        const char *name = (const char *)&(*species)[i];
        if (!gws__atoms_is_species(name, name + species_length((*species)[i])))
            return gws_diagnostic_set(output->where, GWS_INVALID, output->file.path, 0, 0,
                                      "the species of atom %" PRIu64 " is no name", i);
    }
    return GWS_OK;
}

/* Appends KEY="NUMBERS" and a blank. */
static gws_status write_key(struct gws_output *output, const char *key, const double *number, int count)
{
    char text[16 * GWS__TEXT_F64], *end = gws__text_string(text, key);
    end = gws__text_string(end, "=\"");
    for (int i = 0; i < count; i++) {
        end = gws__text_f64(end, number[i]);
        *end++ = i + 1 < count ? ' ' : '"';
    }
    *end++ = ' ';
    return gws_output_write(output, text, (uint64_t)(end - text));
}

static gws_status write_head(struct gws_output *output, uint64_t atoms, const struct atom_rows *rows,
                             const double low[3], const double high[3])
{
    double lattice[9] = {0};
    bool periodic = false;
    for (int axis = 0; axis < 3; axis++) {
        lattice[4 * axis] = high[axis] - low[axis];
        periodic |= low[axis] != 0 || high[axis] != 0;
    }
    gws_status status = gws_output_print(output, "%" PRIu64 "\n", atoms);
    if (status == GWS_OK && periodic) status = write_key(output, "Lattice", lattice, 9);
    if (status == GWS_OK && periodic && (low[0] != 0 || low[1] != 0 || low[2] != 0))
        status = write_key(output, "Origin", low, 3);
    if (status != GWS_OK) return status;
    return gws_output_print(output, "Properties=species:S:1:pos:R:3%s pbc=\"%s\"\n",
                            rows->fields == max_fields ? ":velo:R:3:charge:R:1" : "", periodic ? "T T T" : "F F F");
}

static gws_status atoms_write(struct gws_output *output, const struct gws_points *atoms, const double low[3],
                              const double high[3])
{
    struct atom_rows rows;
    list_fields(atoms, &rows);
    gws_status status = find_species(output, atoms, &rows.species);
    if (status == GWS_OK) status = write_head(output, atoms->count, &rows, low, high);
    struct gws__output_chunks chunks = {.count = atoms->count,
                                        .item_bytes = GWS_SPECIES_BYTES + 1 + max_fields * (GWS__TEXT_F64 + 1),
                                        .format = format_rows,
                                        .context = &rows};
    return status == GWS_OK ? gws__output_chunks(output, &chunks) : status;
}

gws_status gws_atoms_write(struct gws_output *output, const struct gws_points *atoms, const double low[3],
                           const double high[3])
{
    return GWS_CALL(output->runtime, output->where, atoms_write(output, atoms, low, high));
}
