/* SPDX-License-Identifier: MIT */
/* Reads many edge lines. The fast path parses the most common lines, which are the tag, plain digits with one blank
 * between the numbers, and a line end. slow_path() reads any other line again from its start, with comments, odd
 * spacing, signs and fractions, and reports errors. */
#include "reader.h"

#include "number.h"
#include "scan.h"

struct edge_reading {
    struct gws__input *input;
    const struct gws__syntax *syntax;
    struct gws__edges *edges;
};

/* The content of one line. */
struct edge_line {
    uint64_t from, to;
    struct gws__weight weight;
    bool edge; /* false: a comment or a blank line */
};

struct line_reader {
    const struct edge_reading *reading;
    const struct gws__chunk *chunk;
    const char *at, *end;
};

static gws_status expected(const struct line_reader *line, const char *what)
{
    return gws__chunk_fail(line->chunk, line->at, GWS_SYNTAX, "expected %s, found %s", what,
                           gws__lines_quote(line->at, line->end).text);
}

static gws_status read_tag(struct line_reader *line)
{
    char tag = line->reading->syntax->tag;
    char what[] = "a line that begins with ' '";
    if (!tag) return GWS_OK;
    what[sizeof what - 3] = tag;
    if (*line->at != tag || line->end - line->at < 2 || !gws__scan_is_blank(line->at[1])) return expected(line, what);
    line->at = gws__scan_blanks(line->at + 1, line->end);
    return GWS_OK;
}

static void skip_separator(struct line_reader *line)
{
    line->at = gws__scan_blanks(line->at, line->end);
    if (!line->reading->syntax->comma || line->at == line->end || *line->at != ',') return;
    line->at = gws__scan_blanks(line->at + 1, line->end);
}

static gws_status read_weight(struct line_reader *line, struct gws__weight *weight)
{
    if (!line->reading->syntax->weighted) return GWS_OK;
    skip_separator(line);
    return gws__lines_weight(line->chunk, line->reading->syntax->weights, &line->at, line->end, weight);
}

static gws_status slow_path(struct line_reader *line, struct edge_line *found)
{
    const struct gws__syntax *syntax = line->reading->syntax;
    found->edge = false;
    if (line->end > line->at && line->end[-1] == '\r') line->end--;
    line->at = gws__scan_blanks(line->at, line->end);
    if (line->at == line->end) return GWS_OK;
    if (*line->at && strchr(syntax->comment, *line->at))
        return gws__lines_check_skipped(line->chunk, line->at, line->end);
    gws_status status = read_tag(line);
    if (status == GWS_OK) status = gws__lines_id(line->chunk, syntax, &line->at, line->end, &found->from);
    if (status == GWS_OK) skip_separator(line);
    if (status == GWS_OK) status = gws__lines_id(line->chunk, syntax, &line->at, line->end, &found->to);
    if (status == GWS_OK) status = read_weight(line, &found->weight);
    if (status != GWS_OK) return status;
    line->at = gws__scan_blanks(line->at, line->end);
    found->edge = true;
    return line->at == line->end ? GWS_OK : expected(line, "the end of the line");
}

static inline __attribute__((always_inline)) const char *fast_end(const char *p)
{
    if (*p == '\r') p++;
    return *p == '\n' ? p + 1 : NULL;
}

enum columns { ENDS, INTEGERS, REALS }; /* The columns of a line: two ends, and a weight of the block's kind. */

/* Parses a real weight at p. Returns NULL if the weight needs the slow path. */
static inline __attribute__((always_inline)) const char *fast_real(const char *p, float *weight)
{
    double value = 0;
    p = gws__real_scan(p, &value);
    *weight = (float)value;
    return p && gws__real_rounds_once(value) && *weight - *weight == 0 ? p : NULL;
}

/* Parses the line at p. Returns the byte after it, or NULL if the line needs the slow path. */
static inline __attribute__((always_inline)) const char *
fast_path(const char *p, const struct gws__syntax *syntax, bool tagged, enum columns columns, struct edge_line *found)
{
    const char separator = syntax->comma ? ',' : ' ';
    uint64_t from = 0, to = 0, weight = 0;
    if (tagged && (p[0] != syntax->tag || p[1] != ' ')) return NULL;
    const char *first = tagged ? p + 2 : p;
    p = gws__scan_short(first, &from);
    if (p == first || !(gws__scan_is_blank(*p) || *p == separator)) return NULL;
    const char *second = p + 1;
    p = gws__scan_short(second, &to);
    if (p == second) return NULL;
    if (columns != ENDS) {
        if (!(gws__scan_is_blank(*p) || *p == separator)) return NULL;
        const char *third = p + 1;
        p = columns == REALS ? fast_real(third, &found->weight.number) : gws__scan_short(third, &weight);
        if (!p || p == third || weight > INT32_MAX) return NULL;
    }
    found->from = from - syntax->base;
    found->to = to - syntax->base;
    found->weight.integer = (int32_t)weight;
    return fast_end(p);
}

enum width { narrow, wide };

/* Returns one past the largest endpoint that the fast path accepts. */
static uint64_t fast_limit(const struct gws__syntax *syntax, enum width width)
{
    if (!syntax->free) return syntax->vertices;
    return width == wide ? UINT64_MAX : (uint64_t)UINT32_MAX + 1;
}

