/* SPDX-License-Identifier: MIT */
/* The device's side of litmus tests (litmus.h; time_litmus.c is the host's side). A pair of items runs one test for
 * many rounds. No item waits for another, except that the items of a pair wait a while for each other at the start, so
 * that they run concurrently. Words of one device have device scope; `wide` words are shared with the host or another
 * device. */
device_inline u32 litmus_load(global_mem host32 *at, u32 wide)
{
    return wide ? host_load(at, order_acquire) : atom_load((global_mem atom32 *)at, order_acquire);
}

device_inline u32 litmus_load_relaxed(global_mem host32 *at, u32 wide)
{
    return wide ? host_load(at, order_relaxed) : atom_load((global_mem atom32 *)at, order_relaxed);
}

device_inline void litmus_store(global_mem host32 *at, u32 value, u32 wide)
{
    if (wide)
        host_store(at, value, order_release);
    else
        atom_store((global_mem atom32 *)at, value, order_release);
}

device_inline void litmus_store_relaxed(global_mem host32 *at, u32 value, u32 wide)
{
    if (wide)
        host_store(at, value, order_relaxed);
    else
        atom_store((global_mem atom32 *)at, value, order_relaxed);
}

/* Waits for the partner, but not for ever. */
device_inline void litmus_meet(global_mem host32 *words, u32 pairs, u32 pair, u32 role, u32 wide)
{
    litmus_store(litmus_word(words, pairs + pair, role), 1u, wide);
    for (u32 i = 0; i < LITMUS_PATIENCE && litmus_load(litmus_word(words, pairs + pair, 1 - role), wide) == 0; i++)
        spin_pause();
}

/* role: LITMUS_BOTH if the groups of this launch run both roles. shift: role 1 of a pair is run by another group in
 * each launch. log: two words for each role of this launch, round and pair. */
kernel_entry litmus(global_mem host32 *words, global_mem u32 *log, u32 test, u32 role, u32 shift, u32 wide, u32 rounds,
                    u32 pairs)
{
    u32 group = group_id(), groups = pairs / group_size();
    if (role == LITMUS_BOTH) {
        role = group % 2;
        group /= 2;
        log += (u64)role * rounds * pairs * 2;
    }
    u32 pair = (group + role * shift) % groups * group_size() + item_id();
    global_mem host32 *first = litmus_word(words, pair, role), *second = litmus_word(words, pair, 1 - role);
    litmus_meet(words, pairs, pair, role, wide);
    for (u32 round = 1; round <= rounds; round++) {
        u32 one = 0, other = 0;
        if (test == LITMUS_LOAD_BUFFERING) {
            one = litmus_load(first, wide);
            litmus_store(second, round, wide);
        } else if (role == 0) {
            litmus_store_relaxed(first, round, wide);
            if (test == LITMUS_RELAXED)
                litmus_store_relaxed(second, round, wide);
            else
                litmus_store(second, round, wide);
        } else {
            one = test == LITMUS_RELAXED ? litmus_load_relaxed(first, wide) : litmus_load(first, wide);
            other = litmus_load_relaxed(second, wide);
        }
        log[((u64)(round - 1) * pairs + pair) * 2] = one;
        log[((u64)(round - 1) * pairs + pair) * 2 + 1] = other;
    }
}
