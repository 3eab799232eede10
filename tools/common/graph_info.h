/* SPDX-License-Identifier: MIT */
/* What a graph is like: counts, degrees, components, weights. */
#ifndef TOOLS_COMMON_GRAPH_INFO_H
#define TOOLS_COMMON_GRAPH_INFO_H

#include "session.h"

/* Prints it on standard output. Answers the status to exit with. May mark the session's graph undirected. */
int graph_info(struct session *session, bool as_json);

#endif
