/* SPDX-License-Identifier: MIT */
/* Gzip input over zlib. Between members the state is `between`: the next byte starts another member, or is padding. */
#include "inflate.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

struct gws__inflater {
    struct gws_runtime *runtime;
    z_stream z;
    bool between;
    bool ready; /* z is to be ended */
};

/* zlib gives memory back without its size, so that is kept in front. */
enum { size_room = 64 };

static voidpf zlib_allocate(voidpf runtime, uInt count, uInt size)
{
    uint64_t bytes = (uint64_t)count * size + size_room;
    char *memory = gws_allocate(runtime, bytes, 1);
    if (!memory) return Z_NULL;
    memcpy(memory, &bytes, sizeof bytes);
    return memory + size_room;
}

static void zlib_release(voidpf runtime, voidpf at)
{
    if (!at) return;
    char *memory = (char *)at - size_room;
    uint64_t bytes = 0;
    memcpy(&bytes, memory, sizeof bytes);
    gws_release(runtime, memory, bytes, 1);
}

struct gws__inflater *gws__inflater_new(struct gws_runtime *runtime)
{
    struct gws__inflater *inflater = gws_allocate(runtime, 1, sizeof *inflater);
    if (!inflater) return NULL;
    *inflater = (struct gws__inflater){.runtime = runtime};
    inflater->z = (z_stream){.zalloc = zlib_allocate, .zfree = zlib_release, .opaque = runtime};
    inflater->ready = inflateInit2(&inflater->z, 15 + 16) == Z_OK;
    if (inflater->ready) return inflater;
    gws__inflater_free(inflater);
    return NULL;
}

void gws__inflater_free(struct gws__inflater *inflater)
{
    if (!inflater) return;
    if (inflater->ready) inflateEnd(&inflater->z);
    gws_release(inflater->runtime, inflater, 1, sizeof *inflater);
}

/* Behind a member: another one, zeros up to the end, or the end. */
static gws_status next_member(struct gws__input *input, struct gws_where *where)
{
    struct gws__inflater *inflater = input->inflater;
    if (*input->at == 0) {
        input->at++;
        return GWS_OK;
    }
    if (*input->at != 0x1f)
        return gws_where_set(where, GWS_CORRUPT, input->name, 0, 0, "bytes that are not gzip behind the gzip data");
    inflater->between = false;
    inflateReset(&inflater->z);
    return GWS_OK;
}

static gws_status judge(struct gws__input *input, int result, struct gws_where *where)
{
    if (result == Z_STREAM_END) input->inflater->between = true;
    if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR) return GWS_OK;
    if (result == Z_MEM_ERROR) return GWS_NO_MEMORY;
    const char *why = input->inflater->z.msg ? input->inflater->z.msg : "bad data";
    return gws_where_set(where, GWS_CORRUPT, input->name, 0, 0, "the gzip data is corrupt: %s", why);
}

static uInt at_most(uint64_t bytes)
{
    return bytes < UINT_MAX ? (uInt)bytes : UINT_MAX;
}

/* One step: inflates what is at hand into at most size bytes. */
static gws_status inflate_some(struct gws__input *input, unsigned char *bytes, uint64_t size, uint64_t *made,
                               struct gws_where *where)
{
    z_stream *z = &input->inflater->z;
    uInt in = at_most((uint64_t)(input->end - input->at)), out = at_most(size);
    z->next_in = (Bytef *)(uintptr_t)input->at; /* zlib's pointer lacks a const */
    z->avail_in = in;
    z->next_out = bytes;
    z->avail_out = out;
    int result = inflate(z, Z_NO_FLUSH);
    input->at += in - z->avail_in;
    *made = out - z->avail_out;
    return judge(input, result, where);
}

gws_status gws__inflate(struct gws__input *input, gws__refill *refill, void *bytes, uint64_t size, uint64_t *got,
                        struct gws_where *where)
{
    uint64_t filled = 0;
    gws_status status = GWS_OK;
    while (status == GWS_OK && filled < size) {
        if (input->at == input->end) status = refill(input, where);
        if (status != GWS_OK) break;
        if (input->at == input->end) {
            if (input->inflater->between) break;
            status = gws_where_set(where, GWS_TRUNCATED, input->name, 0, 0, "the gzip data ends too early");
        } else if (input->inflater->between) {
            status = next_member(input, where);
        } else {
            uint64_t made = 0;
            status = inflate_some(input, (unsigned char *)bytes + filled, size - filled, &made, where);
            filled += made;
        }
    }
    *got = filled;
    return status;
}
