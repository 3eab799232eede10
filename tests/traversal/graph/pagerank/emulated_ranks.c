/* SPDX-License-Identifier: MIT */
#include "emulated_ranks.h"

#include <string.h>

#define GWS_GROUP_SIZE 1
#define NONE 0xffffffffu

/* clang-format off */
/* Each source needs the sources before it. */
#include "../../../../kernels/portability/host.h"
#include "../../../../kernels/engine/engine_words.h"
#include "../../../../kernels/engine/grid.cl"
#include "../../../../kernels/graph/pagerank_words.h"
#include "../../../../kernels/graph/pagerank_parted_words.h"
#include "../../../../kernels/engine/peers_words.h"
#include "../../../../kernels/engine/peers.cl"
#include "../../../../kernels/graph/pagerank_float.h"
#include "../../../../kernels/graph/pagerank_rows.cl"
#include "../../../../kernels/graph/pagerank_parted.cl"
/* clang-format on */
#include "../../../kernels/emulate.h"

enum { arguments = 30, degree = 2, stop = 14, first_value = 23 };

static struct launched {
    struct emulated_group group[emulated_groups];
    struct gws_device_argument argument[arguments];
    uint64_t value[arguments];
    struct parted_bounds bounds;
    _Atomic u32 ended; /* groups */
    bool runs;
} launched[max_emulated];

/* Returns NULL for a null pointer, which is a value. */
static void *pointer_of(const struct gws_device_argument *argument)
{
    return argument->buffer ? gws_device_buffer_native(argument->buffer) : NULL;
}

static double real_of(const struct launched *at, u32 i)
{
    double real;
    ck_assert_uint_eq(at->argument[i].bytes, 8);
    memcpy(&real, &at->value[i], sizeof real);
    return real;
}

#define POINTER(i) pointer_of(&at->argument[i])
#define WORD(i) ((u32)at->value[i])

static void run(void)
{
    struct launched *at = &launched[emulated_device];
    graph_pagerank_parted(POINTER(0), POINTER(1), POINTER(2), POINTER(3), POINTER(4), POINTER(5), POINTER(6),
                          POINTER(7), POINTER(8), POINTER(9), POINTER(10), POINTER(11), POINTER(12), POINTER(13),
                          POINTER(14), POINTER(15), POINTER(16), POINTER(17), POINTER(18), POINTER(19), POINTER(20),
                          POINTER(21), POINTER(22), at->bounds, real_of(at, 24), real_of(at, 25), at->value[26],
                          WORD(27), WORD(28), WORD(29));
    atomic_fetch_add(&at->ended, 1);
}

void emulated_ranks_start(uint32_t device, const struct gws_device_launch *launch)
{
    struct launched *at = &launched[device];
    ck_assert_uint_eq(launch->arguments, arguments);
    ck_assert_uint_eq(launch->argument[first_value].bytes, sizeof at->bounds);
    memcpy(&at->bounds, launch->argument[first_value].value, sizeof at->bounds);
    ck_assert_uint_eq(at->bounds.part, device);
    memcpy(at->argument, launch->argument, sizeof at->argument);
    for (u32 i = 0; i < first_value; i++) ck_assert(i == degree || i == stop || at->argument[i].buffer != NULL);
    for (u32 i = first_value + 1; i < arguments; i++) /* the caller's values end with its call */
        memcpy(&at->value[i], launch->argument[i].value, launch->argument[i].bytes);
    at->runs = true;
    at->ended = 0;
    start_device(device, at->group, run, emulated_groups);
}

bool emulated_ranks_ended(uint32_t device)
{
    struct launched *at = &launched[device];
    if (at->runs && atomic_load(&at->ended) < emulated_groups) return false;
    if (at->runs) join_groups(at->group, emulated_groups);
    at->runs = false;
    return true;
}
