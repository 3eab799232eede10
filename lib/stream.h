/* SPDX-License-Identifier: MIT */
/* Streams of a device: commands of several threads, and commands side by side.
 *
 * A stream runs its commands in the order in which they are given; commands of different streams may run at the same
 * time and in any order, but where gws_stream_after() says otherwise. Each device has a stream of its own, to which the
 * calls of lib/device.h go.
 *
 * A device, its buffers and its programs may be used by several threads at once, each through a stream that no other
 * thread uses at that time; what two threads write to one buffer, and who frees what is still in use, is theirs to
 * settle. The device's own stream is for the thread that the runtime serves, since large copies there are by its
 * workers. The runtime's allocator and log may be called by any thread that uses a device. A device is opened and
 * closed while no other thread uses it.
 *
 * What fails on one stream so that the device is lost (lib/device.h) fails on all. Errors not named below are those of
 * the call in lib/device.h. */
#ifndef GWS_STREAM_H
#define GWS_STREAM_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_stream;

/* Opens one more stream: a command queue of OpenCL, a stream of CUDA. About 10 us. Errors: GWS_NO_MEMORY, GWS_DEVICE.
 */
GWS_API gws_status gws_stream_open(struct gws_device *device, struct gws_stream **stream, struct gws_where *where);

/* Waits for its commands, within the limit, and frees it; NULL is allowed. It goes before the device does. */
GWS_API void gws_stream_close(struct gws_stream *stream);

/* The device's own, which stays the device's. */
GWS_API struct gws_stream *gws_device_stream(struct gws_device *device);

/* As gws_device_run(), gws_device_fill(), gws_device_wait() and gws_device_poll(). */
GWS_API gws_status gws_stream_run(struct gws_stream *stream, const struct gws_device_launch *launch,
                                  struct gws_where *where);
GWS_API gws_status gws_stream_fill(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t first,
                                   uint32_t word, uint64_t count, struct gws_where *where);
GWS_API gws_status gws_stream_wait(struct gws_stream *stream, struct gws_where *where);
GWS_API gws_status gws_stream_poll(struct gws_stream *stream, bool *done, struct gws_where *where);

/* Commands given to the stream from now on begin when those given to the other one so far are done; does not wait.
 * Another thread may be using the other one. Errors: GWS_INVALID (of another device), GWS_DEVICE. */
GWS_API gws_status gws_stream_after(struct gws_stream *stream, struct gws_stream *other, struct gws_where *where);

/* As gws_device_write() and gws_device_read(): done when they return. By the caller alone, unless the stream is the
 * device's own: large copies are better through pinned memory. */
GWS_API gws_status gws_stream_write(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t offset,
                                    const void *from, uint64_t bytes, struct gws_where *where);
GWS_API gws_status gws_stream_read(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t offset,
                                   void *to, uint64_t bytes, struct gws_where *where);

/* ---- copies that do not wait ---- */

/* Memory of the host's that devices copy from and to at the bus's full speed while the host does other things: pinned
 * by the driver. It is a buffer, of which copies and gws_device_buffer_free() may be asked, but no kernel takes it;
 * *host is where the host finds it, aligned to 64 bytes. Freeing it waits for the commands of all streams, within the
 * limit. Pinning costs up to 0.5 ms a MiB: keep it. Errors: GWS_TOO_LARGE (over max_buffer), GWS_NO_MEMORY,
 * GWS_DEVICE. */
GWS_API gws_status gws_device_pinned_new(struct gws_device *device, uint64_t bytes, struct gws_device_buffer **buffer,
                                         void **host, struct gws_where *where);

/* Copies bytes between two buffers of the device, of which one at most is pinned or shared; does not wait. Until the
 * copy is done the host leaves the pinned part alone. Errors: GWS_OUT_OF_RANGE, GWS_INVALID (a buffer of another
 * device, none of them on the device, ranges of one buffer that overlap), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_stream_copy(struct gws_stream *stream, struct gws_device_buffer *to, uint64_t to_offset,
                                   struct gws_device_buffer *from, uint64_t from_offset, uint64_t bytes,
                                   struct gws_where *where);

/* ---- the driver's names ---- */

/* The stream as its driver knows it: a cl_command_queue, a cudaStream_t (a CUstream). It stays the stream's. What is
 * given to it beside this library comes after the commands given before; later calls here come after that. */
GWS_API void *gws_stream_native(const struct gws_stream *stream);

/* The device's cl_context; NULL for CUDA, where it is the primary context of the device of the number in .address. */
GWS_API void *gws_device_native(const struct gws_device *device);

#ifdef __cplusplus
}
#endif
#endif
