/* SPDX-License-Identifier: MIT */
/* Options for tests of devices: a cache of programs, and the sanitizers' options. Leaks and races within drivers and
 * their compilers are out of scope. The sanitizers look these functions up by name. */
#ifndef GWS_TESTS_LIB_DEVICE_DRIVERS_H
#define GWS_TESTS_LIB_DEVICE_DRIVERS_H

#include <stdlib.h>

#include "../../../lib/device.h"

/* Returns the options for a device with the tests' cache of programs, also on PoCL. PoCL takes 50 ms for a program even
 * from its own cache, and the tests open hundreds of programs. */
static inline const struct gws_device_options *gws_test_cached(void)
{
    static struct gws_device_options options;
    if (getenv("GRAPHWS_BUILD")) options.cache = getenv("XDG_CACHE_HOME");
    return &options;
}

GWS_API const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libLLVM\nleak:libclang\nleak:libpocl\nleak:libOpenCL\nleak:libcuda\nleak:libnvidia\n";
}

/* ThreadSanitizer sees a driver's locks, but not the driver's accesses, so ThreadSanitizer should ignore both. */
GWS_API const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
    return "ignore_noninstrumented_modules=1";
}

#endif
