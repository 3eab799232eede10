/* SPDX-License-Identifier: MIT */
#include "emulated_parted.h"

#include <string.h>

#define GWS_GROUP_SIZE 1

/* clang-format off */
/* Each source needs the sources before it. */
#include "../../../../../kernels/portability/host.h"
#include "../../../../../kernels/hetero/trace_words.h"
#include "../../../../../kernels/hetero/trace.cl"
#include "../../../../../kernels/operator/operator.h"

#include "../../../../../kernels/engine/direction.h"

#include "../../../../../kernels/engine/engine_words.h"
#include "../../../../../kernels/engine/record_words.h"
#include "../../../../../kernels/engine/peers_words.h"

#include "../../../../../kernels/engine/parted_words.h"
#include "../../../../../kernels/hetero/handoff_words.h"

#include "../../../../../kernels/hetero/handoff_rule.h"
#include "../../../../../kernels/engine/grid.cl"
#include "../../../../../kernels/engine/state.cl"
#include "../../../../../kernels/engine/peers.cl"
#include "../../../../../kernels/engine/parted.cl"
#include "../../../../../kernels/operator/bfs_claim.cl"
#include "../../../../../kernels/operator/bfs_parted.cl"
#include "../../../../../kernels/engine/index.cl"
#include "../../../../../kernels/engine/push.cl"
#include "../../../../../kernels/engine/push_parted.cl"
#include "../../../../../kernels/engine/pull.cl"
#include "../../../../../kernels/engine/run_parted.cl"
/* clang-format on */
#include "../../../../kernels/emulate.h"

enum { arguments = 34, stop = 17, first_value = 27 };

static struct launched {
    struct emulated_group group[emulated_groups];
    struct gws_device_argument argument[arguments];
    uint64_t value[arguments - first_value];
    struct parted_bounds bounds;
    _Atomic u32 ended; /* groups */
    bool runs;
} launched[max_emulated];

static void *pointer_of(const struct gws_device_argument *argument)
{
    ck_assert_ptr_nonnull(argument->buffer);
    return gws_device_buffer_native(argument->buffer);
}

static uint64_t value_of(const struct gws_device_argument *argument, uint64_t bytes)
{
    uint64_t value = 0;
    ck_assert_uint_eq(argument->bytes, bytes);
    memcpy(&value, argument->value, bytes);
    return value;
}

#define POINTER(i) pointer_of(&at->argument[i])
#define WORD(i) ((u32)value_of(&at->argument[i], 4))

static void search(void)
{
    struct launched *at = &launched[emulated_device];
    engine_run_parted(POINTER(0), POINTER(1), POINTER(2), POINTER(3), POINTER(4), POINTER(5), POINTER(6), POINTER(7),
                      POINTER(8), POINTER(9), POINTER(10), NULL, POINTER(12), POINTER(13), POINTER(14), POINTER(15),
                      POINTER(16), at->argument[stop].buffer ? POINTER(stop) : NULL, POINTER(18), POINTER(19),
                      POINTER(20), POINTER(21), POINTER(22), POINTER(23), POINTER(24), POINTER(25), at->bounds,
                      value_of(&at->argument[27], 8), WORD(28), WORD(29), WORD(30), WORD(31), WORD(32), WORD(33));
    atomic_fetch_add(&at->ended, 1);
}

void emulated_parted_start(uint32_t device, const struct gws_device_launch *launch)
{
    struct launched *at = &launched[device];
    ck_assert_uint_eq(launch->arguments, arguments);
    ck_assert_uint_eq(launch->argument[first_value - 1].bytes, sizeof at->bounds);
    memcpy(&at->bounds, launch->argument[first_value - 1].value, sizeof at->bounds);
    ck_assert_uint_eq(at->bounds.part, device);
    memcpy(at->argument, launch->argument, sizeof at->argument);
    for (u32 i = first_value; i < arguments; i++) { /* the caller's values end with its call */
        memcpy(&at->value[i - first_value], launch->argument[i].value, launch->argument[i].bytes);
        at->argument[i].value = &at->value[i - first_value];
    }
    at->runs = true;
    at->ended = 0;
    start_device(device, at->group, search, emulated_groups);
}

bool emulated_parted_ended(uint32_t device)
{
    struct launched *at = &launched[device];
    if (at->runs && atomic_load(&at->ended) < emulated_groups) return false;
    if (at->runs) join_groups(at->group, emulated_groups);
    at->runs = false;
    return true;
}

void emulated_parted_serial(const struct gws_device_launch *launch)
{
    const struct gws_device_launch *at = launch;
    const char *kernel = launch->kernel;
    gws_host_group = 0;
    gws_host_groups = 1;
    if (strcmp(kernel, "index_hubs") == 0)
        index_hubs(WORD(0), WORD(1), POINTER(2), POINTER(3), POINTER(4), POINTER(5), POINTER(6), POINTER(7));
    else if (strcmp(kernel, "result_arcs") == 0)
        result_arcs(POINTER(0), POINTER(1), value_of(&at->argument[2], 8), POINTER(3));
    else
        result_narrow(POINTER(0), POINTER(1), value_of(&at->argument[2], 8), WORD(3));
}
