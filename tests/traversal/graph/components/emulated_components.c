/* SPDX-License-Identifier: MIT */
#include "emulated_components.h"

#include <check.h>
#include <string.h>

#define GWS_GROUP_SIZE 1
#define NONE 0xffffffffu

/* clang-format off */
/* Each source needs the sources before it. */
#include "../../../../kernels/portability/host.h"
#include "../../../../kernels/engine/engine_words.h"
#include "../../../../kernels/engine/grid.cl"
#include "../../../../kernels/graph/components_words.h"
#include "../../../../kernels/graph/components_links.cl"
#include "../../../../kernels/graph/components_hub.cl"
#include "../../../../kernels/graph/components_chunks.cl"
#include "../../../../kernels/graph/components.cl"
#include "../../../../kernels/graph/components_merge.cl"
/* clang-format on */

static void *pointer_of(const struct gws_device_argument *argument)
{
    ck_assert_ptr_nonnull(argument->buffer);
    return gws_device_buffer_native(argument->buffer);
}

static u32 word_of(const struct gws_device_argument *argument)
{
    u32 word;
    ck_assert_uint_eq(argument->bytes, sizeof word);
    memcpy(&word, argument->value, sizeof word);
    return word;
}

bool emulated_components_run(const struct gws_device_launch *launch)
{
    const struct gws_device_argument *at = launch->argument;
    gws_host_group = 0;
    gws_host_groups = 1;
    if (strcmp(launch->kernel, "graph_components") == 0) {
        ck_assert_uint_eq(launch->arguments, 9);
        graph_components(pointer_of(&at[0]), pointer_of(&at[1]), pointer_of(&at[2]), pointer_of(&at[3]),
                         pointer_of(&at[4]), pointer_of(&at[5]), pointer_of(&at[6]), word_of(&at[7]), word_of(&at[8]));
        return true;
    }
    if (strcmp(launch->kernel, "components_merge") != 0) return false;
    ck_assert_uint_eq(launch->arguments, 12);
    components_merge(pointer_of(&at[0]), pointer_of(&at[1]), pointer_of(&at[2]), pointer_of(&at[3]), pointer_of(&at[4]),
                     pointer_of(&at[5]), pointer_of(&at[6]), pointer_of(&at[7]), pointer_of(&at[8]), pointer_of(&at[9]),
                     word_of(&at[10]), word_of(&at[11]));
    return true;
}
