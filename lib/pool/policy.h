/* SPDX-License-Identifier: MIT */
/* A policy = a container + decisions; the table of them is what --policy names. */
#ifndef GWS_POOL_POLICY_H
#define GWS_POOL_POLICY_H

#include "../policy/decide.h"
#include "../queue/container.h"

struct gws_policy {
    const char *name;
    const char *about; /* one sentence without a full stop */
    const struct gws_container *container;
    gws_victim *victim; /* NULL: never steals */
};

/* The policy called name, "chunked" for NULL; NULL when there is none. */
const struct gws_policy *gws__policy_named(const char *name);

#endif
