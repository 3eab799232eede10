/* SPDX-License-Identifier: MIT */
/* For tests that use devices under sanitizers: what drivers, PoCL and the compilers in them among them, keep or share
 * by their own rules is not the tests' matter. The functions have the sanitizers' names, which they must find. */
#ifndef GWS_TESTS_LIB_DEVICE_DRIVERS_H
#define GWS_TESTS_LIB_DEVICE_DRIVERS_H

#include "../../../lib/status.h"

GWS_API const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libLLVM\nleak:libclang\nleak:libpocl\nleak:libOpenCL\nleak:libcuda\nleak:libnvidia\n";
}

/* ThreadSanitizer sees a driver's locks, not its accesses: it had better see neither. */
GWS_API const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
    return "ignore_noninstrumented_modules=1";
}

#endif
