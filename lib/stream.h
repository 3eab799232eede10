/* SPDX-License-Identifier: MIT */
/* Streams of a device: commands from several threads, and concurrent commands.
 *
 * A stream runs its commands in the order of the calls. Commands of different streams may run concurrently and in any
 * order, unless gws_stream_after() orders them. Each device has a default stream. The calls of lib/device.h use it.
 *
 * Several threads may use a device, its buffers and its programs concurrently, each through a stream that no other
 * thread uses at the time. The callers must synchronise writes to one buffer, and the freeing of objects in use. The
 * default stream belongs to the thread that owns the runtime, because the runtime's workers perform its large copies.
 * Any thread that uses a device may call the runtime's allocator and log. No other thread may use a device while a
 * thread opens or closes it.
 *
 * If a failure on one stream loses the device (lib/device.h), all streams of the device fail. The calls below also
 * return the errors of their counterparts in lib/device.h. */
#ifndef GWS_STREAM_H
#define GWS_STREAM_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_stream;

/* Opens another stream: an OpenCL command queue, a CUDA stream. Cost: about 10 us. Errors: GWS_NO_MEMORY,
 * GWS_DEVICE. */
GWS_API gws_status gws_stream_open(struct gws_device *device, struct gws_stream **stream, struct gws_diagnostic *where);

/* Waits for the stream's commands, within the limit, and frees the stream. NULL is allowed. Close streams before the
 * device. */
GWS_API void gws_stream_close(struct gws_stream *stream);

/* Returns the device's default stream, which the device owns. */
GWS_API struct gws_stream *gws_device_stream(struct gws_device *device);

/* Work like gws_device_run(), gws_device_fill(), gws_device_wait() and gws_device_poll(), but on this stream. */
GWS_API gws_status gws_stream_run(struct gws_stream *stream, const struct gws_device_launch *launch,
                                  struct gws_diagnostic *where);
GWS_API gws_status gws_stream_fill(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t first,
                                   uint32_t word, uint64_t count, struct gws_diagnostic *where);
GWS_API gws_status gws_stream_wait(struct gws_stream *stream, struct gws_diagnostic *where);
GWS_API gws_status gws_stream_poll(struct gws_stream *stream, bool *done, struct gws_diagnostic *where);

/* Delays later commands of the stream until all previous commands of the other stream are complete. The call does not
 * wait. Another thread may use the other stream. Errors: GWS_INVALID (a stream of another device), GWS_DEVICE. */
GWS_API gws_status gws_stream_after(struct gws_stream *stream, struct gws_stream *other, struct gws_diagnostic *where);

/* Copy like gws_device_write() and gws_device_read(). The copy is complete on return. Except on the default stream the
 * caller copies without the workers. Use pinned memory for large copies. */
GWS_API gws_status gws_stream_write(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t offset,
                                    const void *from, uint64_t bytes, struct gws_diagnostic *where);
GWS_API gws_status gws_stream_read(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t offset,
                                   void *to, uint64_t bytes, struct gws_diagnostic *where);

/* ---- copies that do not wait ---- */

/* Allocates host memory that the driver has pinned. Devices copy to and from it at the bus's full speed while the host
 * does other work. The buffer is for copies and gws_device_buffer_free() only. Kernels do not accept it. *host receives
 * its host address, aligned to 64 bytes. Freeing the buffer waits for the commands of all streams, within the limit.
 * Pinning costs up to 0.5 ms a MiB, so reuse the buffer. Errors: GWS_TOO_LARGE (over max_buffer), GWS_NO_MEMORY,
 * GWS_DEVICE. */
GWS_API gws_status gws_device_pinned_new(struct gws_device *device, uint64_t bytes, struct gws_device_buffer **buffer,
                                         void **host, struct gws_diagnostic *where);

/* Copies bytes between two buffers of the device, asynchronously. `from` may also be a buffer of a device that the
 * stream's device reaches (gws_device_reach()). At most one of the buffers is pinned or shared. The
 * host must not touch the pinned part until the copy is complete. Errors: GWS_OUT_OF_RANGE, GWS_INVALID (a buffer of
 * another device, no buffer on the device, overlapping ranges of one buffer), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_stream_copy(struct gws_stream *stream, struct gws_device_buffer *to, uint64_t to_offset,
                                   struct gws_device_buffer *from, uint64_t from_offset, uint64_t bytes,
                                   struct gws_diagnostic *where);

/* ---- native handles ---- */

/* Returns the driver's handle of the stream: a cl_command_queue, or a cudaStream_t (a CUstream). The stream owns the
 * handle. Commands that the caller submits through the handle follow previous commands of this library and precede
 * later ones. */
GWS_API void *gws_stream_native(const struct gws_stream *stream);

/* Returns the device's cl_context. Returns NULL for CUDA, which uses the primary context of the device number in
 * .address. */
GWS_API void *gws_device_native(const struct gws_device *device);

#ifdef __cplusplus
}
#endif
#endif
