/* SPDX-License-Identifier: MIT */
/* --device auto: what searches this graph fastest on this machine. */
#ifndef TOOLS_GBFS_DEVICE_AUTO_H
#define TOOLS_GBFS_DEVICE_AUTO_H

#include "device_search.h"

/* Searches twice with the threads from source, into result, and from what that took decides for as many searches: opens
 * the device with the graph on it, or leaves search as it is, for the threads. search->picked says what and why. A
 * device that is missing or fails is no error. Answers -1, or the status to exit with once the mistake has been
 * reported. */
int device_auto(struct device_search *search, struct session *session, enum gws_bfs_direction direction,
                uint32_t source, uint64_t searches, struct gws_bfs_result *result);

#endif
