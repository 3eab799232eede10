/* SPDX-License-Identifier: MIT */
/* Trails through the lines of a layer. A trail goes on at a point with any line that is not drawn yet, straight on if
 * one does. Trails begin at points with an odd number of lines, as Hierholzer's walks do (Mathematische Annalen 6,
 * 1873). The lines at a point are a segment of a sorted array; those that are drawn move to its front, so each is
 * passed once. */
#include "map_trails.h"

#include <stdlib.h>

enum {
    MIN_CAPACITY = 1024,
    WINDOW = 16 /* lines at a point among which a trail looks for the one straight on */
};

static const uint64_t NONE = UINT64_MAX;

/* ---- lines ---- */

static int compare(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

/* Sorts the lines and drops repetitions. */
static void simplify(struct layer *layer)
{
    uint64_t count = 0;
    if (layer->count == 0) return;
    qsort(layer->line, layer->count, sizeof *layer->line, compare);
    for (uint64_t i = 0; i < layer->count; i++)
        if (i == 0 || layer->line[i] != layer->line[count - 1]) layer->line[count++] = layer->line[i];
    layer->count = count;
}

static bool grow(struct layer *layer)
{
    simplify(layer);
    if (layer->capacity > 0 && layer->count <= layer->capacity / 2) return true;
    uint64_t capacity = layer->capacity > 0 ? 2 * layer->capacity : MIN_CAPACITY;
    uint64_t *line = realloc(layer->line, capacity * sizeof *line);
    if (!line) return false;
    layer->line = line;
    layer->capacity = capacity;
    return true;
}

bool layer_add(struct layer *layer, map_point one, map_point other)
{
    if (layer->count == layer->capacity && !grow(layer)) return false;
    layer->line[layer->count++] = one < other ? (uint64_t)one << 32 | other : (uint64_t)other << 32 | one;
    return true;
}

/* ---- printing ---- */

struct pen {
    FILE *out;
    int32_t x, y;   /* where the trail is */
    int32_t dx, dy; /* the last part of the trail, not printed yet */
    char command;   /* that a pair of numbers continues */
    bool began;
};

/* Prints a pair of numbers with as few characters as the grammar of paths needs. */
static void print_pair(struct pen *pen, char command, int32_t x, int32_t y)
{
    if (command != pen->command) fputc(command, pen->out);
    fprintf(pen->out, command == pen->command && x >= 0 ? " %d" : "%d", x);
    fprintf(pen->out, y >= 0 ? " %d" : "%d", y);
    pen->command = command == 'm' ? 'l' : command == 'M' ? 'L' : command; /* pairs after a move are lines */
}

static void flush(struct pen *pen)
{
    if (pen->dx != 0 && pen->dy != 0) {
        print_pair(pen, 'l', pen->dx, pen->dy);
    } else if (pen->dx != 0 || pen->dy != 0) {
        fprintf(pen->out, "%c%d", pen->dy ? 'v' : 'h', pen->dy ? pen->dy : pen->dx);
        pen->command = 0;
    }
    pen->dx = pen->dy = 0;
}

static void move_to(struct pen *pen, map_point point)
{
    int32_t x = map_x(point), y = map_y(point);
    flush(pen);
    pen->command = 0;
    print_pair(pen, pen->began ? 'm' : 'M', pen->began ? x - pen->x : x, pen->began ? y - pen->y : y);
    pen->began = true;
    pen->x = x;
    pen->y = y;
}

static bool is_straight(const struct pen *pen, int32_t dx, int32_t dy)
{
    return (int64_t)dx * pen->dy == (int64_t)dy * pen->dx && (int64_t)dx * pen->dx + (int64_t)dy * pen->dy > 0;
}

static void line_to(struct pen *pen, map_point point)
{
    int32_t dx = map_x(point) - pen->x, dy = map_y(point) - pen->y;
    if (!is_straight(pen, dx, dy)) flush(pen);
    pen->dx += dx;
    pen->dy += dy;
    pen->x += dx;
    pen->y += dy;
}

/* Prints the dots and drops them. */
static void print_dots(struct layer *layer, struct pen *pen)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < layer->count; i++) {
        const uint64_t line = layer->line[i];
        if (line >> 32 == (uint32_t)line) {
            move_to(pen, (map_point)line);
            fputs("h0", pen->out);
        } else {
            layer->line[count++] = line;
        }
    }
    layer->count = count;
}

/* ---- trails ---- */

struct trails {
    const uint64_t *line;
    uint64_t *end;   /* ends entries, sorted by points: a point << 32 | a line there */
    uint64_t *first; /* at a segment's begin: its first entry that may have a line not drawn yet */
    uint64_t *left;  /* at a segment's begin: its lines that are not drawn yet */
    bool *drawn;     /* of each line */
    uint64_t ends;
};

static map_point other_end(const struct trails *trails, uint64_t entry)
{
    const uint64_t line = trails->line[(uint32_t)entry];
    return (map_point)(line >> 32 == entry >> 32 ? line : line >> 32);
}

