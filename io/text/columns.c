/* SPDX-License-Identifier: MIT */
#include "columns.h"

#include <stdio.h>

#include "scan.h"

/* ---- one line ---- */

/* Returns the number of tokens between blanks and commas if there are 2 or 3 and all are numbers. Otherwise returns
 * 0. */
static unsigned count_plain(const struct gws__text_line *line)
{
    unsigned count = 0;
    const char *p = line->at, *end = line->end;
    while (p < end) {
        while (p < end && (gws__scan_is_blank(*p) || *p == ',')) p++;
        if (p == end) break;
        struct gws__text_field field = {.at = p, .end = gws__scan_token(p, end)};
        if (count > 2 || !(count < 2 ? gws__field_is_id(&field) : gws__field_is_number(&field))) return 0;
        p = field.end;
        count++;
    }
    return count > 1 ? count : 0;
}

/* Returns true if all tokens between blanks are numbers. */
static bool has_numbers_only(const struct gws__text_line *line)
{
    const char *p = gws__scan_blanks(line->at, line->end);
    while (p < line->end) {
        struct gws__text_field field = {.at = p};
        while (p < line->end && !gws__scan_is_blank(*p)) p++;
        field.end = p;
        if (!gws__field_is_number(&field)) return false;
        p = gws__scan_blanks(p, line->end);
    }
    return true;
}

static char separator_of(const struct gws__text_line *line)
{
    bool tab = false, semicolon = false, comma = false, quoted = false;
    if (has_numbers_only(line)) return ' ';
    for (const char *p = line->at; p < line->end && (quoted || *p != '{'); p++) {
        quoted ^= *p == '"';
        tab |= !quoted && *p == '\t';
        semicolon |= !quoted && *p == ';';
        comma |= !quoted && *p == ',';
    }
    return tab ? '\t' : semicolon ? ';' : comma ? ',' : ' ';
}

gws_status gws__first_line_split(const struct gws__input *input, const struct gws__text_line *line,
                                 struct gws__first_line *first)
{
    bool last = false;
    struct gws__text_line bare = *line;
    if (bare.end > bare.at && bare.end[-1] == '\r') bare.end--;
    *first = (struct gws__first_line){.separator = separator_of(&bare), .plain = count_plain(&bare)};
    for (const char *p = bare.at; !last; first->count++) {
        struct gws__text_field field;
        const char *fault = gws__field_next(&p, bare.end, first->separator, &field, &last);
        if (fault)
            return gws__input_fail(input, GWS_SYNTAX, line->number, (uint64_t)(fault - line->at) + 1, "%s",
                                   *fault == '"' ? "a quote without end" : "expected a separator after the quotes");
        if (first->count < GWS__MAX_COLUMNS) first->field[first->count] = field;
    }
    return GWS_OK;
}

/* ---- columns ---- */

/* Reduces a column's name to at most size - 1 lower-case letters and digits, or to "" if the name has more of them. */
static void simple_name(const struct gws__text_field *field, char *name, size_t size)
{
    size_t length = 0;
    for (const char *p = field->at; p < field->end; p++) {
        char c = *p >= 'A' && *p <= 'Z' ? (char)(*p + 'a' - 'A') : *p;
        bool alphanumeric = (c >= 'a' && c <= 'z') || gws__scan_is_digit(c) || (unsigned char)c >= 0x80;
        if (alphanumeric && length + 1 == size)
            length = 0, p = field->end - 1;
        else if (alphanumeric)
            name[length++] = c;
    }
    static const char *const tails[] = {"id", "node"};
    for (int i = 0; i < 2; i++) {
        size_t tail = strlen(tails[i]);
        if (length > tail && memcmp(name + length - tail, tails[i], tail) == 0) length -= tail;
    }
    name[length] = 0;
}

static bool is_one_of(const char *name, const char *const *list)
{
    while (*list && strcmp(name, *list) != 0) list++;
    return *list != NULL;
}

bool gws__columns_by_name(const struct gws__first_line *header, struct gws__columns *columns)
{
    static const char *const from[] = {"source", "src", "from", NULL}, *const to[] = {"target", "dst", "to", NULL},
                             *const weight[] = {"weight", NULL};
    char name[32];
    columns->from = columns->to = columns->weight = GWS__NO_COLUMN;
    for (unsigned i = 0; i < header->count && i < GWS__MAX_COLUMNS; i++) {
        simple_name(&header->field[i], name, sizeof name);
        if (columns->from == GWS__NO_COLUMN && is_one_of(name, from)) columns->from = i;
        if (columns->to == GWS__NO_COLUMN && is_one_of(name, to)) columns->to = i;
        if (columns->weight == GWS__NO_COLUMN && is_one_of(name, weight)) columns->weight = i;
    }
    return columns->from != GWS__NO_COLUMN && columns->to != GWS__NO_COLUMN;
}

