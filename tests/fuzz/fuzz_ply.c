/* SPDX-License-Identifier: MIT */
/* Fuzzes one reader; see read_points.h. */
#include "read_points.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_points(data, size, GWS_POINTS_PLY, NULL);
}
