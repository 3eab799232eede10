/* SPDX-License-Identifier: MIT */
/* Fuzzes one reader; see read_graph.h. */
#include "read_graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct gws_read_options names = {.format = GWS_FORMAT_EDGE_LIST, .names = true};
    fuzz_read_with(data, size, &names, true);
    return fuzz_read(data, size, GWS_FORMAT_EDGE_LIST);
}
