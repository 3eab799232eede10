/* SPDX-License-Identifier: MIT */
/* Functions that open bytes as an input, either as a file in memory or as a stream. */
#ifndef GWS_TESTS_IO_INPUT_OF_H
#define GWS_TESTS_IO_INPUT_OF_H

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../io/input/inflate.h"

static inline gws_status gws_stream_of(struct gws__input *input, struct gws_runtime *runtime, const void *bytes,
                                       uint64_t size, const char *name, struct gws_diagnostic *where)
{
    *input =
        (struct gws__input){.runtime = runtime, .name = name, .where = where, .fd = -1, .total = size, .taken = size};
    input->chunk_size = 1 << 18;
    input->at = bytes;
    input->end = input->at + size;
    if (size < 2 || input->at[0] != 0x1f || input->at[1] != 0x8b) return GWS_OK;
    input->inflater = gws__inflater_new(runtime);
    return input->inflater ? GWS_OK : GWS_NO_MEMORY;
}

static inline gws_status gws_file_of(struct gws__input *input, struct gws_runtime *runtime, const void *bytes,
                                     uint64_t size, const char *name, struct gws_diagnostic *where)
{
    char path[64];
    int file = memfd_create("graphws-test", MFD_CLOEXEC);
    if (file < 0 || (size > 0 && pwrite(file, bytes, size, 0) != (ssize_t)size)) return GWS_SYSTEM;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    gws_status status = gws__input_open(input, runtime, path, where);
    input->name = name;
    close(file);
    return status;
}

static inline gws_status gws_input_of(struct gws__input *input, struct gws_runtime *runtime, const void *bytes,
                                      uint64_t size, const char *name, bool stream, struct gws_diagnostic *where)
{
    if (stream) return gws_stream_of(input, runtime, bytes, size, name, where);
    return gws_file_of(input, runtime, bytes, size, name, where);
}

#endif
