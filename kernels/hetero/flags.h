/* SPDX-License-Identifier: MIT */
/* The protocol of done flags (Abdelmageed's thesis, section 3.3), which keeps a kernel alive from level to level on
 * devices whose atomics are coherent with the host's. Each group has a word. The host writes FLAG_GO to start a level,
 * the group writes FLAG_RUN when it begins and FLAG_DONE when it has finished, and the host writes FLAG_END to end the
 * kernel. If a group has not begun and no work is left for it, the host can withdraw FLAG_GO. So no level waits for a
 * group that got no core in time. All groups must be resident, because the host waits for each running group.
 * lib/hetero/flags.h is the host's side. */
#ifndef GWS_KERNELS_FLAGS_H
#define GWS_KERNELS_FLAGS_H

#define FLAG_GO 0u
#define FLAG_DONE 1u
#define FLAG_RUN 2u
#define FLAG_END 10u
#define FLAG_STRIDE 32u /* distance of two groups' words, in words of 32 bits: one cache line per group */

#endif

/* Functions for the device. A portability header must come first. */
#if defined global_mem && !defined GWS_KERNELS_FLAGS_FUNCTIONS
#define GWS_KERNELS_FLAGS_FUNCTIONS

/* Waits until the host starts the group. Returns false if the kernel must exit. word: a word of local memory. All items
 * call. */
device_inline bool flag_wait(global_mem atom32 *flag, local_mem u32 *word)
{
    u32 seen = FLAG_DONE;
    if (item_id() == 0) {
        while (seen != FLAG_RUN && seen != FLAG_END) {
            seen = FLAG_GO;
            /* acquire: pairs with the host's release (lib/hetero/flags.c). The group thus sees the level's words and
             * deques. */
            if (atom_load(flag, order_relaxed) == FLAG_GO && atom_cas(flag, &seen, FLAG_RUN, order_acquire))
                seen = FLAG_RUN;
            else
                seen = atom_load(flag, order_relaxed);
            if (seen == FLAG_DONE) spin_pause();
        }
        *word = seen;
    }
    group_barrier();
    seen = *word;
    group_barrier(); /* all items have read word */
    return seen == FLAG_RUN;
}

/* Reports that the group is done with the level. All items call. */
device_inline void flag_done(global_mem atom32 *flag)
{
    u32 run = FLAG_RUN;
    group_barrier(); /* all items have written their results */
    /* release: pairs with the acquire in gws__flags_wait(). The host thus sees those results. If the host has given up,
     * the compare-and-swap fails and FLAG_END stays. */
    if (item_id() == 0) (void)atom_cas(flag, &run, FLAG_DONE, order_release);
}
#endif
