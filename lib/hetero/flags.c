/* SPDX-License-Identifier: MIT */
/* The host's side of the done flags (flags.h). */
#define _POSIX_C_SOURCE 200809L
#include "flags.h"

#include <sched.h>
#include <time.h>

#include "../../kernels/hetero/flags.h"
#include "../parallel.h"

enum { eager_checks = 256, yielding_checks = 4096, checks_a_poll = 64 };

gws_status gws__flags_open(struct gws__flags *flags, struct gws_diagnostic *where)
{
    uint64_t bytes = (uint64_t)flags->groups * FLAG_STRIDE * 4;
    void *flag;
    gws_status status = gws_device_shared_new(flags->device, bytes, &flags->buffer, &flag, where);
    if (status == GWS_OK) flags->flag = flag;
    return status;
}

static _Atomic uint32_t *flag_of(const struct gws__flags *flags, uint32_t group)
{
    return &flags->flag[(uint64_t)group * FLAG_STRIDE];
}

static void set_all(const struct gws__flags *flags, uint32_t word)
{
    /* release: pairs with the acquire in flag_wait(). */
    for (uint32_t g = 0; g < flags->groups; g++) atomic_store_explicit(flag_of(flags, g), word, memory_order_release);
}

gws_status gws__flags_start(struct gws__flags *flags, struct gws_diagnostic *where)
{
    set_all(flags, FLAG_GO);
    if (flags->running) return GWS_OK;
    gws_status status = flags->launch(flags->context, where);
    flags->running = status == GWS_OK;
    return status;
}

gws_status gws__flags_end(struct gws__flags *flags, struct gws_diagnostic *where)
{
    if (!flags->running) return GWS_OK;
    flags->running = false;
    set_all(flags, FLAG_END);
    return gws_device_wait(flags->device, where);
}

/* Marks a device that does not reply as failed. FLAG_END ends the groups if they poll again. */
static gws_status give_up(struct gws__flags *flags, struct gws_diagnostic *where)
{
    gws_status status = gws__flags_end(flags, where);
    if (status != GWS_OK) return status;
    return gws_diagnostic_set(where, GWS_DEVICE, NULL, 0, 0, "%s: a group does not reply",
                              gws_device_describe(flags->device)->address);
}

static bool is_done(const struct gws__flags *flags, uint32_t group)
{
    uint32_t go = FLAG_GO;
    /* acquire: pairs with the release in flag_done(). This thread thus sees the group's results. */
    uint32_t flag = atomic_load_explicit(flag_of(flags, group), memory_order_acquire);
    if (flag != FLAG_GO || !flags->idle(flags->context, group)) return flag == FLAG_DONE;
    /* relaxed: a group that has not begun has written nothing. */
    return atomic_compare_exchange_strong_explicit(flag_of(flags, group), &go, FLAG_DONE, memory_order_relaxed,
                                                   memory_order_relaxed);
}

/* Waits for all groups. A kernel that ends before all groups are done is an error. */
gws_status gws__flags_wait(struct gws__flags *flags, struct gws_diagnostic *where)
{
    const struct timespec pause = {.tv_nsec = 20000};
    double until = gws_clock_ms() + gws_device_limit_ms(flags->device);
    for (uint32_t g = 0, checks = 1; g < flags->groups; checks++) {
        bool over = false;
        if (is_done(flags, g)) {
            g++;
            continue;
        }
        if (checks % checks_a_poll == 0) {
            gws_status status = gws_device_poll(flags->device, &over, where);
            if (status != GWS_OK) return status;
            if (over || gws_clock_ms() > until) return give_up(flags, where);
        }
        if (checks >= yielding_checks)
            (void)nanosleep(&pause, NULL);
        else if (checks >= eager_checks)
            (void)sched_yield();
    }
    return GWS_OK;
}
