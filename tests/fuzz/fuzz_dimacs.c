/* SPDX-License-Identifier: MIT */
/* Fuzzes one reader; see read_graph.h. */
#include "read_graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_read(data, size, GWS_FORMAT_DIMACS);
}
