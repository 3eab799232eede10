/* SPDX-License-Identifier: MIT */
/* Writes traces in the Chrome trace event format ("Trace Event Format", Google, 2016, its JSON object form). The file
 * has one complete event ("ph": "X") for each slice, with times in microseconds, and one metadata event for each
 * thread. */
#include "trace_io.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../lib/parallel.h"
#include "output/output.h"
#include "output/text.h"

/* A copy of the runtime's slices. */
struct trace_copy {
    struct gws_track *track; /* tracks entries */
    struct gws_slice *slice;
    uint64_t slices;
    uint32_t tracks;
};

/* A track, whose number its slices have. */
struct numbered_track {
    const struct gws_track *track;
    uint32_t number;
};

/* ---- the copy ---- */

static void fill(const struct gws_runtime *runtime, struct trace_copy *copy)
{
    struct gws_slice *to = copy->slice;
    for (uint32_t w = 0; w < copy->tracks; w++) {
        struct gws_track *track = &copy->track[w];
        const struct gws_slice *from = gws_runtime_trace(runtime, w, &track->count, &track->lost);
        if (track->count) memcpy(to, from, track->count * sizeof *to);
        track->slice = to;
        track->name = gws_trace_name(runtime, w);
        to += track->count;
    }
}

static void copy_free(struct gws_runtime *runtime, struct trace_copy *copy)
{
    gws_release(runtime, copy->slice, copy->slices, sizeof *copy->slice);
    gws_release(runtime, copy->track, copy->tracks, sizeof *copy->track);
}

static gws_status copy_make(struct gws_runtime *runtime, struct trace_copy *copy)
{
    uint64_t count, lost;
    *copy = (struct trace_copy){.tracks = gws_trace_tracks(runtime)};
    for (uint32_t w = 0; w < copy->tracks; w++) {
        gws_runtime_trace(runtime, w, &count, &lost);
        copy->slices += count;
    }
    copy->track = gws_allocate(runtime, copy->tracks, sizeof *copy->track);
    copy->slice = gws_allocate(runtime, copy->slices, sizeof *copy->slice);
    if (copy->track && copy->slice) {
        fill(runtime, copy);
        return GWS_OK;
    }
    copy_free(runtime, copy);
    return GWS_NO_MEMORY;
}

/* ---- a slice as text ---- */

enum { slice_bytes = 320 };

/* Writes nanoseconds as microseconds with three decimals. */
static char *format_us(char *text, uint64_t ns)
{
    text = gws__text_u64(text, ns / 1000);
    *text++ = '.';
    *text++ = (char)('0' + ns / 100 % 10);
    *text++ = (char)('0' + ns / 10 % 10);
    *text++ = (char)('0' + ns % 10);
    return text;
}

static const char *kind_name(uint32_t kind)
{
    return kind == GWS_SLICE_BUSY ? "busy" : kind == GWS_SLICE_STEAL ? "steal" : "idle";
}

/* Writes the slice's known properties beside its kind and times. */
static char *format_arguments(char *text, const struct gws_slice *slice)
{
    char *begin = text;
    if (slice->tasks) text = gws__text_u32(gws__text_string(text, ", \"tasks\": "), slice->tasks);
    if (slice->victim != GWS_TRACE_NONE) text = gws__text_u32(gws__text_string(text, ", \"victim\": "), slice->victim);
    if (slice->group != GWS_TRACE_NONE) text = gws__text_u32(gws__text_string(text, ", \"group\": "), slice->group);
    if (slice->level != GWS_TRACE_NONE) text = gws__text_u32(gws__text_string(text, ", \"level\": "), slice->level);
    if (slice->direction == GWS_SLICE_PUSH) text = gws__text_string(text, ", \"direction\": \"push\"");
    if (slice->direction == GWS_SLICE_PULL) text = gws__text_string(text, ", \"direction\": \"pull\"");
    if (text == begin) return text;
    static const char open[] = ", \"args\": {";
    const size_t shift = sizeof open - 1 - 2; /* the memmove() drops the first comma and blank */
    memmove(begin + sizeof open - 1, begin + 2, (size_t)(text - begin) - 2);
    memcpy(begin, open, sizeof open - 1);
    text += shift;
    *text++ = '}';
    return text;
}

/* Writes the name of a slice: its kind, and for a device the direction and the level, or the victim, and its kind as
 * the category. A viewer shows the name, and gives each name a colour of its own. */
static char *format_name(char *text, const struct gws_track *track, const struct gws_slice *slice)
{
    static const char *const how[] = {"level ", "push ", "pull "}; /* by enum gws_slice_direction */
    if (!track->name) return gws__text_string(text, kind_name(slice->kind));
    if (slice->kind == GWS_SLICE_BUSY && slice->level != GWS_TRACE_NONE)
        text = gws__text_u32(gws__text_string(text, how[slice->direction]), slice->level);
    else if (slice->kind == GWS_SLICE_STEAL && slice->victim != GWS_TRACE_NONE)
        text = gws__text_u32(gws__text_string(text, "steal from "), slice->victim);
    else
        text = gws__text_string(text, kind_name(slice->kind));
    return gws__text_string(gws__text_string(text, "\", \"cat\": \""), kind_name(slice->kind));
}

