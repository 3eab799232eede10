/* SPDX-License-Identifier: MIT */
/* Reads names of a file's vertices, and numeric attributes. igraph's readers store names in the vertex attribute
 * "name" or "id", as strings or numbers. Ids of a gws_graph are 64-bit numbers in ascending order, or names. */
#define _POSIX_C_SOURCE 200809L /* locale_t, in adapter.h */
#include <stdlib.h>
#include <string.h>

#include "../lib/parallel.h"
#include "adapter.h"

struct named {
    uint64_t id;
    uint32_t vertex;
};

/* Returns true if all of text is a 64-bit number. */
static bool number_of(const char *text, uint64_t *number)
{
    *number = 0;
    if (!*text) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || __builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(*text - '0'), number))
            return false;
    }
    return true;
}

static bool name_at(const igraph_t *from, const char *attribute, bool text, uint64_t vertex, uint64_t *id)
{
    if (text) return number_of(igraph_cattribute_VAS(from, attribute, (gws__igraph_int)vertex), id);
    double value = igraph_cattribute_VAN(from, attribute, (gws__igraph_int)vertex);
    *id = value >= 0 && value < 9007199254740992.0 ? (uint64_t)value : 0; /* 2^53, above which doubles skip integers */
    return value >= 0 && value < 9007199254740992.0 && (double)*id == value;
}

static int by_id(const void *a, const void *b)
{
    const struct named *one = a, *other = b;
    return (one->id > other->id) - (one->id < other->id);
}

/* Fills named, sorted by id. Returns false if a name is not a number, or two are equal. */
static bool read_names(const igraph_t *from, const char *attribute, bool text, uint64_t count, struct named *named)
{
    for (uint64_t v = 0; v < count; v++) {
        named[v].vertex = (uint32_t)v;
        if (!name_at(from, attribute, text, v, &named[v].id)) return false;
    }
    qsort(named, count, sizeof *named, by_id);
    for (uint64_t v = 1; v < count; v++)
        if (named[v].id == named[v - 1].id) return false;
    return true;
}

/* Assigns ids. Consecutive ids need no array, and vertices already in order need no renumbering. */
static gws_status assign_ids(struct gws_runtime *runtime, const struct named *named, uint64_t count,
                             struct gws__igraph_names *names)
{
    bool in_order = true, dense = named[count - 1].id - named[0].id == count - 1;
    for (uint64_t i = 0; i < count; i++) in_order &= named[i].vertex == i;
    names->first_id = named[0].id;
    if (!dense) names->id = gws_allocate(runtime, count, sizeof *names->id);
    if (!in_order) names->number = gws_allocate(runtime, count, sizeof *names->number);
    if ((!dense && !names->id) || (!in_order && !names->number)) return GWS_NO_MEMORY;
    for (uint64_t i = 0; i < count; i++) {
        if (names->id) names->id[i] = named[i].id;
        if (names->number) names->number[named[i].vertex] = (uint32_t)i;
    }
    return GWS_OK;
}

/* The names and types of a graph's attributes. */
struct attributes {
    igraph_strvector_t name[3]; /* names of attributes of the graph, of vertices and of edges */
    igraph_vector_int_t type[3];
    int names, types; /* number of initialised entries of name and type, since igraph aborts when it destroys an
                         uninitialised vector */
};

static igraph_error_t list(const igraph_t *from, struct attributes *all)
{
    for (all->names = 0; all->names < 3; all->names++)
        if (igraph_strvector_init(&all->name[all->names], 0) != IGRAPH_SUCCESS) return IGRAPH_ENOMEM;
    for (all->types = 0; all->types < 3; all->types++)
        if (igraph_vector_int_init(&all->type[all->types], 0) != IGRAPH_SUCCESS) return IGRAPH_ENOMEM;
    return igraph_cattribute_list(from, &all->name[0], &all->type[0], &all->name[1], &all->type[1], &all->name[2],
                                  &all->type[2]);
}

