/* SPDX-License-Identifier: MIT */
/* Trees by name: the samples that come with the original program, whose sizes are known, and its defaults. */
#include <stddef.h>
#include <string.h>

#include "../uts.h"

#define GEOMETRIC(shape_, depth_, branching_, seed_)                                                                   \
    {                                                                                                                  \
        .type = GWS_UTS_GEOMETRIC, .shape = GWS_UTS_##shape_, .depth = (depth_), .branching = (branching_),            \
        .seed = (seed_), .chance = 15.0 / 64.0, .litter = 4, .turn = 0.5, .repeat = 1                                  \
    }
#define BINOMIAL(branching_, chance_, litter_, seed_)                                                                  \
    {                                                                                                                  \
        .type = GWS_UTS_BINOMIAL, .depth = 6, .branching = (branching_), .chance = (chance_), .litter = (litter_),     \
        .seed = (seed_), .turn = 0.5, .repeat = 1                                                                      \
    }
#define HYBRID(shape_, depth_, branching_, seed_, chance_, litter_)                                                    \
    {                                                                                                                  \
        .type = GWS_UTS_HYBRID, .shape = GWS_UTS_##shape_, .depth = (depth_), .branching = (branching_),               \
        .seed = (seed_), .chance = (chance_), .litter = (litter_), .turn = 0.5, .repeat = 1                            \
    }

static const struct gws_uts_named named[] = {
    {"T1", "-t 1 -a 3 -d 10 -b 4 -r 19", GEOMETRIC(FIXED, 10, 4, 19), {4130071, 3305118, 10}},
    {"T2", "-t 1 -a 2 -d 16 -b 6 -r 502", GEOMETRIC(CYCLIC, 16, 6, 502), {4117769, 2342762, 81}},
    {"T3", "-t 0 -b 2000 -q 0.124875 -m 8 -r 42", BINOMIAL(2000, 0.124875, 8, 42), {4112897, 3599034, 1572}},
    {"T4",
     "-t 2 -a 0 -d 16 -b 6 -r 1 -q 0.234375 -m 4",
     HYBRID(LINEAR, 16, 6, 1, 0.234375, 4),
     {4132453, 3108986, 134}},
    {"T5", "-t 1 -a 0 -d 20 -b 4 -r 34", GEOMETRIC(LINEAR, 20, 4, 34), {4147582, 2181318, 20}},
    {"T1L", "-t 1 -a 3 -d 13 -b 4 -r 29", GEOMETRIC(FIXED, 13, 4, 29), {102181082, 81746377, 13}},
    {"T2L", "-t 1 -a 2 -d 23 -b 7 -r 220", GEOMETRIC(CYCLIC, 23, 7, 220), {96793510, 53791152, 67}},
    {"T3L", "-t 0 -b 2000 -q 0.200014 -m 5 -r 7", BINOMIAL(2000, 0.200014, 5, 7), {111345631, 89076904, 17844}},
    {"T1XL", "-t 1 -a 3 -d 15 -b 4 -r 29", GEOMETRIC(FIXED, 15, 4, 29), {1635119272, 1308100063, 15}},
    {"T1WL", "-t 1 -a 3 -d 18 -b 4 -r 19", GEOMETRIC(FIXED, 18, 4, 19), {270751679750, 216601257283, 18}},
};

void gws_uts_defaults(struct gws_uts_tree *tree)
{
    *tree = (struct gws_uts_tree)GEOMETRIC(LINEAR, 6, 4, 0);
}

const struct gws_uts_named *gws_uts_at(uint32_t i)
{
    return i < sizeof named / sizeof *named ? &named[i] : NULL;
}

const struct gws_uts_named *gws_uts_named(const char *name)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcmp(named[i].name, name) == 0) return &named[i];
    return NULL;
}
