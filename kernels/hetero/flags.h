/* SPDX-License-Identifier: MIT */
/* The protocol of done flags (Abdelmageed's thesis, section 3.3), which keeps a kernel alive from level to level on
 * devices whose atomics are coherent with the host's. Each group has a word. The host writes FLAG_GO, the group
 * FLAG_DONE, and the host FLAG_END at the end. A group that begins writes FLAG_RUN. If a group has not begun and no
 * work is left for it, the host can therefore withdraw FLAG_GO: no level waits for a group that got no core in time.
 * All groups must be resident, as the host waits for each running group. lib/hetero/flags.h is the host's side. */
#ifndef GWS_KERNELS_FLAGS_H
#define GWS_KERNELS_FLAGS_H

#define FLAG_GO 0u
#define FLAG_DONE 1u
#define FLAG_RUN 2u
#define FLAG_END 10u
#define FLAG_STRIDE 32u /* words of 32 bits: a line for each group */

#endif

/* The device, behind a portability header. */
#if defined global_mem && !defined GWS_KERNELS_FLAGS_FUNCTIONS
#define GWS_KERNELS_FLAGS_FUNCTIONS

/* Waits until the host starts the group; false: the kernel exits. word: a word of local memory. All items call. */
device_inline bool flag_wait(global_mem atom32 *flag, local_mem u32 *word)
{
    u32 seen = FLAG_DONE;
    if (item_id() == 0) {
        while (seen != FLAG_RUN && seen != FLAG_END) {
            seen = FLAG_GO;
            /* acquire: pairs with the host's release (lib/hetero/flags.c), so the group sees the level's words and
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
    group_barrier(); /* word is free again */
    return seen == FLAG_RUN;
}

/* Reports that the group is done with the level. All items call. */
device_inline void flag_done(global_mem atom32 *flag)
{
    u32 run = FLAG_RUN;
    group_barrier(); /* all items have written their results */
    /* release: pairs with the acquire in gws__flags_wait(), so the host sees those results. The compare-and-swap fails
     * if the host has given up: FLAG_END stays. */
    if (item_id() == 0) (void)atom_cas(flag, &run, FLAG_DONE, order_release);
}
#endif
