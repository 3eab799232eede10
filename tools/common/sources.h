/* SPDX-License-Identifier: MIT */
/* From which vertices a traversal starts: a vertex by its own id, the one of largest degree, random ones, a list. */
#ifndef TOOLS_COMMON_SOURCES_H
#define TOOLS_COMMON_SOURCES_H

#include "session.h"

struct sources {
    uint32_t *vertex; /* count entries, in the order of the runs */
    uint64_t count;
};

/* Refuses a value of --source that nothing could make sense of: the status to exit with, or -1. */
int sources_check(const char *source);

/* Fills sources with repeat times what source says. Random vertices have arcs, differ from each other as long as
 * there are others, and depend on the seed alone. Answers -1, or the status to exit with, reported. */
int sources_choose(struct session *session, const char *source, uint64_t repeat, uint64_t seed,
                   struct sources *sources);
void sources_clear(struct session *session, struct sources *sources);

#endif