/* Why a loop over lines ended. */
enum stop {
    AT_END,
    TOO_WIDE,   /* an id is too large for a narrow block */
    REAL_WEIGHT /* the last edge had the first real weight of an integer block, which is real now */
};

/* Reads lines from line->at into the block's entries from *made on. Updates *made to the number of entries. */
static inline __attribute__((always_inline)) gws_status read_lines(struct line_reader *line, struct gws__block *block,
                                                                   enum width width, bool tagged, enum columns columns,
                                                                   uint64_t *made_edges, enum stop *stop)
{
    const struct gws__syntax *syntax = line->reading->syntax;
    const uint64_t limit = fast_limit(syntax, width);
    enum stop why = AT_END;
    uint64_t made = *made_edges;
    const char *p = line->at;
    while (p < line->chunk->end && why == AT_END) {
        struct edge_line found = {.edge = true};
        const char *next = fast_path(p, syntax, tagged, columns, &found);
        if (__builtin_expect(!next || found.from >= limit || found.to >= limit, false)) {
            line->at = p;
            line->end = memchr(p, '\n', (size_t)(line->chunk->end - p));
            next = line->end + 1;
            gws_status status = slow_path(line, &found);
            if (status != GWS_OK) return status;
            if (width == narrow && found.edge && (found.from | found.to) > UINT32_MAX) why = TOO_WIDE;
            if (why == TOO_WIDE) break;
            if (columns == INTEGERS && found.edge && found.weight.real) {
                gws__block_make_real(block, made);
                why = REAL_WEIGHT;
            }
        }
        if (width == wide)
            block->wide[made] = (struct gws__wide_edge){.from = found.from, .to = found.to};
        else
            block->edge[made] = (struct gws_edge){.from = (uint32_t)found.from, .to = (uint32_t)found.to};
        if (columns == REALS || why == REAL_WEIGHT)
            block->real_weight[made] = found.weight.number;
        else if (columns == INTEGERS && block->weights)
            block->weight[made] = found.weight.integer;
        made += found.edge;
        p = next;
    }
    line->at = p;
    *made_edges = made;
    *stop = why;
    return GWS_OK;
}

/* Reads lines of one form. Each form has its own loop, which has no branches on the form. */
static gws_status read_shape(struct line_reader *line, struct gws__block *block, enum width width, uint64_t *made,
                             enum stop *stop)
{
    const struct gws__syntax *syntax = line->reading->syntax;
    const enum columns columns = !syntax->weighted ? ENDS : block->real ? REALS : INTEGERS;
    if (width == wide && columns == REALS) return read_lines(line, block, wide, false, REALS, made, stop);
    if (width == wide && columns == INTEGERS) return read_lines(line, block, wide, false, INTEGERS, made, stop);
    if (width == wide) return read_lines(line, block, wide, false, ENDS, made, stop);
    if (syntax->tag && columns == REALS) return read_lines(line, block, narrow, true, REALS, made, stop);
    if (syntax->tag && columns == INTEGERS) return read_lines(line, block, narrow, true, INTEGERS, made, stop);
    if (syntax->tag) return read_lines(line, block, narrow, true, ENDS, made, stop);
    if (columns == REALS) return read_lines(line, block, narrow, false, REALS, made, stop);
    if (columns == INTEGERS) return read_lines(line, block, narrow, false, INTEGERS, made, stop);
    return read_lines(line, block, narrow, false, ENDS, made, stop);
}

/* Reads a whole chunk into the block. A wide block gets the chunk again from its start. */
static gws_status read_block(struct line_reader *line, struct gws__block *block, enum width width, enum stop *stop)
{
    uint64_t made = block->count;
    gws_status status = GWS_OK;
    line->at = line->chunk->at;
    do status = read_shape(line, block, width, &made, stop);
    while (status == GWS_OK && *stop == REAL_WEIGHT);
    if (status == GWS_OK && *stop == AT_END) block->count = made;
    return status;
}

static gws_status read_chunk(void *context, uint32_t worker, const struct gws__chunk *chunk)
{
    const struct edge_reading *reading = context;
    struct line_reader line = {.reading = reading, .chunk = chunk};
    /* The shortest edge is "1 2" and a line feed. A comment needs one more entry, which the next line overwrites. */
    uint64_t capacity = (uint64_t)(chunk->end - chunk->at) / 4 + 1;
    enum stop stop = TOO_WIDE;
    for (int width = narrow; width <= wide && stop == TOO_WIDE; width++) {
        struct gws__block *block = gws__edges_reserve(reading->edges, worker, width == wide, capacity);
        if (!block) return GWS_NO_MEMORY;
        gws_status status = read_block(&line, block, (enum width)width, &stop);
        if (status != GWS_OK) return status;
    }
    return GWS_OK;
}

gws_status gws__lines_read(struct gws__input *input, const struct gws__syntax *syntax, struct gws__edges *edges)
{
    struct edge_reading reading = {.input = input, .syntax = syntax, .edges = edges};
    edges->packs = edges->ranks != NULL;
    gws_status status = gws__chunks_run(input, read_chunk, &reading);
    edges->packs = false;
    return status == GWS_OK ? gws__edges_unify_weights(edges) : status;
}
