/* SPDX-License-Identifier: MIT */
/* Snapshots of N-body codes in HDF5: Gadget 2 to 4 and AREPO (Springel et al., MNRAS 506, 2021, section 7.4). The group
 * PartType0, 1 ... has the particles of a type, each data set one quantity. The points are all particles of a file,
 * ordered by type, with the column "PartType". A data set becomes columns if every type that has particles has it, with
 * the same kind. The column "Masses" has the masses of the attribute Header/MassTable for types without a data set.
 * libgraphws-hdf5 (io/hdf5) reads the file. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../lib/parallel.h"
#include "hdf5.h"
#include "reader.h"

enum { types = 10, sets = 64, block_rows = 1 << 16, name_bytes = 16, table_types = 6 };

static const char coordinates[] = "Coordinates", masses[] = "Masses";

/* The particles of a type. */
struct particles {
    uint64_t rows;
    uint32_t count;
    struct gws__hdf5_set set[sets];
};

/* A data set that becomes fields, from a number on. */
struct quantity {
    const struct gws__hdf5_set *set; /* the first type's; NULL: the masses */
    uint32_t field;
};

struct snapshot {
    struct gws__points_reading *reading;
    const struct gws__hdf5 *hdf5;
    void *file;
    struct particles particles[types];
    uint64_t rows;
    struct quantity quantity[sets + 1];
    uint32_t quantities, type_field;
    double mass[types];    /* MassTable; 0: none */
    unsigned char *buffer; /* block_rows rows of the widest quantity */
    uint64_t buffer_bytes;
};

static gws_status fail(const struct snapshot *snapshot, gws_status status, unsigned type, const char *name,
                       const char *what)
{
    return gws__input_fail(snapshot->reading->input, status, 0, 0, "PartType%u/%s %s", type, name, what);
}

static const struct gws__hdf5_set *find_set(const struct particles *particles, const char *name)
{
    for (uint32_t i = 0; i < particles->count; i++)
        if (strcmp(particles->set[i].name, name) == 0) return &particles->set[i];
    return NULL;
}

/* ---- what is in the file ---- */

static gws_status list_type(struct snapshot *snapshot, unsigned type, bool *found)
{
    struct particles *particles = &snapshot->particles[type];
    char group[name_bytes], what[96];
    snprintf(group, sizeof group, "PartType%u", type);
    particles->count = snapshot->hdf5->sets(snapshot->file, group, particles->set, sets);
    const struct gws__hdf5_set *positions = find_set(particles, coordinates);
    if (!positions) return GWS_OK;
    *found = true;
    if (positions->columns != 3) return fail(snapshot, GWS_CORRUPT, type, coordinates, "has not three columns");
    particles->rows = positions->rows;
    for (uint32_t i = 0; i < particles->count; i++) {
        if (particles->set[i].rows == particles->rows) continue;
        snprintf(what, sizeof what, "has %" PRIu64 " rows, but Coordinates has %" PRIu64, particles->set[i].rows,
                 particles->rows);
        return fail(snapshot, GWS_CORRUPT, type, particles->set[i].name, what);
    }
    if (__builtin_add_overflow(snapshot->rows, particles->rows, &snapshot->rows)) return GWS_TOO_LARGE;
    return GWS_OK;
}

static gws_status list_all(struct snapshot *snapshot)
{
    bool found = false;
    double files = 1;
    gws_status status = GWS_OK;
    for (unsigned type = 0; type < types && status == GWS_OK; type++) status = list_type(snapshot, type, &found);
    if (status == GWS_OK && !found)
        status = gws__input_fail(snapshot->reading->input, GWS_UNSUPPORTED, 0, 0,
                                 "no data set PartType0/Coordinates, PartType1/Coordinates ...: of HDF5 files, only "
                                 "snapshots of Gadget and AREPO can be read");
    (void)snapshot->hdf5->attribute(snapshot->file, "Header", "MassTable", table_types, snapshot->mass);
    if (snapshot->hdf5->attribute(snapshot->file, "Header", "NumFilesPerSnapshot", 1, &files) && files > 1) {
        char line[160];
        snprintf(line, sizeof line, "the snapshot has %.0f files; %.80s is one of them", files,
                 snapshot->reading->input->name);
        gws_report_log(snapshot->reading->input->runtime, line);
    }
    return status;
}

/* ---- fields ---- */

static gws_status add_field(struct snapshot *snapshot, const char *name, enum gws_number_kind kind)
{
    return gws__header_field(&snapshot->reading->header, &snapshot->reading->schema, name, strlen(name), kind);
}

