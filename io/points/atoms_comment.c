/* SPDX-License-Identifier: MIT */
/* The second line of a frame of atoms: the keys of extended XYZ files. */
#include "atoms.h"

#include <math.h>
#include <string.h>

#include "../text/number.h"

struct comment {
    const struct gws__input *input;
    struct gws__text_line line; /* without the carriage return */
    struct gws__atoms_layout *layout;
    bool boxed, pbc, periodic; /* pbc: the line has this key */
    double edge[3], origin[3];
};

struct piece {
    const char *at, *end;
};

static gws_status fail(const struct comment *comment, gws_status status, const char *at, const char *what)
{
    return gws__input_fail(comment->input, status, comment->line.number, (uint64_t)(at - comment->line.at) + 1, "%s",
                           what);
}

static gws_status expected(const struct comment *comment, const char *what, struct piece piece)
{
    return gws__input_fail(comment->input, GWS_SYNTAX, comment->line.number,
                           (uint64_t)(piece.at - comment->line.at) + 1, "expected %s, found %s", what,
                           gws__lines_quote(piece.at, piece.end).text);
}

static bool equals(struct piece piece, const char *text)
{
    return (size_t)(piece.end - piece.at) == strlen(text) && gws__scan_matches(piece.at, text, strlen(text));
}

/* ---- the box ---- */

/* Reads `count` numbers of a value. */
static gws_status read_numbers(const struct comment *comment, struct piece value, const char *what, int count,
                               double *number)
{
    const char *p = gws__scan_blanks(value.at, value.end);
    for (int i = 0; i < count; i++) {
        struct piece token = {p, gws__text_token(p, value.end, false)};
        if (gws__number_scan_real(p, token.end, &number[i]) != token.end || p == token.end)
            return expected(comment, what, token);
        p = gws__scan_blanks(token.end, value.end);
    }
    return p == value.end ? GWS_OK : fail(comment, GWS_SYNTAX, p, "expected the end of the value");
}

static gws_status read_lattice(struct comment *comment, struct piece value)
{
    double number[9];
    gws_status status = read_numbers(comment, value, "nine numbers", 9, number);
    for (int i = 0; i < 9 && status == GWS_OK; i++) {
        if (i % 4 != 0 && number[i] != 0)
            return fail(comment, GWS_UNSUPPORTED, value.at, "an oblique box; its edges must be along x, y and z");
        if (i % 4 == 0 && !(number[i] > 0))
            return fail(comment, GWS_SYNTAX, value.at, "expected a box with edges above 0");
        if (i % 4 == 0) comment->edge[i / 4] = number[i];
    }
    comment->boxed = true;
    return status;
}

static gws_status read_pbc(struct comment *comment, struct piece value)
{
    int periodic = 0, axes = 0;
    for (const char *p = gws__scan_blanks(value.at, value.end); p < value.end; p = gws__scan_blanks(p, value.end)) {
        struct piece token = {p, gws__text_token(p, value.end, false)};
        if (!equals(token, "T") && !equals(token, "F")) return expected(comment, "T or F", token);
        periodic += equals(token, "T");
        axes++;
        p = token.end;
    }
    if (axes != 3) return fail(comment, GWS_SYNTAX, value.at, "expected three letters, T or F");
    if (periodic % 3 != 0)
        return fail(comment, GWS_UNSUPPORTED, value.at, "a box with open and closed faces; expected T T T or F F F");
    comment->pbc = true;
    comment->periodic = periodic != 0;
    return GWS_OK;
}

/* ---- columns ---- */

static const struct property {
    const char *name;
    char type;
    uint8_t columns, value;
} properties[] = {
    {"species", 'S', 1, GWS__ATOM_SPECIES},
    {"pos", 'R', 3, GWS__ATOM_POSITION},
    {"velo", 'R', 3, GWS__ATOM_VELOCITY},
    {"vel", 'R', 3, GWS__ATOM_VELOCITY},
    {"velocity", 'R', 3, GWS__ATOM_VELOCITY},
    {"velocities", 'R', 3, GWS__ATOM_VELOCITY},
    {"charge", 'R', 1, GWS__ATOM_CHARGE},
    {"charges", 'R', 1, GWS__ATOM_CHARGE},
    {"initial_charges", 'R', 1, GWS__ATOM_CHARGE},
    {"q", 'R', 1, GWS__ATOM_CHARGE},
    {"force", 'R', 3, GWS__ATOM_SKIP},
    {"forces", 'R', 3, GWS__ATOM_SKIP},
};

/* Returns the text up to the next colon, and moves *p past it. */
static struct piece next_part(const char **p, const char *end)
{
    struct piece part = {*p, *p};
    while (part.end < end && *part.end != ':') part.end++;
    *p = part.end < end ? part.end + 1 : end;
    return part;
}

