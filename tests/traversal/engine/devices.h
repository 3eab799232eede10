/* SPDX-License-Identifier: MIT */
/* Helpers for tests of graphs on devices. The tests run on every usable device of this machine, or on
 * $GWS_TEST_DEVICE. */
#ifndef GWS_TESTS_TRAVERSAL_DEVICES_H
#define GWS_TESTS_TRAVERSAL_DEVICES_H

#include "../graph/bfs/shapes.h"

#include "../../../lib/base/services.h"
#include "../../../lib/parallel.h"
#include "../../../traversal/device_graph.h"
#include "../../lib/device/drivers.h"

enum { max_devices = 8 };

static struct gws_runtime *runtime;
static struct gws_device *device; /* the device under test */

/* Calls use() on every usable device. */
static inline void on_devices(void (*use)(void))
{
    struct gws_device_info info[max_devices];
    uint32_t count = 0, used = 0;
    const char *only = getenv("GWS_TEST_DEVICE");
    runtime = open_runtime(NULL, 2, 0);
    gws_device_list(runtime, info, max_devices, &count);
    for (uint32_t i = 0; i < count && i < max_devices; i++) {
        if (info[i].unusable[0] || (only && strncmp(info[i].address, only, strlen(only)) != 0)) continue;
        ck_assert_int_eq(gws_device_open(runtime, info[i].address, gws_test_cached(), &device, NULL), GWS_OK);
        use();
        gws_device_close(device);
        used++;
    }
    if (used == 0) printf("skipped: no device\n");
    gws_runtime_close(runtime);
}

/* Defines a test whose body runs on each of these devices. */
#define DEVICE_TEST(name)                                                                                              \
    static void name##_on_device(void);                                                                                \
    START_TEST(name)                                                                                                   \
    {                                                                                                                  \
        on_devices(name##_on_device);                                                                                  \
    }                                                                                                                  \
    END_TEST                                                                                                           \
    static void name##_on_device(void)

/* Between open_inner() and close_inner() the device under test has a runtime with these options, which always asks its
 * hook. */
struct outer {
    struct gws_runtime *runtime;
    struct gws_device *device;
};

static inline struct outer open_inner(const struct gws_options *options)
{
    const struct outer outer = {runtime, device};
    ck_assert_int_eq(gws_runtime_open(options, &runtime), GWS_OK);
    runtime->ask_every_ms = 0;
    ck_assert_int_eq(
        gws_device_open(runtime, gws_device_describe(outer.device)->address, gws_test_cached(), &device, NULL), GWS_OK);
    return outer;
}

static inline void close_inner(struct outer outer)
{
    gws_device_close(device);
    gws_runtime_close(runtime);
    runtime = outer.runtime;
    device = outer.device;
}

static inline struct gws_device_graph *open_graph(const struct gws_graph *graph,
                                                  struct gws_device_graph_options options)
{
    struct gws_device_graph *made = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_msg(gws_device_graph_open(runtime, device, graph, &options, &made, &where) == GWS_OK, "%s",
                  where.message);
    return made;
}

/* Returns the content of a buffer. The caller frees the copy. */
static inline void *content_of(struct gws_device_buffer *buffer, uint64_t bytes)
{
    void *content = malloc(bytes + 1);
    ck_assert_ptr_nonnull(buffer);
    ck_assert_uint_eq(gws_device_buffer_bytes(buffer), bytes);
    if (bytes > 0) ck_assert_int_eq(gws_device_read(buffer, 0, content, bytes, NULL), GWS_OK);
    return content;
}

#endif
