/* SPDX-License-Identifier: MIT */
/* Reads the first frame of an XYZ file of atoms line by line (io/atoms_io.h). The rows grow as lines come, so a wrong
 * count in the first line allocates nothing. */
#include "atoms.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../text/number.h"

struct atom_row {
    uint64_t species;
    float number[GWS__ATOM_NUMBERS];
};

struct frame {
    struct gws__input *input;
    struct gws__atoms_layout layout;
    struct atom_row *row;
    uint64_t count, capacity, declared;
};

static const char *const names[] = {"x", "y", "z", "vx", "vy", "vz", "charge", "species"};

static const char *end_of(const struct gws__text_line *line)
{
    return line->end > line->at && line->end[-1] == '\r' ? line->end - 1 : line->end;
}

static gws_status expected(const struct frame *frame, const struct gws__text_line *line, const char *at,
                           const char *what)
{
    return gws__input_fail(frame->input, GWS_SYNTAX, line->number, (uint64_t)(at - line->at) + 1,
                           "expected %s, found %s", what, gws__lines_quote(at, end_of(line)).text);
}

static bool is_alphabetic(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool gws__atoms_is_species(const char *name, const char *end)
{
    if (name == end || end - name > GWS_SPECIES_BYTES) return false;
    bool number = gws__scan_is_digit(*name);
    if (!number && !is_alphabetic(*name)) return false;
    for (const char *p = name; p < end; p++)
        if (!gws__scan_is_digit(*p) && (number || (!is_alphabetic(*p) && (!*p || !strchr("+-_.*#'", *p)))))
            return false;
    return true;
}

/* ---- atoms ---- */

/* Finds the columns of a file without Properties by its first line. */
static gws_status guess_layout(struct frame *frame, const struct gws__text_line *line, const char *p, const char *end)
{
    struct gws__atoms_layout *layout = &frame->layout;
    uint32_t tokens = 0;
    for (; p < end; tokens++) p = gws__scan_blanks(gws__text_token(p, end, false), end);
    if (tokens != 4 && tokens != 7 && tokens != 8)
        return gws__input_fail(frame->input, GWS_SYNTAX, line->number, 1,
                               "expected 4, 7 or 8 columns (species, position, velocity, charge), found %" PRIu32,
                               tokens);
    layout->tokens = tokens;
    layout->value[0] = GWS__ATOM_SPECIES;
    for (uint32_t i = 1; i < tokens; i++) layout->value[i] = (uint8_t)(i - 1);
    return GWS_OK;
}

static gws_status read_token(const struct frame *frame, const struct gws__text_line *line, const char *p,
                             const char *stop, uint8_t value, struct atom_row *row)
{
    if (value == GWS__ATOM_SKIP) return stop > p ? GWS_OK : expected(frame, line, p, "a force");
    if (value == GWS__ATOM_SPECIES) {
        if (!gws__atoms_is_species(p, stop)) return expected(frame, line, p, "a species of at most 8 characters");
        memcpy(&row->species, p, (size_t)(stop - p));
        return GWS_OK;
    }
    if (stop > p && gws__number_scan_float(p, stop, &row->number[value]) == stop) return GWS_OK;
    char what[32];
    snprintf(what, sizeof what, "%s, a finite number", names[value]);
    return expected(frame, line, p, what);
}

static gws_status read_row(struct frame *frame, const struct gws__text_line *line, struct atom_row *row)
{
    const char *end = end_of(line), *p = gws__scan_blanks(line->at, end);
    gws_status status = frame->layout.tokens > 0 ? GWS_OK : guess_layout(frame, line, p, end);
    for (uint32_t i = 0; i < frame->layout.tokens && status == GWS_OK; i++) {
        const char *stop = gws__text_token(p, end, false);
        status = read_token(frame, line, p, stop, frame->layout.value[i], row);
        p = gws__scan_blanks(stop, end);
    }
    if (status != GWS_OK || p == end) return status;
    return expected(frame, line, p, "the end of the atom's line");
}

static gws_status read_rows(struct frame *frame)
{
    gws_status status = GWS_OK;
    for (; frame->count < frame->declared && status == GWS_OK; frame->count += status == GWS_OK) {
        struct gws__text_line line;
        struct atom_row row = {0};
        bool got = false;
        status = gws__input_line(frame->input, &line, &got);
        if (status == GWS_OK && !got)
            return gws__input_fail(frame->input, GWS_TRUNCATED, frame->input->header_lines + 1, 1,
                                   "expected %" PRIu64 " atoms, found %" PRIu64, frame->declared, frame->count);
        if (status == GWS_OK) status = read_row(frame, &line, &row);
        if (status != GWS_OK) return status;
        if (!gws__grow(frame->input->runtime, &frame->row, frame->count, &frame->capacity, sizeof row))
            return GWS_NO_MEMORY;
        frame->row[frame->count] = row;
    }
    return status;
}

/* ---- the frame ---- */

static gws_status read_head(struct frame *frame)
{
    struct gws__tokens tokens;
    struct gws__text_line line;
    bool got = false;
    gws_status status = gws__tokens_next(frame->input, "", "the number of atoms", &tokens);
    if (status == GWS_OK)
        status = gws__tokens_number(frame->input, &tokens, 0, "the number of atoms", &frame->declared);
    if (status == GWS_OK && tokens.count > 1)
        status = gws__tokens_expected(frame->input, &tokens, 1, "the end of the line");
    if (status == GWS_OK) status = gws__input_line(frame->input, &line, &got);
    if (status != GWS_OK) return status;
    if (got) return gws__atoms_comment(frame->input, &line, &frame->layout);
    return gws__input_fail(frame->input, GWS_TRUNCATED, frame->input->header_lines + 1, 1,
                           "expected a comment, found the end of the input");
}

/* Refuses lines after the atoms, except blank lines and then the number of atoms of another frame. Skips the other
 * frames to the end, so damage of a compressed file does not depend on the input's chunks. */
static gws_status read_end(const struct frame *frame)
{
    for (bool more = false;;) {
        struct gws__text_line line;
        uint64_t number;
        bool got = false, fits;
        gws_status status = gws__input_line(frame->input, &line, &got);
        if (status != GWS_OK || !got) return status;
        const char *end = end_of(&line), *p = gws__scan_blanks(line.at, end);
        more = more || (p < end && gws__scan_blanks(gws__scan_long(p, end, &number, &fits), end) == end);
        if (more || p == end) continue;
        char what[80];
        snprintf(what, sizeof what, "the end of %" PRIu64 " atoms or another frame", frame->declared);
        return expected(frame, &line, p, what);
    }
}

static gws_status make_points(const struct frame *frame, struct gws_points *atoms)
{
    enum { columns = GWS__ATOM_SPECIES + 1 - GWS__ATOM_VELOCITY };
    struct gws_points_column column[columns] = {0};
    for (int c = 0; c < columns; c++) {
        memcpy(column[c].name, names[GWS__ATOM_VELOCITY + c], strlen(names[GWS__ATOM_VELOCITY + c]) + 1);
        column[c].kind = c + 1 < columns ? GWS_NUMBER_F32 : GWS_NUMBER_U64;
    }
    gws_status status = gws_points_make(frame->input->runtime, frame->count, false, columns, column, atoms);
    if (status != GWS_OK) return status;
    float *number[GWS__ATOM_NUMBERS] = {atoms->x, atoms->y, atoms->z};
    for (int n = GWS__ATOM_VELOCITY; n < GWS__ATOM_NUMBERS; n++) number[n] = atoms->column[n - GWS__ATOM_VELOCITY].data;
    uint64_t *species = atoms->column[columns - 1].data;
    for (uint64_t i = 0; i < frame->count; i++) {
        for (int n = 0; n < GWS__ATOM_NUMBERS; n++) number[n][i] = frame->row[i].number[n];
        species[i] = frame->row[i].species;
    }
    return GWS_OK;
}

gws_status gws__atoms_read_input(struct gws__input *input, struct gws_points *atoms, double low[3], double high[3])
{
    struct frame frame = {.input = input};
    gws_status status = gws__input_skip_bom(input);
    if (status == GWS_OK) status = read_head(&frame);
    if (status == GWS_OK) status = read_rows(&frame);
    if (status == GWS_OK) status = read_end(&frame);
    if (status == GWS_OK) status = make_points(&frame, atoms);
    gws_release(input->runtime, frame.row, frame.capacity, sizeof *frame.row);
    if (status != GWS_OK) return status;
    memcpy(low, frame.layout.low, sizeof frame.layout.low);
    memcpy(high, frame.layout.high, sizeof frame.layout.high);
    return GWS_OK;
}

static gws_status atoms_read(struct gws_runtime *runtime, const char *path, struct gws_points *atoms, double low[3],
                             double high[3], struct gws_diagnostic *where)
{
    struct gws__input input;
    gws_status status = gws__input_open(&input, runtime, path, where);
    if (status == GWS_OK) status = gws__atoms_read_input(&input, atoms, low, high);
    return gws__input_end(&input, status);
}

gws_status gws_atoms_read(struct gws_runtime *runtime, const char *path, struct gws_points *atoms, double low[3],
                          double high[3], struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, atoms_read(runtime, path, atoms, low, high, where));
}