static const struct property *find_property(struct piece name)
{
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
        if (equals(name, properties[i].name)) return &properties[i];
    return NULL;
}

/* Appends a property's columns to the layout. */
static gws_status add_property(const struct comment *comment, const struct property *property, struct piece name)
{
    struct gws__atoms_layout *layout = comment->layout;
    for (uint32_t i = 0; i < layout->tokens; i++)
        if (layout->value[i] == property->value)
            return fail(comment, GWS_SYNTAX, name.at, "this property stands twice");
    for (uint8_t i = 0; i < property->columns; i++)
        layout->value[layout->tokens++] =
            property->value == GWS__ATOM_SKIP ? GWS__ATOM_SKIP : (uint8_t)(property->value + i);
    return GWS_OK;
}

static gws_status read_properties(struct comment *comment, struct piece value)
{
    const char *p = value.at;
    bool species = false, position = false;
    gws_status status = GWS_OK;
    while (p < value.end && status == GWS_OK) {
        struct piece name = next_part(&p, value.end), type = next_part(&p, value.end), count = next_part(&p, value.end);
        const struct property *property = find_property(name);
        if (!property)
            return gws__input_fail(comment->input, GWS_UNSUPPORTED, comment->line.number,
                                   (uint64_t)(name.at - comment->line.at) + 1,
                                   "unknown property %s; known: species, pos, velo, charge, forces",
                                   gws__lines_quote(name.at, name.end).text);
        if (type.end - type.at != 1 || *type.at != property->type)
            return expected(comment, property->type == 'S' ? "the type S" : "the type R", type);
        if (count.end - count.at != 1 || *count.at != '0' + property->columns)
            return expected(comment, property->columns == 1 ? "1 column" : "3 columns", count);
        status = add_property(comment, property, name);
        species |= property->value == GWS__ATOM_SPECIES;
        position |= property->value == GWS__ATOM_POSITION;
    }
    if (status != GWS_OK || (species && position)) return status;
    return fail(comment, GWS_SYNTAX, value.at, "expected the properties species and pos among others");
}

/* ---- keys ---- */

static gws_status read_pair(struct comment *comment, struct piece key, struct piece value)
{
    if (equals(key, "Lattice")) return read_lattice(comment, value);
    if (equals(key, "Origin")) return read_numbers(comment, value, "three numbers", 3, comment->origin);
    if (equals(key, "pbc")) return read_pbc(comment, value);
    if (!equals(key, "Properties")) return GWS_OK;
    if (comment->layout->tokens > 0) return fail(comment, GWS_SYNTAX, key.at, "this key stands twice");
    return read_properties(comment, value);
}

/* Reads the key at *p and its value, and moves *p past them. A word without = is neither. */
static gws_status next_pair(struct comment *comment, const char **p)
{
    const char *end = comment->line.end;
    struct piece key = {*p, *p}, value;
    while (key.end < end && !gws__scan_is_blank(*key.end) && *key.end != '=') key.end++;
    *p = key.end;
    if (key.end == end || *key.end != '=') return GWS_OK;
    value.at = key.end + 1;
    bool quoted = value.at < end && *value.at == '"';
    if (quoted) value.at++;
    value.end = quoted ? memchr(value.at, '"', (size_t)(end - value.at)) : gws__text_token(value.at, end, false);
    if (!value.end) return fail(comment, GWS_SYNTAX, value.at - 1, "a quotation mark without its partner");
    *p = value.end + quoted;
    return read_pair(comment, key, value);
}

gws_status gws__atoms_comment(const struct gws__input *input, const struct gws__text_line *line,
                              struct gws__atoms_layout *layout)
{
    struct comment comment = {.input = input, .line = *line, .layout = layout};
    if (line->end > line->at && line->end[-1] == '\r') comment.line.end--;
    gws_status status = GWS_OK;
    const char *p = gws__scan_blanks(line->at, comment.line.end);
    for (; p < comment.line.end && status == GWS_OK; p = gws__scan_blanks(p, comment.line.end))
        status = next_pair(&comment, &p);
    if (status != GWS_OK) return status;
    if (comment.pbc && comment.periodic && !comment.boxed)
        return fail(&comment, GWS_SYNTAX, line->at, "pbc=\"T T T\" requires a Lattice");
    for (int axis = 0; axis < 3 && comment.boxed && (comment.periodic || !comment.pbc); axis++) {
        layout->low[axis] = comment.origin[axis];
        layout->high[axis] = comment.origin[axis] + comment.edge[axis];
        if (!(layout->high[axis] > layout->low[axis]) || !isfinite(layout->high[axis] - layout->low[axis]))
            return fail(&comment, GWS_SYNTAX, line->at, "an edge of the box is too short or too long for its origin");
    }
    return GWS_OK;
}