static bool is_empty(const struct gws__text_field *field)
{
    return field->at == field->end;
}

void gws__columns_by_position(const struct gws__first_line *line, struct gws__columns *columns)
{
    columns->from = line->count > 2 && is_empty(&line->field[0]);
    columns->to = columns->from + 1;
    columns->weight = line->count > columns->to + 1 ? columns->to + 1 : GWS__NO_COLUMN;
}

static const struct gws__text_field *field_of(const struct gws__first_line *line, unsigned column)
{
    static const struct gws__text_field none = {.at = "", .end = NULL};
    return column < line->count && column < GWS__MAX_COLUMNS ? &line->field[column] : &none;
}

bool gws__columns_has_ids(const struct gws__first_line *line, const struct gws__columns *columns)
{
    if (line->plain && columns->from == 0) return true;
    return columns->to < line->count && gws__field_is_id(field_of(line, columns->from)) &&
           gws__field_is_id(field_of(line, columns->to));
}

bool gws__columns_has_text(const struct gws__first_line *line, const struct gws__columns *columns)
{
    if (line->plain && columns->from == 0) return false;
    return columns->to < line->count && !gws__field_is_number(field_of(line, columns->from)) &&
           !gws__field_is_number(field_of(line, columns->to));
}

static void log_skipped(const struct gws__input *input, const struct gws__columns *columns)
{
    char line[512];
    unsigned used = 2 + columns->weighted, skipped = columns->count - used, first = 0;
    if (columns->count <= used) return;
    while (first == columns->from || first == columns->to || (columns->weighted && first == columns->weight)) first++;
    snprintf(line, sizeof line, "%s: %u of %u columns %s skipped: column %u%s", input->name, skipped, columns->count,
             skipped == 1 ? "is" : "are", first + 1, skipped == 1 ? "" : " and others");
    gws_report_log(input->runtime, line);
}

/* Returns true if the column holds weights. A third column that the header does not name may hold text instead. */
static bool holds_weights(const struct gws__text_field *field, bool by_name)
{
    if (by_name || gws__field_is_number(field)) return true;
    char c = field->at < field->end ? *field->at : '0';
    return !field->quoted && !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80);
}

gws_status gws__columns_complete(const struct gws__input *input, const struct gws__text_line *line,
                                 const struct gws__first_line *edge, bool by_name, struct gws__columns *columns)
{
    const bool first_two = columns->from == 0 && columns->to == 1 && !columns->names;
    columns->plain = first_two && (edge->plain == 2 || (edge->plain == 3 && (!by_name || columns->weight == 2)));
    columns->weighted = edge->plain == 3;
    if (columns->plain) return GWS_OK;
    const unsigned larger = columns->from > columns->to ? columns->from : columns->to;
    if (larger >= edge->count)
        return gws__input_fail(input, GWS_SYNTAX, line->number, 0, "expected at least %u columns, found %u", larger + 1,
                               edge->count);
    if (edge->count > GWS__MAX_COLUMNS)
        return gws__input_fail(input, GWS_SYNTAX, line->number, 0, "%u columns, at most %d are possible", edge->count,
                               GWS__MAX_COLUMNS);
    const struct gws__text_field *from = field_of(edge, columns->from), *to = field_of(edge, columns->to),
                                 *weight = field_of(edge, columns->weight);
    const char *at;
    columns->separator = edge->separator;
    columns->count = edge->count;
    columns->names |= !gws__field_is_number(from) || !gws__field_is_number(to);
    if (columns->weight >= edge->count) columns->weight = GWS__NO_COLUMN;
    columns->dictionary =
        columns->weight != GWS__NO_COLUMN && edge->separator == ' ' && !weight->quoted && *weight->at == '{';
    columns->weighted = columns->weight != GWS__NO_COLUMN && holds_weights(weight, by_name);
    if (columns->dictionary) columns->weighted = gws__field_find_weight(weight, &at);
    if (!columns->dictionary) log_skipped(input, columns);
    return GWS_OK;
}