static char *format_slice(char *text, const struct numbered_track *of, const struct gws_slice *slice)
{
    text = gws__text_string(text, ",\n{\"name\": \"");
    text = format_name(text, of->track, slice);
    text = gws__text_string(text, "\", \"ph\": \"X\", \"pid\": 1, \"tid\": ");
    text = gws__text_u32(text, of->number);
    text = gws__text_string(text, ", \"ts\": ");
    text = format_us(text, slice->begin_ns);
    text = gws__text_string(text, ", \"dur\": ");
    text = format_us(text, slice->end_ns > slice->begin_ns ? slice->end_ns - slice->begin_ns : 0);
    text = format_arguments(text, slice);
    *text++ = '}';
    return text;
}

static char *format_slices(void *context, uint64_t begin, uint64_t end, char *text)
{
    const struct numbered_track *of = context;
    for (uint64_t i = begin; i < end; i++) text = format_slice(text, of, &of->track->slice[i]);
    return text;
}

/* ---- the file ---- */

static gws_status write_track(struct gws_output *output, const struct gws_track *track, uint32_t number)
{
    static const char name[] =
        ",\n{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": %" PRIu32 ", \"args\": {\"name\": \"%s\"}}",
                      lost[] =
                          ",\n{\"name\": \"slices lost\", \"ph\": \"i\", \"s\": \"t\", \"pid\": 1, \"tid\": %" PRIu32
                          ", \"ts\": %" PRIu64 ".%03u, \"args\": {\"slices\": %" PRIu64 "}}";
    struct numbered_track of = {track, number};
    struct gws__output_chunks chunks = {
        .count = track->count, .item_bytes = slice_bytes, .format = format_slices, .context = &of};
    char worker[24];
    snprintf(worker, sizeof worker, "worker %" PRIu32, number);
    gws_status status = gws_output_print(output, name, number, track->name ? track->name : worker);
    if (status == GWS_OK) status = gws__output_chunks(output, &chunks);
    if (status != GWS_OK || track->lost == 0) return status;
    uint64_t end_ns = track->count ? track->slice[track->count - 1].end_ns : 0;
    return gws_output_print(output, lost, number, end_ns / 1000, (unsigned)(end_ns % 1000), track->lost);
}

static gws_status write_all(struct gws_output *output, const struct gws_track *track, uint32_t tracks,
                            const char *policy)
{
    uint64_t lost = 0;
    uint32_t workers = 0;
    for (uint32_t w = 0; w < tracks; w++) {
        lost += track[w].lost;
        workers += track[w].name == NULL;
    }
    gws_status status =
        gws_output_print(output,
                         "{\"displayTimeUnit\": \"ns\",\n\"otherData\": {\"library\": \"graphws %s\", \"policy\": "
                         "\"%s\", \"workers\": %" PRIu32 ", \"slices_lost\": %" PRIu64
                         "},\n\"traceEvents\": [\n{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 1, \"args\": "
                         "{\"name\": \"graphws, policy %s\"}}",
                         gws_version(), policy, workers, lost, policy);
    for (uint32_t w = 0; w < tracks && status == GWS_OK; w++) status = write_track(output, &track[w], w);
    return status == GWS_OK ? gws_output_print(output, "\n]}\n") : status;
}

static gws_status write_tracks(struct gws_runtime *runtime, const struct gws_track *track, uint32_t tracks,
                               const char *policy, const char *path, struct gws_diagnostic *where)
{
    struct gws_output *output;
    gws_status status = gws_output_open(runtime, path, where, &output);
    return status == GWS_OK ? gws_output_close(output, write_all(output, track, tracks, policy)) : status;
}

static gws_status trace_write(struct gws_runtime *runtime, const char *path, struct gws_diagnostic *where)
{
    struct trace_copy copy;
    gws_status status = copy_make(runtime, &copy);
    if (status != GWS_OK) return gws_diagnostic_set(where, status, path, 0, 0, "out of memory while writing");
    status = write_tracks(runtime, copy.track, copy.tracks, gws_runtime_policy(runtime), path, where);
    copy_free(runtime, &copy);
    return status;
}

gws_status gws_trace_write(struct gws_runtime *runtime, const char *path, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, trace_write(runtime, path, where));
}

gws_status gws_trace_write_tracks(struct gws_runtime *runtime, const struct gws_track *track, uint32_t tracks,
                                  const char *policy, const char *path, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, write_tracks(runtime, track, tracks, policy, path, where));
}
