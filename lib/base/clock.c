/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

#include "../parallel.h"

double gws_clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}
