/* SPDX-License-Identifier: MIT */
/* Emulated launches of one program of shortest paths on a parted graph. Its groups are threads. The programs use the
 * same names, so each source that includes this header compiles one of them. It defines DISTANCES, a header below
 * kernels/operator/, OPERATOR, a source there, and EMULATED, the name of the struct with the two functions. */
#include "emulated_sssp.h"

#include <string.h>

#define GWS_GROUP_SIZE 1

/* clang-format off */
/* Each source needs the sources before it. */
#include "../../../../kernels/portability/host.h"
#include "../../../../kernels/hetero/trace_words.h"
#include "../../../../kernels/hetero/trace.cl"
#include "../../../../kernels/operator/operator.h"
#include "../../../../kernels/engine/direction.h"
#include "../../../../kernels/engine/engine_words.h"
#include "../../../../kernels/engine/record_words.h"
#include "../../../../kernels/engine/peers_words.h"
#include "../../../../kernels/engine/parted_words.h"
#include "../../../../kernels/hetero/handoff_words.h"
#include "../../../../kernels/hetero/handoff_rule.h"
#include "../../../../kernels/engine/grid.cl"
#include "../../../../kernels/engine/state.cl"
#include "../../../../kernels/engine/peers.cl"
#include "../../../../kernels/engine/parted.cl"
#include DISTANCES
#include "../../../../kernels/operator/sssp_parted.h"
#include OPERATOR
#include "../../../../kernels/engine/push.cl"
#include "../../../../kernels/engine/push_parted.cl"
#include "../../../../kernels/engine/vertex.cl"
#include "../../../../kernels/engine/rounds_state.cl"
#include "../../../../kernels/engine/rounds_parted.cl"
/* clang-format on */
#include "../../../kernels/emulate.h"

enum { trace = 17, stop = 18, first_word = 19, words = 8, first_exchange = 27, last = 35, arguments = 36 };

static struct launched {
    struct emulated_group group[emulated_groups];
    void *pointer[arguments];
    u32 word[words];
    struct parted_bounds bounds;
    _Atomic u32 ended; /* groups */
    bool runs;
} launched[max_emulated];

static void run(void)
{
    struct launched *at = &launched[emulated_device];
    void **p = at->pointer;
    const u32 *w = at->word;
    engine_rounds(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15],
                  p[16], NULL, p[stop], w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], p[27], p[28], p[29], p[30],
                  p[31], p[32], p[33], p[34], at->bounds);
    atomic_fetch_add(&at->ended, 1);
}

static void start(uint32_t device, const struct gws_device_launch *launch)
{
    struct launched *at = &launched[device];
    ck_assert_uint_eq(launch->arguments, arguments);
    for (u32 i = 0; i < last; i++) {
        const struct gws_device_argument *argument = &launch->argument[i];
        const bool is_word = i >= first_word && i < first_exchange;
        if (is_word) memcpy(&at->word[i - first_word], argument->value, sizeof *at->word);
        ck_assert(is_word || argument->buffer || i == trace || i == stop);
        at->pointer[i] = argument->buffer ? gws_device_buffer_native(argument->buffer) : NULL;
    }
    ck_assert_uint_eq(launch->argument[last].bytes, sizeof at->bounds);
    memcpy(&at->bounds, launch->argument[last].value, sizeof at->bounds);
    ck_assert_uint_eq(at->bounds.part, device);
    at->runs = true;
    at->ended = 0;
    start_device(device, at->group, run, emulated_groups);
}

static bool ended(uint32_t device)
{
    struct launched *at = &launched[device];
    if (at->runs && atomic_load(&at->ended) < emulated_groups) return false;
    if (at->runs) join_groups(at->group, emulated_groups);
    at->runs = false;
    return true;
}

const struct emulated_sssp_program EMULATED = {start, ended};
