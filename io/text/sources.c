/* SPDX-License-Identifier: MIT */
/* DIMACS .ss: "p aux sp ss N", then N lines "s ID". Lists are short: they are read line by line, and the array grows
 * with what was read, not with what was declared. */
#include "reader.h"

#include <inttypes.h>
#include <string.h>

struct list {
    uint32_t *vertex;
    uint64_t count, capacity;
};

static gws_status append(struct gws_runtime *runtime, struct list *list, uint32_t vertex)
{
    if (list->count == list->capacity) {
        uint64_t capacity = list->capacity ? 2 * list->capacity : 16;
        uint32_t *larger = gws_allocate(runtime, capacity, sizeof *larger);
        if (!larger) return GWS_NO_MEMORY;
        if (list->count > 0) memcpy(larger, list->vertex, list->count * sizeof *larger);
        gws_release(runtime, list->vertex, list->capacity, sizeof *list->vertex);
        list->vertex = larger;
        list->capacity = capacity;
    }
    list->vertex[list->count++] = vertex;
    return GWS_OK;
}

static gws_status read_head(struct gws__input *input, uint64_t *count)
{
    static const char *const head[] = {"p", "aux", "sp", "ss"};
    struct gws__words words;
    gws_status status = gws__words_next(input, "c", "a line \"p aux sp ss N\"", &words);
    for (unsigned i = 0; status == GWS_OK && i < 4; i++) {
        if (!gws__words_is(&words, i, head[i]))
            status = gws__words_expected(input, &words, i, "a line \"p aux sp ss N\"");
    }
    if (status == GWS_OK) status = gws__words_number(input, &words, 4, "the number of sources", count);
    if (status == GWS_OK && words.count > 5) status = gws__words_expected(input, &words, 5, "the end of the line");
    return status;
}

static gws_status read_source(struct gws__input *input, const struct gws_graph *graph, const struct gws__words *words,
                              struct list *list)
{
    uint64_t id = 0;
    uint32_t vertex = 0;
    if (!gws__words_is(words, 0, "s")) return gws__words_expected(input, words, 0, "a line \"s ID\"");
    gws_status status = gws__words_number(input, words, 1, "a vertex", &id);
    if (status != GWS_OK) return status;
    if (words->count > 2) return gws__words_expected(input, words, 2, "the end of the line");
    if (gws_graph_find(graph, id, &vertex) == GWS_OK) return append(input->runtime, list, vertex);
    return gws__input_fail(input, GWS_OUT_OF_RANGE, words->line.number,
                           (uint64_t)(words->word[1].at - words->line.at) + 1, "the graph has no vertex %" PRIu64, id);
}

static gws_status read_all(struct gws__input *input, const struct gws_graph *graph, struct list *list)
{
    uint64_t declared = 0;
    gws_status status = read_head(input, &declared);
    while (status == GWS_OK) {
        struct gws__line line;
        struct gws__words words;
        bool got = false;
        status = gws__input_line(input, &line, &got);
        if (status != GWS_OK || !got) break;
        gws__words_split(&line, &words);
        if (words.count == 0 || *words.word[0].at == 'c') continue;
        status = read_source(input, graph, &words, list);
    }
    if (status != GWS_OK || list->count == declared) return status;
    return gws__input_fail(input, list->count < declared ? GWS_TRUNCATED : GWS_SYNTAX, 0, 0,
                           "%" PRIu64 " sources declared, %" PRIu64 " found", declared, list->count);
}

gws_status gws__sources_read_input(struct gws__input *input, const struct gws_graph *graph, uint32_t **source,
                                   uint64_t *count)
{
    struct list list = {0};
    uint32_t *made = NULL;
    gws_status status = gws__input_skip_mark(input);
    if (status == GWS_OK) status = read_all(input, graph, &list);
    if (status == GWS_OK) made = gws_allocate(input->runtime, list.count, sizeof *made);
    if (status == GWS_OK && !made) status = GWS_NO_MEMORY;
    if (status == GWS_OK) {
        if (list.count > 0) memcpy(made, list.vertex, list.count * sizeof *made);
        *source = made;
        *count = list.count;
    }
    gws_release(input->runtime, list.vertex, list.capacity, sizeof *list.vertex);
    return status;
}

gws_status gws_sources_read(struct gws_runtime *runtime, const char *path, const struct gws_graph *graph,
                            uint32_t **source, uint64_t *count, struct gws_where *where)
{
    struct gws__input input;
    gws_status status = gws__input_open(&input, runtime, path, where);
    if (status == GWS_OK) status = gws__sources_read_input(&input, graph, source, count);
    return gws__input_end(&input, status);
}
