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

/* Applies the changes to the session's graph. keep_ids: the output can hold ids that do not ascend with the vertices;
 * otherwise relabelled vertices get new ids from 0, but keep names. */
gws_status convert_change(struct session *session, const struct convert_settings *settings, bool keep_ids);

#endif
