/* SPDX-License-Identifier: MIT */
/* Fuzzes gzip input twice. First the bytes are a gzip file. The target adds the magic if it is missing, and the fuzzer
 * finds the other parts of the structure. Then the target compresses the bytes, and the reader must give the same
 * result as for the plain text. */
#define _GNU_SOURCE
#include <zlib.h>

#include "read_graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Compresses each half of the data as a member. */
static size_t compress_twice(const uint8_t *data, size_t size, uint8_t *out, size_t capacity)
{
    size_t made = 0, begin = 0;
    for (int member = 0; member < 2; member++) {
        size_t end = member == 0 ? size / 2 : size;
        z_stream z = {0};
        fuzz_demand(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "deflateInit2");
        z.next_in = (Bytef *)(uintptr_t)(data + begin);
        z.avail_in = (uInt)(end - begin);
        z.next_out = out + made;
        z.avail_out = (uInt)(capacity - made);
        fuzz_demand(deflate(&z, Z_FINISH) == Z_STREAM_END, "deflate");
        made += z.total_out;
        deflateEnd(&z);
        begin = end;
    }
    return made;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gws_read_options options = {.format = GWS_FORMAT_EDGE_LIST};
    size_t capacity = 2 * size + 256;
    uint8_t *copy = malloc(capacity);
    if (!copy) return 0;
    if (size > 0) memcpy(copy + 2, data, size);
    memcpy(copy, "\x1f\x8b", 2);
    if (size > 1 && data[0] == 0x1f && data[1] == 0x8b)
        fuzz_read_with(data, size, &options, false);
    else
        fuzz_read_with(copy, size + 2, &options, false);
    size_t made = compress_twice(data, size, copy, capacity);
    struct fuzz_result plain = fuzz_read_once(data, size, &options, FUZZ_STREAM, 0);
    struct fuzz_result packed = fuzz_read_once(copy, made, &options, FUZZ_STREAM, 64);
    if (size < 2 || data[0] != 0x1f || data[1] != 0x8b) fuzz_compare(data, size, &plain, &packed);
    gws_graph_destroy(plain.graph);
    gws_graph_destroy(packed.graph);
    free(copy);
    return 0;
}
