/* SPDX-License-Identifier: MIT */
/* Fuzzes one reader; see read_points.h. */
#include "read_points.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_points(data, size, GWS_POINTS_RAW, "x:i16,y:f64,z:u64,-:u8,i:u32");
}
