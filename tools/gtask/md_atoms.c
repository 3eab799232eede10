/* SPDX-License-Identifier: MIT */
#include "md_atoms.h"

#include <string.h>

#include "../common/console.h"

#define FIELD(name) offsetof(struct md_atoms, name)

const struct option_row md_atoms_row[MD_ATOMS_ROWS] = {
    {NUMBER("atoms", "N", FIELD(atoms), 1, INT32_MAX, "simulate N atoms (default: 32768)")},
    {TEXT("shape", "uniform|gauss", FIELD(shape),
          "fill a periodic box, or open space more densely towards the\ncentre (default: uniform)")},
    {REAL("density", "X", FIELD(density), 1e6, "atoms per cubic sigma, of gauss at the centre (default: 0.84)")},
    {REAL("temperature", "X", FIELD(temperature), 1e6, "of the first velocities, in epsilon (default: 1)")},
    {REAL("charge", "X", FIELD(charge), 1e6, "atoms alternately have the charges X and -X (default: 0.1)")},
    {TEXT("input", "FILE", FIELD(input), "simulate the atoms of an XYZ file of molecules, in reduced units")},
    {TEXT("lattice", "X,Y,Z", FIELD(lattice),
          "edges of their periodic box (default: the file's Lattice, or\nopen space)")},
    {TEXT("out", "FILE.xyz", FIELD(out), "write the last atoms with their velocities, also .xyz.gz")},
    {NUMBER("frames", "N", FIELD(frames), 1, UINT32_MAX,
            "write a trajectory to --out instead: the first atoms, those after\nevery N steps, and the last")},
};

/* ---- options ---- */

/* Returns an option of made atoms that is given, or NULL. */
static const char *made_option(const struct md_atoms *atoms)
{
    return atoms->atoms                 ? "atoms"
           : atoms->shape               ? "shape"
           : !isnan(atoms->density)     ? "density"
           : !isnan(atoms->temperature) ? "temperature"
           : !isnan(atoms->charge)      ? "charge"
                                        : NULL;
}

static int check_lattice(struct md_atoms *atoms)
{
    const char *p = atoms->lattice;
    if (!p) return -1;
    if (!atoms->input) return console_usage("--lattice requires --input");
    for (int axis = 0; axis < 3 && p; axis++) {
        p = options_real(p, &atoms->edge[axis]);
        if (p && (*p != (axis < 2 ? ',' : '\0') || !(atoms->edge[axis] > 0))) p = NULL;
        if (p) p++;
    }
    return p ? -1 : console_usage("--lattice: expected three edges above 0 such as 10,10,10, got '%s'", atoms->lattice);
}

int md_check_positive(const char *option, double value)
{
    return value > 0 ? -1 : console_usage("--%s: expected a number above 0", option);
}

static void use_default(double *value, double usual)
{
    if (isnan(*value)) *value = usual;
}

int md_atoms_check(struct md_atoms *atoms)
{
    const char *made = made_option(atoms);
    int status = check_lattice(atoms);
    if (status < 0 && atoms->out && !packed_name_ends(atoms->out, ".xyz"))
        status = console_usage("--out: expected a name ending in .xyz or .xyz.gz, got '%s'", atoms->out);
    if (status < 0 && atoms->frames && !atoms->out) status = console_usage("--frames requires --out");
    if (status < 0 && atoms->out) status = output_check(atoms->out);
    if (status >= 0) return status;
    if (atoms->input && made) return console_usage("--%s has no effect on the atoms of --input", made);
    if (!atoms->shape) atoms->shape = atoms->input ? "file" : "uniform";
    if (atoms->input) return -1;
    if (!atoms->atoms) atoms->atoms = 32768;
    use_default(&atoms->density, 0.84);
    use_default(&atoms->temperature, 1);
    use_default(&atoms->charge, 0.1);
    if (strcmp(atoms->shape, "uniform") != 0 && strcmp(atoms->shape, "gauss") != 0)
        return console_usage("--shape: expected uniform or gauss, got '%s'", atoms->shape);
    status = md_check_positive("density", atoms->density);
    return status < 0 ? md_check_positive("temperature", atoms->temperature) : status;
}

/* ---- atoms ---- */

int md_atoms_read(struct md_atoms *atoms, struct gws_runtime *runtime)
{
    struct gws_diagnostic where = {0};
    if (!atoms->input) return -1;
    console_progress_begin("reading", atoms->input);
    gws_status status = gws_atoms_read(runtime, atoms->input, &atoms->read, atoms->low, atoms->high, &where);
    console_progress_end();
    if (status == GWS_OK && atoms->read.count == 0)
        status = gws_diagnostic_set(&where, GWS_SYNTAX, atoms->input, 1, 0, "a file without atoms");
    if (status != GWS_OK) return console_fail_at(status, &where);
    atoms->atoms = atoms->read.count;
    for (int axis = 0; axis < 3 && atoms->lattice; axis++) {
        atoms->low[axis] = 0;
        atoms->high[axis] = atoms->edge[axis];
    }
    return -1;
}

void md_atoms_clear(struct md_atoms *atoms)
{
    gws_points_clear(&atoms->read);
    (void)gws_output_close(atoms->output, GWS_CANCELLED);
    atoms->output = NULL;
}

gws_status md_atoms_begin(const struct md_atoms *atoms, struct gws_runtime *runtime, uint64_t seed,
                          struct gws_points *set, double low[3], double high[3])
{
    struct gws_md_start start = {.atoms = atoms->atoms,
                                 .density = atoms->density,
                                 .temperature = atoms->temperature,
                                 .charge = atoms->charge,
                                 .gauss = strcmp(atoms->shape, "gauss") == 0,
                                 .seed = seed};
    if (!atoms->input) return gws_md_begin(runtime, &start, set, low, high);
    *set = atoms->read;
    set->owner = NULL;
    memcpy(low, atoms->low, sizeof atoms->low);
    memcpy(high, atoms->high, sizeof atoms->high);
    return GWS_OK;
}

void md_atoms_momentum(const struct gws_points *set, double sum[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const float *velocity = set->column[axis].data;
        sum[axis] = 0;
        for (uint64_t i = 0; i < set->count; i++) sum[axis] += (double)velocity[i];
    }
}

/* ---- the file of --out ---- */

gws_status md_atoms_open(struct md_atoms *atoms, struct gws_runtime *runtime)
{
    (void)gws_output_close(atoms->output, GWS_CANCELLED);
    atoms->output = NULL;
    return gws_output_open(runtime, atoms->out, &atoms->where, &atoms->output);
}

gws_status md_atoms_append(struct md_atoms *atoms, const struct gws_points *set, const double low[3],
                           const double high[3])
{
    enum { columns = 5 };
    static const char *const name[columns - 1] = {"vx", "vy", "vz", "charge"};
    struct gws_points_column column[columns];
    struct gws_points all = {.count = set->count, .is_double = set->is_double, .column = column};
    all.x = set->x, all.y = set->y, all.z = set->z;
    for (int c = 0; c < columns - 1; c++) column[all.columns++] = *gws_points_find(set, name[c]);
    const struct gws_points_column *species = gws_points_find(&atoms->read, "species");
    if (species) column[all.columns++] = *species;
    return gws_atoms_write(atoms->output, &all, low, high);
}

int md_atoms_close(struct md_atoms *atoms, gws_status status)
{
    status = gws_output_close(atoms->output, status);
    atoms->output = NULL;
    return status == GWS_OK ? -1 : console_fail_at(status, &atoms->where);
}
