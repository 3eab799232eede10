/* SPDX-License-Identifier: MIT */
/* Options for tests of devices under sanitizers. Leaks and races within drivers and their compilers are out of scope.
 * The sanitizers look these functions up by name. */
#ifndef GWS_TESTS_LIB_DEVICE_DRIVERS_H
#define GWS_TESTS_LIB_DEVICE_DRIVERS_H

#include "../../../lib/status.h"

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