static void clear(struct attributes *all)
{
    while (all->names > 0) igraph_strvector_destroy(&all->name[--all->names]);
    while (all->types > 0) igraph_vector_int_destroy(&all->type[--all->types]);
}

/* Finds the type of the vertex attribute `name`. Returns false if the graph has no such attribute. */
static bool type_of(const struct attributes *all, const char *name, int *type)
{
    for (gws__igraph_int a = 0; a < igraph_strvector_size(&all->name[1]); a++)
        if (strcmp(igraph_strvector_get(&all->name[1], a), name) == 0) {
            *type = (int)VECTOR(all->type[1])[a];
            return true;
        }
    return false;
}

/* ---- texts ---- */

struct text_name {
    const char *text;
    size_t length;
    uint32_t vertex;
};

static int by_text(const void *a, const void *b)
{
    const struct text_name *one = a, *other = b;
    return strcmp(one->text, other->text);
}

/* Fills texts in ascending order. Returns false if a text cannot be a name, or if two texts are equal. */
static bool read_texts(const igraph_t *from, const char *attribute, uint64_t count, struct text_name *texts)
{
    for (uint64_t v = 0; v < count; v++) {
        const char *text = igraph_cattribute_VAS(from, attribute, (gws__igraph_int)v);
        texts[v] = (struct text_name){text, strlen(text), (uint32_t)v};
        if (!*text || texts[v].length > GWS_MAX_NAME || strpbrk(text, "\r\n")) return false;
    }
    qsort(texts, count, sizeof *texts, by_text);
    for (uint64_t v = 1; v < count; v++)
        if (strcmp(texts[v].text, texts[v - 1].text) == 0) return false;
    return true;
}

static gws_status copy_texts(struct gws_runtime *runtime, const struct text_name *texts, uint64_t count,
                             struct gws__igraph_names *names)
{
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < count; i++) bytes += texts[i].length;
    names->offset = gws_allocate(runtime, count + 1, sizeof *names->offset);
    names->order = gws_allocate(runtime, count, sizeof *names->order);
    if (!names->offset || !names->order) return GWS_NO_MEMORY;
    for (uint64_t i = 0; i < count; i++) names->offset[texts[i].vertex + (uint64_t)1] = texts[i].length;
    names->offset[0] = 0;
    for (uint64_t v = 0; v < count; v++) names->offset[v + 1] += names->offset[v];
    names->text = gws_allocate(runtime, bytes, 1);
    if (!names->text) return GWS_NO_MEMORY;
    for (uint64_t i = 0; i < count; i++) {
        memcpy(names->text + names->offset[texts[i].vertex], texts[i].text, texts[i].length);
        names->order[i] = texts[i].vertex;
    }
    return GWS_OK;
}

static gws_status find_texts(struct gws_runtime *runtime, const igraph_t *from, const struct attributes *all,
                             struct gws__igraph_names *names)
{
    static const char *const attribute[] = {"name", "id"};
    uint64_t count = (uint64_t)igraph_vcount(from);
    struct text_name *texts = gws_allocate(runtime, count, sizeof *texts);
    if (!texts) return GWS_NO_MEMORY;
    gws_status status = GWS_OK;
    bool found = false, present = false;
    for (int i = 0, type; i < 2 && !found; i++) {
        if (!type_of(all, attribute[i], &type)) continue;
        present = true;
        found = type == IGRAPH_ATTRIBUTE_STRING && read_texts(from, attribute[i], count, texts);
        if (found) status = copy_texts(runtime, texts, count, names);
    }
    if (present && !found)
        gws_report_log(runtime, "the names of vertices are not all different; vertices are numbered instead");
    gws_release(runtime, texts, count, sizeof *texts);
    return status;
}

/* ---- numbers, or else texts ---- */