/* Adds the fields of a quantity: its name, or its name with the number of the column. */
static gws_status add_quantity(struct snapshot *snapshot, const struct gws__hdf5_set *set)
{
    gws_status status = GWS_OK;
    snapshot->quantity[snapshot->quantities++] = (struct quantity){set, snapshot->reading->schema.fields};
    for (uint64_t i = 0; i < set->columns && status == GWS_OK; i++) {
        char name[GWS__HDF5_NAME + 24];
        snprintf(name, sizeof name, set->columns > 1 ? "%s_%" PRIu64 : "%s", set->name, i);
        status = add_field(snapshot, name, set->kind);
    }
    return status;
}

/* Returns true if every type that has particles has this data set, with the same kind. */
static bool is_common(const struct snapshot *snapshot, const struct gws__hdf5_set *set)
{
    for (unsigned type = 0; type < types; type++) {
        const struct gws__hdf5_set *other = find_set(&snapshot->particles[type], set->name);
        if (snapshot->particles[type].rows == 0) continue;
        if (!other || other->kind != set->kind || other->columns != set->columns) return false;
    }
    return true;
}

static bool has_masses(const struct snapshot *snapshot)
{
    for (unsigned type = 0; type < types; type++) {
        const struct particles *particles = &snapshot->particles[type];
        const struct gws__hdf5_set *set = find_set(particles, masses);
        if (particles->rows > 0 && (set ? set->columns != 1 : snapshot->mass[type] <= 0)) return false;
    }
    return true;
}

static gws_status add_fields(struct snapshot *snapshot)
{
    static const char *const axes[] = {"x", "y", "z"};
    const struct particles *first = NULL;
    enum gws_number_kind kind = GWS_NUMBER_F32;
    gws_status status = GWS_OK;
    for (unsigned type = types; type-- > 0;) {
        const struct gws__hdf5_set *set = find_set(&snapshot->particles[type], coordinates);
        if (snapshot->particles[type].rows == 0) continue;
        first = &snapshot->particles[type];
        if (set->kind != GWS_NUMBER_F32) kind = GWS_NUMBER_F64;
    }
    for (int i = 0; i < 3 && status == GWS_OK; i++) status = add_field(snapshot, axes[i], kind);
    snapshot->type_field = snapshot->reading->schema.fields;
    if (status == GWS_OK) status = add_field(snapshot, "PartType", GWS_NUMBER_U8);
    if (status == GWS_OK && first && has_masses(snapshot)) {
        snapshot->quantity[snapshot->quantities++] = (struct quantity){NULL, snapshot->reading->schema.fields};
        status = add_field(snapshot, masses, GWS_NUMBER_F64);
    }
    for (uint32_t i = 0; first && i < first->count && status == GWS_OK; i++) {
        const struct gws__hdf5_set *set = &first->set[i];
        bool known = strcmp(set->name, coordinates) == 0 || strcmp(set->name, masses) == 0;
        if (!known && set->columns > 0 && is_common(snapshot, set)) status = add_quantity(snapshot, set);
    }
    if (status == GWS_OK) status = gws__schema_finalise(&snapshot->reading->schema);
    snapshot->reading->schema.big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__; /* HDF5 converts */
    return status;
}

/* ---- numbers ---- */

/* Reads a data set of a type to the fields from `field` on. `first` is the type's first point. */
static gws_status read_set(struct snapshot *snapshot, unsigned type, const struct gws__hdf5_set *set, uint32_t field,
                           uint64_t first, struct gws_points *points)
{
    const struct gws__schema *schema = &snapshot->reading->schema;
    struct gws_runtime *runtime = snapshot->reading->input->runtime;
    char group[name_bytes], message[GWS__HDF5_MESSAGE] = "";
    snprintf(group, sizeof group, "PartType%u", type);
    uint64_t bytes = gws_number_bytes(schema->field[field].kind),
             step = snapshot->buffer_bytes / (bytes * set->columns);
    struct gws__hdf5_rows rows = {.group = group,
                                  .name = set->name,
                                  .kind = schema->field[field].kind,
                                  .columns = set->columns,
                                  .numbers = snapshot->buffer};
    for (; rows.first < set->rows; rows.first += rows.count) {
        rows.count = set->rows - rows.first < step ? set->rows - rows.first : step;
        if (gws_cancelled(runtime)) return GWS_CANCELLED;
        if (!snapshot->hdf5->read(snapshot->file, &rows, message)) {
            char what[GWS__HDF5_MESSAGE + 32];
            snprintf(what, sizeof what, "cannot be read by HDF5: %s", message);
            return fail(snapshot, GWS_CORRUPT, type, set->name, what);
        }
        for (uint32_t i = 0; i < set->columns; i++) {
            struct gws__strided strided = {
                .bytes = snapshot->buffer + i * bytes, .stride = bytes * set->columns, .count = rows.count};
            gws__decode_field(schema, field + i, &strided, points, first + rows.first);
        }
    }
    return GWS_OK;
}

