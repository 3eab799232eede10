/* SPDX-License-Identifier: MIT */
/* Fuzzes the format detection, and the reader that it chooses. */
#include "read_graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_read(data, size, GWS_FORMAT_AUTO);
}