static gws_status find(struct gws_runtime *runtime, const igraph_t *from, const struct attributes *all,
                       struct gws__igraph_names *names)
{
    static const char *const attribute[] = {"name", "id"};
    uint64_t count = (uint64_t)igraph_vcount(from);
    struct named *named = gws_allocate(runtime, count, sizeof *named);
    if (!named) return GWS_NO_MEMORY;
    gws_status status = GWS_OK;
    bool found = false;
    for (int i = 0, type; i < 2 && !found; i++) {
        if (!type_of(all, attribute[i], &type) || type == IGRAPH_ATTRIBUTE_BOOLEAN) continue;
        found = read_names(from, attribute[i], type == IGRAPH_ATTRIBUTE_STRING, count, named);
        if (found) status = assign_ids(runtime, named, count, names);
    }
    gws_release(runtime, named, count, sizeof *named);
    return found ? status : find_texts(runtime, from, all, names);
}

gws_status gws__igraph_names_find(struct gws_runtime *runtime, const igraph_t *from, uint64_t base,
                                  struct gws__igraph_names *names)
{
    struct attributes all = {.names = 0};
    *names = (struct gws__igraph_names){.first_id = base};
    if (igraph_vcount(from) == 0) return GWS_OK;
    gws_status status = list(from, &all) == IGRAPH_SUCCESS ? find(runtime, from, &all, names) : GWS_NO_MEMORY;
    clear(&all);
    if (status != GWS_OK) gws__igraph_names_clear(runtime, from, names);
    return status;
}

void gws__igraph_names_clear(struct gws_runtime *runtime, const igraph_t *from, struct gws__igraph_names *names)
{
    uint64_t count = (uint64_t)igraph_vcount(from);
    gws_release(runtime, names->id, count, sizeof *names->id);
    gws_release(runtime, names->number, count, sizeof *names->number);
    if (names->text) gws_release(runtime, names->text, names->offset[count], 1);
    gws_release(runtime, names->offset, count + 1, sizeof *names->offset);
    gws_release(runtime, names->order, count, sizeof *names->order);
    *names = (struct gws__igraph_names){0};
}

/* ---- other attributes ---- */

igraph_error_t gws__igraph_numbers(const igraph_t *from, igraph_attribute_elemtype_t of, const char *name,
                                   igraph_vector_t *to, bool *found)
{
    *found = false;
    if (!igraph_cattribute_has_attr(from, of, name)) return IGRAPH_SUCCESS;
    igraph_error_t error = of == IGRAPH_ATTRIBUTE_EDGE
                               ? igraph_cattribute_EANV(from, name, igraph_ess_all(IGRAPH_EDGEORDER_ID), to)
                               : igraph_cattribute_VANV(from, name, igraph_vss_all(), to);
    *found = error == IGRAPH_SUCCESS;
    /* An attribute of strings with this name is not an error. *found is then false. */
    return error == IGRAPH_ENOMEM ? error : IGRAPH_SUCCESS;
}

gws_status gws__igraph_positions(struct gws_runtime *runtime, const igraph_t *from, const uint32_t *number,
                                 igraph_vector_t *x, igraph_vector_t *y, struct gws_graph *graph)
{
    bool has_x, has_y = false;
    igraph_error_t error = gws__igraph_numbers(from, IGRAPH_ATTRIBUTE_VERTEX, "x", x, &has_x);
    if (error == IGRAPH_SUCCESS && has_x) error = gws__igraph_numbers(from, IGRAPH_ATTRIBUTE_VERTEX, "y", y, &has_y);
    if (error != IGRAPH_SUCCESS) return GWS_NO_MEMORY;
    if (!has_x || !has_y || graph->vertices == 0) return GWS_OK;
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (VECTOR(*x)[v] != VECTOR(*x)[v] || VECTOR(*y)[v] != VECTOR(*y)[v])
            return GWS_OK; /* this vertex has no position */
    double *position = gws_allocate(runtime, graph->vertices, 2 * sizeof *position);
    if (!position) return GWS_NO_MEMORY;
    for (uint64_t v = 0; v < graph->vertices; v++) {
        uint64_t ours = number ? number[v] : v;
        position[2 * ours] = VECTOR(*x)[v];
        position[2 * ours + 1] = VECTOR(*y)[v];
    }
    gws_graph_adopt_positions(graph, position);
    return GWS_OK;
}
