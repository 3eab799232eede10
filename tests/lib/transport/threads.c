/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../../../lib/random.h"

struct message {
    struct message *next;
    size_t bytes;
    char data[];
};

struct endpoint {
    struct message *from[max_test_ranks]; /* by sender: the oldest first */
    struct message *last;                 /* the message that receive() returned */
    struct message *part[max_test_ranks]; /* by sender: parts of an exchange */
    uint64_t random;
    bool apart; /* as if collective operations used no shared memory */
};

static struct {
    pthread_mutex_t lock;
    pthread_barrier_t barrier;
    uint32_t ranks, late;
    struct endpoint endpoint[max_test_ranks];
    uint64_t *value[max_test_ranks]; /* of collective operations */
    const void *given[max_test_ranks];
    uint64_t *words[max_test_ranks]; /* shared memory */
    void *exposed;
} hub;

static _Thread_local uint32_t this_rank;

static void wait_for_all(void)
{
    (void)pthread_barrier_wait(&hub.barrier);
}

static void *open_threads(struct gws__transport_info *info)
{
    *info = (struct gws__transport_info){
        .rank = this_rank, .ranks = hub.ranks, .here = hub.ranks, .rank_here = this_rank, .name = "threads"};
    return &hub.endpoint[this_rank];
}

static void close_threads(void *state)
{
    struct endpoint *self = state;
    wait_for_all();
    free(self->last);
    self->last = NULL;
    for (uint32_t r = 0; r < hub.ranks; r++) {
        if (self->from[r] || self->part[r]) abort(); /* a message was never received */
    }
}

/* Adds a copy of the message to a list, to which its receiver has no access meanwhile. */
static void append(struct message **at, const void *message, size_t bytes)
{
    struct message *made = malloc(sizeof *made + bytes);
    if (!made) abort();
    made->next = NULL;
    made->bytes = bytes;
    memcpy(made->data, message, bytes);
    pthread_mutex_lock(&hub.lock);
    while (*at) at = &(*at)->next;
    *at = made;
    pthread_mutex_unlock(&hub.lock);
}

static void send_threads(void *state, uint32_t to, const void *message, size_t bytes)
{
    (void)state;
    if (bytes > gws__transport_message) abort();
    append(&hub.endpoint[to].from[this_rank], message, bytes);
}

static const void *receive_threads(void *state, uint32_t *from, size_t *bytes)
{
    struct endpoint *self = state;
    free(self->last);
    self->last = NULL;
    if (gws_random_next(&self->random) % 8 < hub.late) return NULL;
    uint32_t first = (uint32_t)(gws_random_next(&self->random) % hub.ranks);
    pthread_mutex_lock(&hub.lock);
    for (uint32_t i = 0; i < hub.ranks && !self->last; i++) {
        *from = (first + i) % hub.ranks;
        self->last = self->from[*from];
    }
    if (self->last) self->from[*from] = self->last->next;
    pthread_mutex_unlock(&hub.lock);
    if (!self->last) return NULL;
    *bytes = self->last->bytes;
    return self->last->data;
}

static void quiesce_threads(void *state)
{
    struct endpoint *self = state;
    wait_for_all();
    pthread_mutex_lock(&hub.lock);
    for (uint32_t r = 0; r < hub.ranks; r++)
        while (self->from[r]) {
            struct message *one = self->from[r];
            self->from[r] = one->next;
            free(one);
        }
    pthread_mutex_unlock(&hub.lock);
    wait_for_all();
}

static void reduce_threads(void *state, uint64_t *value, uint32_t count, enum gws__transport_operation operation)
{
    (void)state;
    uint64_t *result = calloc(count, sizeof *result);
    hub.value[this_rank] = value;
    wait_for_all();
    for (uint32_t r = 0; r < hub.ranks; r++)
        for (uint32_t i = 0; i < count; i++) {
            uint64_t other = hub.value[r][i];
            if (operation == GWS__TRANSPORT_SUM)
                result[i] += other;
            else if (other > result[i])
                result[i] = other;
        }
    wait_for_all();
    memcpy(value, result, count * sizeof *value);
    free(result);
}

static void gather_threads(void *state, const void *from, size_t bytes, void *to)
{
    (void)state;
    hub.given[this_rank] = from;
    wait_for_all();
    for (uint32_t r = 0; this_rank == 0 && r < hub.ranks; r++) memcpy((char *)to + r * bytes, hub.given[r], bytes);
    wait_for_all();
}

static void use_shared_threads(void *state, bool yes)
{
    ((struct endpoint *)state)->apart = !yes;
}

static bool uses_shared_threads(const void *state)
{
    return !((const struct endpoint *)state)->apart;
}

/* ---- windows ---- */

static void *share_threads(void *state, uint64_t words, uint32_t per_host, uint64_t **base)
{
    (void)state;
    uint64_t *own = hub.words[this_rank] = calloc(words, sizeof *own);
    const uint32_t host = per_host ? this_rank / per_host : 0;
    wait_for_all();
    for (uint32_t r = 0; r < hub.ranks; r++)
        if (!per_host || r / per_host == host) base[r] = hub.words[r];
    wait_for_all();
    return own;
}

static void unshare_threads(void *state, void *shared)
{
    (void)state;
    wait_for_all();
    free(shared);
}

static void *expose_threads(void *state, uint64_t words)
{
    (void)state;
    if (this_rank == 0) hub.exposed = open_rma_threads(words, hub.ranks, hub.late);
    wait_for_all();
    return hub.exposed;
}

