/* SPDX-License-Identifier: MIT */
/* Maps the workers' names to vertices. Each worker sorts its table. The workers merge the lists in pairs, without
 * repetitions, until one list is left. Then the workers compare each table's list with this list. A comparison of
 * names uses the first eight bytes, and the text only if these are equal. A worker's share is large, so the loops'
 * bodies ask the cancel hook. A cancelled merge copies the rest of both lists. */
#include <string.h>

#include "name_table.h"

/* Returns a negative number, 0 or a positive number for a < b, a = b or a > b. */
static int compare(const struct gws__name_tables *names, const struct gws__name_item *a, const struct gws__name_item *b)
{
    uint64_t a_length, b_length;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    const char *a_text = gws__names_text(names, a, &a_length), *b_text = gws__names_text(names, b, &b_length);
    int order = memcmp(a_text, b_text, a_length < b_length ? a_length : b_length);
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

static uint64_t key_of(const char *text, uint64_t length)
{
    uint64_t key = 0;
    for (uint64_t i = 0; i < 8; i++) key = key << 8 | (i < length ? (unsigned char)text[i] : 0);
    return key;
}

/* Merges two sorted lists. The result has each common name once. */
static uint64_t merge(const struct gws__name_tables *names, const struct gws__name_item *a, uint64_t as,
                      const struct gws__name_item *b, uint64_t bs, struct gws__name_item *to)
{
    uint64_t made = 0, i = 0, j = 0;
    while (i < as && j < bs && (made == 0 || !gws_cancelled_at(names->runtime, made))) {
        int order = compare(names, &a[i], &b[j]);
        to[made++] = order <= 0 ? a[i] : b[j];
        i += order <= 0;
        j += order >= 0;
    }
    if (i < as) memcpy(to + made, a + i, (as - i) * sizeof *a);
    made += as - i;
    if (j < bs) memcpy(to + made, b + j, (bs - j) * sizeof *b);
    return made + bs - j;
}

/* ---- each table ---- */

struct table_sort {
    struct gws__name_tables *names;
    struct gws__name_item **scratch; /* one array for each worker */
};

/* Sorts a table by bottom-up merge sort. A table has no repeated names. */
static void sort_table(const struct gws__name_tables *names, uint32_t worker, struct gws__name_item *scratch)
{
    struct gws__name_table *table = &names->table[worker];
    struct gws__name_item *from = table->sorted, *to = scratch;
    for (uint64_t i = 0; i < table->count; i++)
        from[i] = (struct gws__name_item){key_of(table->text + table->name[i].offset, table->name[i].length), worker,
                                          (uint32_t)i};
    for (uint64_t width = 1; width < table->count; width *= 2) {
        for (uint64_t begin = 0; begin < table->count; begin += 2 * width) {
            if (gws_cancelled_at(names->runtime, begin)) return;
            uint64_t left = table->count - begin, first = left < width ? left : width;
            uint64_t second = left - first < width ? left - first : width;
            (void)merge(names, from + begin, first, from + begin + first, second, to + begin);
        }
        struct gws__name_item *swap = from;
        from = to;
        to = swap;
    }
    if (from != table->sorted) memcpy(table->sorted, from, table->count * sizeof *from);
}

static void sort_tables(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct table_sort *sort = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) sort_table(sort->names, (uint32_t)i, sort->scratch[i]);
}

