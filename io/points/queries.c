/* SPDX-License-Identifier: MIT */
/* A batch of queries is small compared with the points, so one worker reads it line by line. */
#include "reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../text/number.h"
#include "../text/scan.h"

struct query_reading {
    struct gws__input *input;
    const struct gws_query_kind *kind;
    uint32_t kinds;
    struct gws_query *query;
    uint64_t count, capacity;
};

static gws_status expected(const struct query_reading *reading, const struct gws__text_line *line, const char *at,
                           const char *what, const char *form)
{
    const char *end = line->end > line->at && line->end[-1] == '\r' ? line->end - 1 : line->end;
    return gws__input_fail(reading->input, GWS_SYNTAX, line->number, (uint64_t)(at - line->at) + 1,
                           "expected %s%s, found %s", what, form, gws__lines_quote(at, end).text);
}

static gws_status find_kind(const struct query_reading *reading, const struct gws__text_line *line, const char *at,
                            const char *stop, uint32_t *kind)
{
    char list[128] = "";
    for (uint32_t i = 0; i < reading->kinds; i++) {
        const char *name = reading->kind[i].name;
        if (strlen(name) == (size_t)(stop - at) && gws__scan_matches(name, at, strlen(name))) {
            *kind = i;
            return GWS_OK;
        }
        size_t used = strlen(list);
        const char *between = i == 0 ? "" : i + 1 < reading->kinds ? ", " : " or ";
        snprintf(list + used, sizeof list - used, "%s%s", between, name);
    }
    return expected(reading, line, at, list, "");
}

static const char *skip_separator(const char *p, const char *end)
{
    p = gws__scan_blanks(p, end);
    return p < end && *p == ',' ? gws__scan_blanks(p + 1, end) : p;
}

static gws_status read_query(const struct query_reading *reading, const struct gws__text_line *line, const char *p,
                             const char *end, struct gws_query *query)
{
    const char *stop = gws__text_token(p, end, true);
    gws_status status = find_kind(reading, line, p, stop, &query->kind);
    if (status != GWS_OK) return status;
    const struct gws_query_kind *kind = &reading->kind[query->kind];
    query->line = line->number;
    for (uint32_t i = 0; i < kind->numbers; i++) {
        p = skip_separator(stop, end);
        stop = gws__text_token(p, end, true);
        query->column[i] = (uint32_t)(p - line->at) + 1;
        if (gws__real_scan(p, &query->number[i]) == stop && stop > p) continue;
        if (stop == p || gws__text_number(p, stop, &query->number[i]) != stop || !isfinite(query->number[i]))
            return expected(reading, line, p, "a number of ", kind->form);
    }
    p = gws__scan_blanks(stop, end);
    return p == end ? GWS_OK : expected(reading, line, p, "the end of ", kind->form);
}

static gws_status read_all(struct query_reading *reading)
{
    for (;;) {
        struct gws__text_line line;
        bool got = false;
        gws_status status = gws__input_line(reading->input, &line, &got);
        if (status != GWS_OK || !got) return status;
        const char *end = line.end > line.at && line.end[-1] == '\r' ? line.end - 1 : line.end;
        const char *p = gws__scan_blanks(line.at, end);
        if (p == end || *p == '#') continue;
        struct gws_query query = {0};
        status = read_query(reading, &line, p, end, &query);
        if (status != GWS_OK) return status;
        if (!gws__grow(reading->input->runtime, &reading->query, reading->count, &reading->capacity, sizeof query))
            return GWS_NO_MEMORY;
        reading->query[reading->count++] = query;
    }
}

gws_status gws__queries_read_input(struct gws__input *input, const struct gws_query_kind *kind, uint32_t kinds,
                                   struct gws_query **query, uint64_t *count)
{
    struct query_reading reading = {.input = input, .kind = kind, .kinds = kinds};
    gws_status status = gws__input_skip_bom(input);
    if (status == GWS_OK) status = read_all(&reading);
    if (status == GWS_OK &&
        !gws__resize(input->runtime, &reading.query, reading.count, &reading.capacity, reading.count, sizeof **query))
        status = GWS_NO_MEMORY;
    if (status == GWS_OK) {
        *query = reading.query;
        *count = reading.count;
    } else {
        gws_release(input->runtime, reading.query, reading.capacity, sizeof *reading.query);
    }
    return status;
}

static gws_status queries_read(struct gws_runtime *runtime, const char *path, const struct gws_query_kind *kind,
                               uint32_t kinds, struct gws_query **query, uint64_t *count, struct gws_diagnostic *where)
{
    struct gws__input input;
    gws_status status = gws__input_open(&input, runtime, path, where);
    if (status == GWS_OK) status = gws__queries_read_input(&input, kind, kinds, query, count);
    return gws__input_end(&input, status);
}

gws_status gws_queries_read(struct gws_runtime *runtime, const char *path, const struct gws_query_kind *kind,
                            uint32_t kinds, struct gws_query **query, uint64_t *count, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, queries_read(runtime, path, kind, kinds, query, count, where));
}