static void conceal_threads(void *state, void *exposed)
{
    (void)state;
    wait_for_all();
    if (this_rank == 0) close_rma_threads(exposed);
}

/* Parts are late: three of four stay in the list, and are taken by a later call. */
static struct message *first_part(struct endpoint *self, uint32_t from)
{
    pthread_mutex_lock(&hub.lock);
    struct message *one = self->part[from];
    if (one) self->part[from] = one->next;
    pthread_mutex_unlock(&hub.lock);
    return one;
}

static void take_parts(struct endpoint *self, const struct gws_exchange *exchange, bool all)
{
    struct message *one;
    for (uint32_t r = 0; r < hub.ranks; r++)
        while ((all || gws_random_next(&self->random) % 4 == 0) && (one = first_part(self, r))) {
            exchange->receive(exchange->context, r, one->data, one->bytes / exchange->item_bytes);
            free(one);
        }
}

static void exchange_part_threads(void *state, const struct gws_exchange *exchange)
{
    const char *at = exchange->from;
    for (uint32_t r = 0; r < hub.ranks; r++, at = exchange->to_all ? exchange->from : at)
        for (uint64_t left = exchange->items[r], items; left > 0; left -= items) {
            items = left < 512 ? left : 512;
            append(&hub.endpoint[r].part[this_rank], at, items * exchange->item_bytes);
            at += items * exchange->item_bytes;
        }
    take_parts(state, exchange, false);
}

static void exchange_drain_threads(void *state, const struct gws_exchange *exchange)
{
    take_parts(state, exchange, false);
}

/* Blocks of at most 64 items, so that few items make several. */
static void exchange_threads(void *state, const struct gws_exchange *exchange)
{
    uint64_t sum[GWS_EXCHANGE_SUMS] = {0};
    hub.given[this_rank] = exchange;
    wait_for_all();
    for (uint32_t r = 0; r < hub.ranks; r++) {
        const struct gws_exchange *other = hub.given[r];
        for (uint32_t i = 0; i < exchange->sums; i++) sum[i] += other->sum[i];
    }
    wait_for_all();
    take_parts(state, exchange, true);
    for (uint32_t i = 0; i < exchange->sums; i++) exchange->sum[i] = sum[i];
    for (uint32_t r = 0; r < hub.ranks; r++) {
        const struct gws_exchange *other = hub.given[r];
        const char *at = other->from;
        for (uint32_t before = 0; before < this_rank; before++)
            if (!other->to_all && other->items[before]) at += other->items[before] * other->item_bytes;
        for (uint64_t left = other->items[this_rank], items; left > 0; left -= items) {
            items = left < 64 ? left : 64;
            exchange->receive(exchange->context, r, at, items);
            at += items * other->item_bytes;
        }
    }
    wait_for_all();
}

static void allgather_threads(void *state, uint64_t *all, const uint64_t *words)
{
    (void)state;
    uint64_t place = 0;
    hub.given[this_rank] = all;
    wait_for_all();
    for (uint32_t r = 0; r < hub.ranks; r++) {
        if (r != this_rank) memcpy(all + place, (const uint64_t *)hub.given[r] + place, words[r] * sizeof *all);
        place += words[r];
    }
    wait_for_all();
}

static const struct gws__transport_kind kind = {
    .version = GWS_VERSION,
    .open = open_threads,
    .close = close_threads,
    .send = send_threads,
    .receive = receive_threads,
    .quiesce = quiesce_threads,
    .use_shared = use_shared_threads,
    .uses_shared = uses_shared_threads,
    .reduce = reduce_threads,
    .gather = gather_threads,
    .share = share_threads,
    .unshare = unshare_threads,
    .expose = expose_threads,
    .conceal = conceal_threads,
    .rma = &link_of_threads,
    .exchange_part = exchange_part_threads,
    .exchange_drain = exchange_drain_threads,
    .exchange = exchange_threads,
    .allgather = allgather_threads,
};

struct rank_thread {
    pthread_t thread;
    uint32_t rank;
    void (*body)(struct gws_transport *transport, void *context);
    void *context;
};

static void *run_rank(void *data)
{
    struct rank_thread *self = data;
    struct gws_transport *transport = NULL;
    this_rank = self->rank;
    if (gws__transport_open(&kind, &transport) != GWS_OK) abort();
    self->body(transport, self->context);
    gws_transport_close(transport);
    return NULL;
}

void run_ranks(uint32_t ranks, uint32_t late, void (*body)(struct gws_transport *transport, void *context),
               void *context)
{
    struct rank_thread rank[max_test_ranks];
    memset(&hub, 0, sizeof hub);
    hub.ranks = ranks;
    hub.late = late;
    if (pthread_mutex_init(&hub.lock, NULL) != 0 || pthread_barrier_init(&hub.barrier, NULL, ranks) != 0) abort();
    for (uint32_t r = 0; r < ranks; r++) {
        hub.endpoint[r].random = r;
        rank[r] = (struct rank_thread){.rank = r, .body = body, .context = context};
    }
    for (uint32_t r = 0; r < ranks; r++)
        if (pthread_create(&rank[r].thread, NULL, run_rank, &rank[r]) != 0) abort();
    for (uint32_t r = 0; r < ranks; r++) (void)pthread_join(rank[r].thread, NULL);
    (void)pthread_barrier_destroy(&hub.barrier);
    (void)pthread_mutex_destroy(&hub.lock);
}