static gws_status sort_each(struct gws__name_tables *names)
{
    struct gws_runtime *runtime = names->runtime;
    struct table_sort sort = {.names = names};
    gws_status status = GWS_OK;
    sort.scratch = gws_allocate(runtime, names->workers, sizeof *sort.scratch);
    if (!sort.scratch) return GWS_NO_MEMORY;
    for (uint32_t i = 0; i < names->workers; i++) {
        struct gws__name_table *table = &names->table[i];
        sort.scratch[i] = gws_allocate(runtime, table->count, sizeof **sort.scratch);
        table->sorted = gws_allocate(runtime, table->count, sizeof *table->sorted);
        table->vertex = gws_allocate(runtime, table->count, sizeof *table->vertex);
        if (!sort.scratch[i] || !table->sorted || !table->vertex) status = GWS_NO_MEMORY;
    }
    if (status == GWS_OK) status = gws_parallel_try_for(runtime, names->workers, 1, sort_tables, &sort);
    for (uint32_t i = 0; i < names->workers; i++)
        if (sort.scratch[i]) gws_release(runtime, sort.scratch[i], names->table[i].count, sizeof **sort.scratch);
    gws_release(runtime, sort.scratch, names->workers, sizeof *sort.scratch);
    return status;
}

/* ---- all tables ---- */

/* A sorted list. owned: the merge frees the list. */
struct name_run {
    struct gws__name_item *item;
    uint64_t count, capacity;
    bool owned;
};

struct run_merge {
    const struct gws__name_tables *names;
    struct name_run *run, *next;
    uint64_t runs;
};

static void merge_pairs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct run_merge *merging = context;
    (void)worker;
    for (uint64_t pair = begin; pair < end; pair++) {
        const struct name_run *a = &merging->run[2 * pair], *b = a + 1;
        struct name_run *to = &merging->next[pair];
        to->count = merge(merging->names, a->item, a->count, b->item, b->count, to->item);
    }
}

static void run_free(struct gws_runtime *runtime, struct name_run *run)
{
    if (run->owned) gws_release(runtime, run->item, run->capacity, sizeof *run->item);
    *run = (struct name_run){0};
}

/* Merges the runs in pairs. If their number is odd, the last run remains. */
static gws_status merge_round(struct run_merge *merging)
{
    struct gws_runtime *runtime = merging->names->runtime;
    uint64_t pairs = merging->runs / 2;
    bool whole = true;
    for (uint64_t i = 0; i < pairs; i++) {
        uint64_t capacity = merging->run[2 * i].count + merging->run[2 * i + 1].count;
        struct gws__name_item *item = gws_allocate(runtime, capacity, sizeof *item);
        merging->next[i] = (struct name_run){.item = item, .capacity = capacity, .owned = item != NULL};
        whole &= item != NULL;
    }
    gws_status status = whole ? gws_parallel_try_for(runtime, pairs, 1, merge_pairs, merging) : GWS_NO_MEMORY;
    for (uint64_t i = 0; i < 2 * pairs; i++) run_free(runtime, &merging->run[i]);
    for (uint64_t i = 0; i < pairs; i++) merging->run[i] = merging->next[i];
    if (merging->runs % 2) {
        merging->run[pairs] = merging->run[2 * pairs];
        if (pairs) merging->run[2 * pairs] = (struct name_run){0};
    }
    merging->runs -= pairs;
    return status;
}

static gws_status merge_all(struct gws__name_tables *names)
{
    struct gws_runtime *runtime = names->runtime;
    struct run_merge merging = {.names = names, .runs = names->workers};
    merging.run = gws_allocate(runtime, names->workers, sizeof *merging.run);
    merging.next = gws_allocate(runtime, names->workers, sizeof *merging.next);
    gws_status status = merging.run && merging.next ? GWS_OK : GWS_NO_MEMORY;
    for (uint32_t i = 0; i < names->workers && status == GWS_OK; i++)
        merging.run[i] = (struct name_run){.item = names->table[i].sorted, .count = names->table[i].count};
    while (status == GWS_OK && merging.runs > 1) status = merge_round(&merging);
    if (status == GWS_OK) {
        names->list = merging.run[0].item;
        names->vertices = merging.run[0].count;
        names->capacity = merging.run[0].capacity;
        if (!merging.run[0].owned)
            names->table[0].sorted = NULL; /* with one worker, the list moves from the table to names->list */
        if (!merging.run[0].owned) names->capacity = names->table[0].count;
    } else if (merging.run && merging.next) {
        for (uint64_t i = 0; i < merging.runs; i++) run_free(runtime, &merging.run[i]);
    }
    gws_release(runtime, merging.run, names->workers, sizeof *merging.run);
    gws_release(runtime, merging.next, names->workers, sizeof *merging.next);
    return status;
}

