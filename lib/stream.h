/* SPDX-License-Identifier: MIT */
/* Streams of a device: commands from several threads, and concurrent commands.
 *
 * A stream runs its commands in the order of the calls. Commands of different streams may run concurrently and in any
 * order, except as gws_stream_after() demands. Each device has a default stream; the calls of lib/device.h use it.
 *
 * Several threads may use a device, its buffers and its programs concurrently, each through a stream that no other
 * thread uses at the time. The callers synchronise writes to one buffer, and freeing objects that are in use. The
 * default stream belongs to the thread that owns the runtime, since the runtime's workers perform its large copies. Any
 * thread that uses a device may call the runtime's allocator and log. No other thread may use a device while it is
 * opened or closed.
 *
 * A failure on one stream that loses the device (lib/device.h) affects all its streams. Errors not named below are
 * those of the call in lib/device.h. */
#ifndef GWS_STREAM_H
#define GWS_STREAM_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_stream;

/* Opens another stream: an OpenCL command queue, a CUDA stream. About 10 us. Errors: GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_stream_open(struct gws_device *device, struct gws_stream **stream, struct gws_diagnostic *where);

/* Waits for the stream's commands, within the limit, and frees it; NULL is allowed. Close streams before the device. */
GWS_API void gws_stream_close(struct gws_stream *stream);

/* The device's default stream, which the device owns. */
GWS_API struct gws_stream *gws_device_stream(struct gws_device *device);

/* Like gws_device_run(), gws_device_fill(), gws_device_wait() and gws_device_poll(). */
GWS_API gws_status gws_stream_run(struct gws_stream *stream, const struct gws_device_launch *launch,
                                  struct gws_diagnostic *where);
GWS_API gws_status gws_stream_fill(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t first,
                                   uint32_t word, uint64_t count, struct gws_diagnostic *where);
GWS_API gws_status gws_stream_wait(struct gws_stream *stream, struct gws_diagnostic *where);
GWS_API gws_status gws_stream_poll(struct gws_stream *stream, bool *done, struct gws_diagnostic *where);

/* Later commands of the stream start when all previous commands of the other stream are complete; does not wait.
 * Another thread may use the other stream. Errors: GWS_INVALID (a stream of another device), GWS_DEVICE. */
GWS_API gws_status gws_stream_after(struct gws_stream *stream, struct gws_stream *other, struct gws_diagnostic *where);

/* Like gws_device_write() and gws_device_read(): complete on return. Except on the default stream the caller copies
 * alone; use pinned memory for large copies. */
GWS_API gws_status gws_stream_write(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t offset,
                                    const void *from, uint64_t bytes, struct gws_diagnostic *where);
GWS_API gws_status gws_stream_read(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t offset,
                                   void *to, uint64_t bytes, struct gws_diagnostic *where);

/* ---- copies that do not wait ---- */

/* Allocates host memory that the driver has pinned. Devices copy to and from it at the bus's full speed while the
 * host does other work. It is a buffer for copies and gws_device_buffer_free() only; kernels do not accept it. *host
 * receives its host address, aligned to 64 bytes. Freeing it waits for the commands of all streams, within the
 * limit. Pinning costs up to 0.5 ms a MiB: reuse the buffer. Errors: GWS_TOO_LARGE (over max_buffer), GWS_NO_MEMORY,
 * GWS_DEVICE. */
GWS_API gws_status gws_device_pinned_new(struct gws_device *device, uint64_t bytes, struct gws_device_buffer **buffer,
                                         void **host, struct gws_diagnostic *where);

/* Copies bytes between two buffers of the device, asynchronously. At most one of them is pinned or shared. The host
 * must not touch the pinned part until the copy is complete. Errors: GWS_OUT_OF_RANGE, GWS_INVALID (a buffer of
 * another device, no buffer on the device, overlapping ranges of one buffer), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_stream_copy(struct gws_stream *stream, struct gws_device_buffer *to, uint64_t to_offset,
                                   struct gws_device_buffer *from, uint64_t from_offset, uint64_t bytes,
                                   struct gws_diagnostic *where);

/* ---- native handles ---- */

/* The driver's handle of the stream: a cl_command_queue, a cudaStream_t (a CUstream). The stream owns it. Commands
 * that the caller submits through it follow previous commands of this library and precede later ones. */
GWS_API void *gws_stream_native(const struct gws_stream *stream);

/* The device's cl_context; NULL for CUDA, which uses the primary context of the device number in .address. */
GWS_API void *gws_device_native(const struct gws_device *device);

#ifdef __cplusplus
}
#endif
#endif
