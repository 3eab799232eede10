/* SPDX-License-Identifier: MIT */
/* Tests buffers and copies on each usable device: contents, large copies, invalid ranges, shared memory. */
#include "devices.h"

#include <inttypes.h>

enum { words = 1000, shared_words = 64 };

DEVICE_TEST(buffers_keep_what_is_written, "")
{
    uint32_t out[words], in[words];
    uint64_t unused = 0;
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_buffer *buffer = new_buffer(device, sizeof out), *empty = new_buffer(device, 0);
    for (uint32_t i = 0; i < words; i++) out[i] = i * 2654435761u;
    ck_assert_int_eq(gws_device_write(buffer, 0, out, sizeof out, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_fill(buffer, 10, 77, 20, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_fill(buffer, 40, 0xffffffffu, 2, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_read(buffer, 0, in, sizeof in, NULL), GWS_OK);
    for (uint32_t i = 10; i < 30; i++) out[i] = 77;
    out[40] = out[41] = 0xffffffffu;
    ck_assert_mem_eq(out, in, sizeof out);
    ck_assert_int_eq(gws_device_read(buffer, 29 * sizeof *in, in, 2 * sizeof *in, NULL), GWS_OK);
    ck_assert_uint_eq(in[0], 77);
    ck_assert_uint_eq(in[1], out[30]);
    ck_assert_int_eq(gws_device_read(empty, 0, in, 0, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_memory_left(device, &unused, NULL), GWS_OK);
    ck_assert(unused > 0 && unused <= gws_device_describe(device)->memory);
    ck_assert_uint_eq(gws_device_memory_held(device), gws_device_buffer_bytes(buffer));
    ck_assert_ptr_nonnull(gws_device_buffer_native(buffer));
    ck_assert_ptr_ne(gws_device_buffer_native(buffer), gws_device_buffer_native(empty));
    gws_device_buffer_free(empty);
    gws_device_buffer_free(buffer);
    ck_assert_uint_eq(gws_device_memory_held(device), 0);
    gws_device_buffer_free(NULL);
    gws_device_close(device);
    gws_device_close(NULL);
}

/* Writes bytes at an offset, and reads them back to a different alignment. The bytes around the range must not
 * change. */
static void keeps_large(struct gws_device *device, uint64_t bytes, uint64_t offset)
{
    enum { around = 16 };
    uint64_t all = offset + bytes + around, skew = bytes % 4096;
    struct gws_device_buffer *buffer = new_buffer(device, (all + 3) / 4 * 4);
    uint32_t *out = malloc(bytes + 4);
    char *in = malloc(skew + all);
    for (uint64_t i = 0; i < bytes / 4 + 1; i++) out[i] = (uint32_t)(i * 2654435761u);
    ck_assert_int_eq(gws_device_fill(buffer, 0, 0x55555555u, (all + 3) / 4, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_write(buffer, offset, out, bytes, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_read(buffer, 0, in + skew, all, NULL), GWS_OK);
    ck_assert(memcmp(in + skew + offset, out, bytes) == 0);
    for (uint64_t i = 0; i < offset + around; i++)
        if (in[skew + (i < offset ? i : bytes + i)] != 0x55) ck_abort_msg("a byte around %" PRIu64 " changed", bytes);
    memset(in, 0, skew + all);
    ck_assert_int_eq(gws_device_read(buffer, offset, in + skew, bytes, NULL), GWS_OK);
    ck_assert(memcmp(in + skew, out, bytes) == 0);
    ck_assert_int_eq(in[skew + bytes], 0);
    free(in);
    free(out);
    gws_device_buffer_free(buffer);
}

/* Copies with one thread and with several threads, in sizes that select different methods of copying. */
DEVICE_TEST(large_blocks_arrive, "")
{
    enum { mib = 1 << 20 };
    static const uint64_t bytes[] = {mib - 1, mib, mib + 1, 2 * mib - 1, 5 * mib + mib / 2, 24 * mib + 13};
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        const struct gws_options options = {.threads = threads};
        struct gws_runtime *before = runtime;
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        struct gws_device *device = device_at(address, NULL);
        for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) keeps_large(device, bytes[i], 12 * i);
        gws_device_close(device);
        gws_runtime_close(runtime);
        runtime = before;
    }
}

DEVICE_TEST(ranges_outside_are_refused, "")
{
    uint32_t data[4] = {0};
    struct gws_diagnostic where = {0};
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_buffer *buffer = new_buffer(device, 16), *none = NULL;
    ck_assert_int_eq(gws_device_write(buffer, 1, data, 16, &where), GWS_OUT_OF_RANGE);
    ck_assert_ptr_nonnull(strstr(where.message, "16 bytes from 1"));
    ck_assert_int_eq(gws_device_read(buffer, 17, data, 0, NULL), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_device_read(buffer, UINT64_MAX, data, 16, NULL), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_device_read(buffer, 8, data, UINT64_MAX, NULL), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_device_fill(buffer, 3, 0, 2, NULL), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_device_fill(buffer, 0, 0, UINT64_MAX / 4 + 1, NULL), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_device_fill(buffer, UINT64_MAX / 4 + 1, 0, 1, NULL), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_device_buffer_new(device, UINT64_MAX, &none, &where), GWS_TOO_LARGE);
    ck_assert_int_eq(gws_device_buffer_new(device, gws_device_describe(device)->max_buffer + 1, &none, NULL),
                     GWS_TOO_LARGE);
    ck_assert_ptr_null(none);
    gws_device_buffer_free(buffer);
    gws_device_close(device);
}

/* ---- shared memory ---- */

DEVICE_TEST(shared_buffers_are_buffers, "")
{
    uint32_t out[shared_words], in[shared_words], *host = NULL;
    struct gws_device_buffer *buffer = NULL, *empty = NULL;
    struct gws_device *device = device_at(address, NULL);
    if (gws_device_describe(device)->svm >= GWS_SVM_FINE) {
        ck_assert_int_eq(gws_device_shared_new(device, sizeof out, &buffer, (void **)&host, NULL), GWS_OK);
        ck_assert_int_eq(gws_device_shared_new(device, 0, &empty, (void **)&host, NULL), GWS_OK);
        gws_device_buffer_free(empty);
        gws_device_buffer_free(buffer);
        ck_assert_int_eq(gws_device_shared_new(device, sizeof out, &buffer, (void **)&host, NULL), GWS_OK);
        ck_assert_uint_eq(gws_device_buffer_bytes(buffer), sizeof out);
        ck_assert_uint_eq((uintptr_t)host % 64, 0);
        for (uint32_t i = 0; i < shared_words; i++) out[i] = i * 2654435761u;
        ck_assert_int_eq(gws_device_write(buffer, 0, out, sizeof out, NULL), GWS_OK);
        ck_assert_mem_eq(host, out, sizeof out);
        host[7] = out[7] = 7;
        ck_assert_int_eq(gws_device_fill(buffer, 3, 77, 2, NULL), GWS_OK);
        ck_assert_int_eq(gws_device_read(buffer, 0, in, sizeof in, NULL), GWS_OK);
        out[3] = out[4] = 77;
        ck_assert_mem_eq(in, out, sizeof out);
        ck_assert_int_eq(gws_device_read(buffer, 4, in, sizeof in, NULL), GWS_OUT_OF_RANGE);
        gws_device_buffer_free(buffer);
    }
    gws_device_close(device);
}

DEVICE_TEST(too_much_shared_memory_is_refused, "")
{
    struct gws_device *device = device_at(address, NULL);
    const struct gws_device_info *info = gws_device_describe(device);
    struct gws_device_buffer *buffer = NULL;
    struct gws_diagnostic where = {0};
    void *host = NULL;
    gws_status expected = info->svm >= GWS_SVM_FINE ? GWS_TOO_LARGE : GWS_UNSUPPORTED;
    ck_assert_int_eq(gws_device_shared_new(device, UINT64_MAX, &buffer, &host, &where), expected);
    ck_assert_msg(strstr(where.message, "share") != NULL, "%s", where.message);
    ck_assert_int_eq(gws_device_shared_new(device, info->max_shared + 1, &buffer, &host, NULL), expected);
    ck_assert(!buffer && !host);
    gws_device_close(device);
}

int main(void)
{
    const struct gws_test test[] = {{buffers_keep_what_is_written, 1},      {large_blocks_arrive, 1},
                                    {ranges_outside_are_refused, 1},        {shared_buffers_are_buffers, 1},
                                    {too_much_shared_memory_is_refused, 1}, {0}};
    return gws_test_run_between("buffers", test, open_runtime, close_runtime);
}