/* ---- the vertex of each number ---- */

static void find_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__name_tables *names = context;
    (void)worker;
    for (uint64_t w = begin; w < end; w++) {
        const struct gws__name_table *table = &names->table[w];
        const struct gws__name_item *sorted = table->sorted ? table->sorted : names->list;
        for (uint64_t i = 0, vertex = 0; i < table->count && !gws_cancelled_at(names->runtime, i); i++, vertex++) {
            while (compare(names, &names->list[vertex], &sorted[i]) != 0) vertex++;
            table->vertex[sorted[i].number] = (uint32_t)vertex;
        }
    }
}

gws_status gws__names_sort(struct gws__name_tables *names)
{
    gws_status status = sort_each(names);
    if (status == GWS_OK) status = merge_all(names);
    if (status == GWS_OK && names->vertices >= GWS_NO_VERTEX) status = GWS_TOO_LARGE;
    if (status == GWS_OK) status = gws_parallel_try_for(names->runtime, names->workers, 1, find_vertices, names);
    return status;
}

/* ---- edges, and the graph's names ---- */

struct name_apply {
    const struct gws__name_tables *names;
    struct gws__edges *edges;
};

static void apply_tables(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct name_apply *apply = context;
    (void)worker;
    for (uint64_t w = begin; w < end; w++) {
        const uint32_t *vertex = apply->names->table[w].vertex;
        const struct gws__block_list *list = &apply->edges->buffer[w].list[0];
        for (uint64_t b = 0; b < list->count; b++) {
            for (uint64_t i = 0; i < list->block[b].count && !gws_cancelled_at(apply->names->runtime, i); i++) {
                struct gws_edge *edge = &list->block[b].edge[i];
                *edge = (struct gws_edge){vertex[edge->from], vertex[edge->to]};
            }
        }
    }
}

gws_status gws__names_apply(const struct gws__name_tables *names, struct gws__edges *edges)
{
    struct name_apply apply = {names, edges};
    return gws_parallel_try_for(names->runtime, names->workers, 1, apply_tables, &apply);
}

struct name_copy {
    const struct gws__name_tables *names;
    const uint64_t *offset;
    char *text;
};

static void copy_names(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct name_copy *copy = context;
    uint64_t length;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        const char *text = gws__names_text(copy->names, &copy->names->list[v], &length);
        memcpy(copy->text + copy->offset[v], text, length);
    }
}

gws_status gws__names_move(const struct gws__name_tables *names, struct gws_graph *graph)
{
    uint64_t bytes = 0, length;
    uint64_t *offset = gws_allocate(names->runtime, names->vertices + 1, sizeof *offset);
    if (!offset) return GWS_NO_MEMORY;
    for (uint64_t v = 0; v < names->vertices && !gws_cancelled_at(names->runtime, v); v++) {
        offset[v] = bytes;
        (void)gws__names_text(names, &names->list[v], &length);
        bytes += length;
    }
    offset[names->vertices] = bytes;
    char *text = gws_allocate(names->runtime, bytes, 1);
    struct name_copy copy = {names, offset, text};
    gws_status status = !text ? GWS_NO_MEMORY
                        : gws_cancelled(names->runtime)
                            ? GWS_CANCELLED
                            : gws_parallel_try_for(names->runtime, names->vertices, 1 << 12, copy_names, &copy);
    if (status == GWS_OK) {
        gws_graph_adopt_names(graph, offset, text, NULL);
        return GWS_OK;
    }
    gws_release(names->runtime, text, bytes, 1);
    gws_release(names->runtime, offset, names->vertices + 1, sizeof *offset);
    return status;
}