/* Fills the column of a field with a number. */
static void fill(const struct snapshot *snapshot, uint32_t field, double number, uint64_t first, uint64_t count,
                 struct gws_points *points)
{
    enum gws_number_kind kind;
    void *data = gws__schema_destination(&snapshot->reading->schema, field, points, &kind);
    for (uint64_t i = first; i < first + count; i++) {
        if (kind == GWS_NUMBER_U8)
            ((uint8_t *)data)[i] = (uint8_t)number;
        else
            ((double *)data)[i] = number;
    }
}

static gws_status read_type(struct snapshot *snapshot, unsigned type, uint64_t first, struct gws_points *points)
{
    const struct particles *particles = &snapshot->particles[type];
    fill(snapshot, snapshot->type_field, type, first, particles->rows, points);
    gws_status status = read_set(snapshot, type, find_set(particles, coordinates), 0, first, points);
    for (uint32_t i = 0; i < snapshot->quantities && status == GWS_OK; i++) {
        const struct quantity *quantity = &snapshot->quantity[i];
        const struct gws__hdf5_set *set = find_set(particles, quantity->set ? quantity->set->name : masses);
        if (set)
            status = read_set(snapshot, type, set, quantity->field, first, points);
        else
            fill(snapshot, quantity->field, snapshot->mass[type], first, particles->rows, points);
    }
    return status;
}

static gws_status read_all(struct snapshot *snapshot, struct gws_points *points)
{
    struct gws_runtime *runtime = snapshot->reading->input->runtime;
    uint64_t first = 0, columns = 3;
    for (uint32_t i = 0; i < snapshot->quantities; i++)
        if (snapshot->quantity[i].set && snapshot->quantity[i].set->columns > columns)
            columns = snapshot->quantity[i].set->columns;
    snapshot->buffer_bytes = block_rows * columns * sizeof(double);
    snapshot->buffer = gws_allocate(runtime, snapshot->buffer_bytes, 1);
    gws_status status = snapshot->buffer ? GWS_OK : GWS_NO_MEMORY;
    for (unsigned type = 0; type < types && status == GWS_OK; type++) {
        gws_report_progress(runtime, "reading", first, snapshot->rows);
        if (snapshot->particles[type].rows > 0) status = read_type(snapshot, type, first, points);
        first += snapshot->particles[type].rows;
    }
    gws_release(runtime, snapshot->buffer, snapshot->buffer_bytes, 1);
    return status;
}

static gws_status read_snapshot(struct snapshot *snapshot, struct gws_points *points)
{
    struct gws_points made = {0};
    gws_status status = list_all(snapshot);
    if (status == GWS_OK) status = add_fields(snapshot);
    if (status == GWS_OK) status = gws__schema_make(&snapshot->reading->schema, snapshot->rows, &made);
    if (status == GWS_OK) status = read_all(snapshot, &made);
    if (status == GWS_OK)
        *points = made;
    else
        gws_points_clear(&made);
    return status;
}

gws_status gws__points_read_hdf5(struct gws__points_reading *reading, struct gws_points *points)
{
    struct gws__input *input = reading->input;
    const struct gws__hdf5 *hdf5 = NULL;
    char message[GWS__HDF5_MESSAGE];
    gws_status status = gws__hdf5_load(input, &hdf5);
    if (status == GWS_OK && !input->file)
        status = gws__input_fail(input, GWS_UNSUPPORTED, 0, 0, "HDF5 files can only be read from a plain file");
    if (status != GWS_OK) return status;
    struct snapshot *snapshot = gws_allocate(input->runtime, 1, sizeof *snapshot);
    if (!snapshot) return GWS_NO_MEMORY;
    memset(snapshot, 0, sizeof *snapshot);
    snapshot->reading = reading;
    snapshot->hdf5 = hdf5;
    snapshot->file = hdf5->open(input->name, message);
    if (snapshot->file) {
        status = read_snapshot(snapshot, points);
        hdf5->close(snapshot->file);
    } else {
        status = gws__input_fail(input, GWS_CORRUPT, 0, 0, "HDF5 cannot open the file: %s", message);
    }
    gws_release(input->runtime, snapshot, 1, sizeof *snapshot);
    return status;
}