/* Returns the first entry that is not below the key. */
static uint64_t find(const struct trails *trails, uint64_t key)
{
    uint64_t low = 0, high = trails->ends;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (trails->end[middle] >> 32 < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void swap(uint64_t *one, uint64_t *other)
{
    uint64_t held = *one;
    *one = *other;
    *other = held;
}

/* Takes a line of the segment that is not drawn yet, straight on if one is, and marks it. Returns false if there is
 * none; otherwise *to receives its other end. */
static bool take(struct trails *trails, const struct pen *pen, uint64_t begin, map_point *to)
{
    uint64_t *first = &trails->first[begin], best = NONE;
    const map_point point = (map_point)(trails->end[begin] >> 32);
    for (uint64_t i = *first, looked = 0; looked < WINDOW && looked < trails->left[begin]; i++) {
        if (trails->drawn[(uint32_t)trails->end[i]]) {
            if (best == *first) best = i;
            swap(&trails->end[i], &trails->end[(*first)++]);
            continue;
        }
        const map_point other = other_end(trails, trails->end[i]);
        const bool straight = is_straight(pen, map_x(other) - map_x(point), map_y(other) - map_y(point));
        if (straight || best == NONE) best = i;
        if (straight) break;
        looked++;
    }
    if (best == NONE) return false;
    *to = other_end(trails, trails->end[best]);
    trails->drawn[(uint32_t)trails->end[best]] = true;
    trails->left[begin]--;
    swap(&trails->end[best], &trails->end[(*first)++]);
    return true;
}

/* Walks from the segment at begin until there is no way on. Returns the last segment. */
static uint64_t walk(struct trails *trails, struct pen *pen, uint64_t begin)
{
    map_point next = (map_point)(trails->end[begin] >> 32);
    move_to(pen, next);
    while (take(trails, pen, begin, &next)) {
        line_to(pen, next);
        begin = find(trails, next);
        trails->left[begin]--;
    }
    return begin;
}

/* Of the segments beside one, returns the nearest with an odd number of lines that are not drawn yet, or NONE. */
static uint64_t near(const struct trails *trails, const struct pen *pen, uint64_t begin)
{
    uint64_t best = NONE, up = begin, down = begin;
    int32_t best_distance = INT32_MAX;
    for (uint32_t i = 0; i < WINDOW; i++) {
        uint64_t *at = i % 2 ? &up : &down;
        if (*at == NONE) continue;
        if (i % 2)
            *at = find(trails, (trails->end[up] >> 32) + 1);
        else
            *at = down > 0 ? find(trails, trails->end[down - 1] >> 32) : NONE;
        if (*at == trails->ends) *at = NONE;
        if (*at == NONE || trails->left[*at] % 2 == 0) continue;
        const map_point point = (map_point)(trails->end[*at] >> 32);
        const int32_t distance = abs(map_x(point) - pen->x) + abs(map_y(point) - pen->y);
        if (distance < best_distance) best = *at, best_distance = distance;
    }
    return best;
}

/* Walks from all points, or only from those with an odd number of lines that are not drawn yet. A walk goes on from a
 * point near its end, which keeps the moves short. */
static void walk_all(struct trails *trails, struct pen *pen, bool odd)
{
    for (uint64_t begin = 0; begin < trails->ends; begin = find(trails, (trails->end[begin] >> 32) + 1)) {
        uint64_t from = (odd ? trails->left[begin] % 2 == 1 : trails->left[begin] > 0) ? begin : NONE;
        while (from != NONE) from = near(trails, pen, walk(trails, pen, from));
    }
}

/* Returns false if memory runs out; call trails_clear() in both cases. */
static bool trails_begin(struct trails *trails, const struct layer *layer)
{
    *trails = (struct trails){.line = layer->line, .ends = 2 * layer->count};
    trails->end = calloc(trails->ends + 1, sizeof *trails->end);
    trails->first = calloc(trails->ends + 1, sizeof *trails->first);
    trails->left = calloc(trails->ends + 1, sizeof *trails->left);
    trails->drawn = calloc(layer->count + 1, sizeof *trails->drawn);
    if (!trails->end || !trails->first || !trails->left || !trails->drawn || layer->count > UINT32_MAX) return false;
    for (uint64_t i = 0; i < layer->count; i++) {
        trails->end[2 * i] = layer->line[i] >> 32 << 32 | i;
        trails->end[2 * i + 1] = layer->line[i] << 32 | i;
    }
    qsort(trails->end, trails->ends, sizeof *trails->end, compare);
    for (uint64_t i = 0, begin = 0; i < trails->ends; i++) {
        if (trails->end[i] >> 32 != trails->end[begin] >> 32) begin = i;
        trails->first[i] = i;
        trails->left[begin] = i + 1 - begin;
    }
    return true;
}

static void trails_clear(struct trails *trails)
{
    free(trails->drawn);
    free(trails->left);
    free(trails->first);
    free(trails->end);
}

bool layer_print(struct layer *layer, FILE *out)
{
    struct pen pen = {.out = out};
    struct trails trails;
    simplify(layer);
    print_dots(layer, &pen);
    const bool good = trails_begin(&trails, layer);
    if (good) {
        walk_all(&trails, &pen, true);
        walk_all(&trails, &pen, false);
        flush(&pen);
    }
    trails_clear(&trails);
    return good;
}
