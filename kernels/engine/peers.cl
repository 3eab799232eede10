/* SPDX-License-Identifier: MIT */
/* The barrier of all groups of several devices that address each other's memory. Each device runs one persistent
 * kernel. At a barrier each device posts a few words to all devices, so all groups of all devices decide from the same
 * words how to go on. peers_words.h has the layout. */

/* The parameters of every such kernel: the exchange buffer of each part; any buffer if there is no such part. */
#define PEERS_PARAMETERS                                                                                               \
    global_mem u64 *exchange0, global_mem u64 *exchange1, global_mem u64 *exchange2, global_mem u64 *exchange3,        \
        global_mem u64 *exchange4, global_mem u64 *exchange5, global_mem u64 *exchange6, global_mem u64 *exchange7
#define PEERS_ARGUMENTS exchange0, exchange1, exchange2, exchange3, exchange4, exchange5, exchange6, exchange7

/* A group's copy, in local memory. */
struct peers_memory {
    global_mem u64 *exchange[PARTED_MAX];
    u64 post[PARTED_MAX * POST_WORDS]; /* the payloads of the last barrier */
    u64 epoch;                         /* the number of the next barrier */
    u32 part, parts;                   /* this device's part, and the number of parts */
    u32 abandoned;                     /* 1: another device does not run, so the kernel ends after the first barrier */
};

struct peers {
    local_mem struct peers_memory *all;
    global_mem u32 *stop; /* the host's word, see stop_requested(); null: none */
};

/* One item of each group writes all->exchange. */
device_inline void peers_exchange(local_mem struct peers_memory *all, PEERS_PARAMETERS)
{
    all->exchange[0] = exchange0, all->exchange[1] = exchange1, all->exchange[2] = exchange2;
    all->exchange[3] = exchange3, all->exchange[4] = exchange4, all->exchange[5] = exchange5;
    all->exchange[6] = exchange6, all->exchange[7] = exchange7;
}

/* Returns the posts of all senders in a receiver's buffer for the barrier `epoch`. */
device_inline global_mem host64 *posts_of(const struct peers *p, u32 receiver, u64 epoch)
{
    return (global_mem host64 *)(p->all->exchange[receiver] + (epoch & 1) * PARTED_MAX * POST_WORDS);
}

/* Opens the barrier for a group, whose items call the function after all->exchange has been written, and before a
 * barrier of the group. No device posts to the next barrier in this device's name before this group has arrived there.
 */
device_inline void peers_open(struct peers *p, local_mem struct peers_memory *all, u32 part, u32 parts,
                              global_mem u32 *stop)
{
    u32 own = part * POST_WORDS + POST_EPOCH;
    p->all = all;
    p->stop = stop;
    if (item_id() == 0) {
        all->abandoned = 0;
        all->part = part;
        all->parts = parts;
    }
    for (u32 i = item_id(); i < PARTED_MAX * POST_WORDS; i += group_size()) all->post[i] = 0;
    group_barrier();
    if (item_id() != 0) return; /* the first warp alone uses the number, after another barrier */
    u64 even = host_load(posts_of(p, part, 0) + own, order_relaxed) & POST_PAYLOAD;
    u64 odd = host_load(posts_of(p, part, 1) + own, order_relaxed) & POST_PAYLOAD;
    all->epoch = (even > odd ? even : odd) + 1;
}

/* A warp of each group arrives at the device's barrier. Returns whether it is the device's last one, which then posts.
 */
device_inline bool peers_arrive(struct grid_barrier *all)
{
    u32 last = 0;
    all->awaited += group_count();
    /* acquire and release: pair with each other, so the last group sees the writes of all groups before it posts. */
    if (lane_id() == 0) last = atom_add(all->arrived, (u64)1, order_acq_rel) + 1 == all->awaited ? 1 : 0;
    last = warp_shuffle(last, 0);
    warp_barrier(); /* all lanes see what the first one has acquired */
    return last != 0;
}

/* Posts a word to a receiver. */
device_inline void peers_post(const struct peers *p, u32 receiver, u32 which, u64 word)
{
    /* release: pairs with the acquire in peers_await(). The other devices then see the writes of all groups of this
     * device, which the acquire of the group's arrival has seen. */
    host_store(posts_of(p, receiver, p->all->epoch) + p->all->part * POST_WORDS + which,
               (word & POST_PAYLOAD) | p->all->epoch << 48, order_release);
}

/* relaxed: the word carries no other data. */
device_inline bool peers_abandoned(const struct peers *p)
{
    return p->stop && atom_load((global_mem host32 *)p->stop, order_relaxed) == PEERS_ABANDON;
}

/* A warp of each group waits for the posts of all devices. Each word tells its barrier, so the words may arrive in any
 * order. A post is not overwritten before all groups have read it: the next barrier has the other posts, and no device
 * posts to the one after that before all groups have arrived at the next barrier. A look at the host's word crosses the
 * bus, so it is rare. */
device_inline void peers_await(const struct peers *p)
{
    u32 looks = 0;
    u64 epoch = p->all->epoch;
    for (u32 i = lane_id(); i < p->all->parts * POST_WORDS; i += WARP) {
        global_mem host64 *post = posts_of(p, p->all->part, epoch) + i;
        u64 word;
        /* acquire: pairs with the release in peers_post(). */
        while (((word = host_load(post, order_acquire)) ^ epoch << 48) >> 48) {
            spin_pause();
            if (++looks % 1024 > 0 || !peers_abandoned(p)) continue;
            p->all->abandoned = 1;
            break;
        }
        p->all->post[i] = word & POST_PAYLOAD;
    }
    warp_barrier(); /* all lanes have read the number, and written their posts */
    if (lane_id() == 0) p->all->epoch = epoch + 1;
}
