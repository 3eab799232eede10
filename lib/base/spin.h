/* SPDX-License-Identifier: MIT */
/* A bounded spin wait before sleeping. */
#ifndef GWS_BASE_SPIN_H
#define GWS_BASE_SPIN_H

#include <stdbool.h>
#include <stdint.h>

#include "../parallel.h"

/* The state of a wait, {0} at its start. */
struct gws__spin {
    uint32_t rounds;
    double until;
};

static inline void gws__spin_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    __asm__ __volatile__("yield");
#endif
}

/* Pauses. Returns false once the wait has lasted limit_ms. Every 32nd call reads the clock. */
static inline bool gws__spin_on(struct gws__spin *spin, double limit_ms)
{
    gws__spin_pause();
    if (spin->rounds++ % 32 != 0) return true;
    double now = gws_clock_ms();
    if (spin->rounds == 1) spin->until = now + limit_ms;
    return now < spin->until;
}

#endif
