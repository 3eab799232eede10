/* SPDX-License-Identifier: MIT */
/* The parts of gconvert. */
#ifndef TOOLS_GCONVERT_GCONVERT_H
#define TOOLS_GCONVERT_GCONVERT_H

#include "../common/session.h"

struct convert_settings {
    struct session_settings session;
    const char *to, *positions;
    int weights; /* an enum gws_weights */
    int remove_loops, remove_duplicates, symmetrise, largest, relabel, info;
};

enum { RELABEL_NONE = 0 }; /* otherwise 1 + an enum gws_order */
extern const char *const relabel_name[];

/* The new order of the vertices, and what it changed. */
struct relabelling {
    const char *order; /* NULL: the vertices have their old order */
    double order_ms;   /* time to find the order and to build the graph */
    double gaps_ms;    /* time to measure the gaps */
    struct gws_graph_gaps before, after;
};

/* Applies the changes to the session's graph. keep_ids: the output can hold ids that do not ascend with the vertices;
 * otherwise relabelled vertices get new ids from 0, but keep names. */
gws_status convert_change(struct session *session, const struct convert_settings *settings, bool keep_ids,
                          struct relabelling *relabelling);

/* Print a relabelling as a line of text, and add it to an object. */
void relabelling_print(const struct relabelling *relabelling, FILE *out);
void relabelling_json(const struct relabelling *relabelling, struct json *json);

#endif
