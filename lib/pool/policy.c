/* SPDX-License-Identifier: MIT */
#include "policy.h"

#include <string.h>

#include "../runtime.h"

static const struct gws_policy policy_chunked = {
    .name = "chunked",
    .about =
        "a deque of chunks for each worker, cut from the frontier by index; thieves take whole chunks (Abdelmageed)",
    .container = &gws__container_chunked,
    .victim = gws__victim_last,
};

static const struct gws_policy policy_cursor = {
    .name = "cursor",
    .about = "every worker takes its next chunk from one shared counter",
    .container = &gws__container_cursor,
    .victim = NULL,
};

static const struct gws_policy policy_static = {
    .name = "static",
    .about = "equal contiguous parts, never rebalanced: the baseline (Cederman, Tsigas)",
    .container = &gws__container_static,
    .victim = NULL,
};

static const struct gws_policy *const table[] = {&policy_chunked, &policy_cursor, &policy_static};

enum { rows = sizeof table / sizeof table[0] };

const struct gws_policy *gws__policy_named(const char *name)
{
    if (!name) return table[0];
    for (uint32_t i = 0; i < rows; i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

const char *gws_policy_at(uint32_t i, const char **about)
{
    if (i >= rows) return NULL;
    if (about) *about = table[i]->about;
    return table[i]->name;
}
