/* SPDX-License-Identifier: MIT */
/* Ranks: the launcher's variables, and the transports. Started by mpirun, the program tests the transport of MPI
 * (tests/tools/test_mpi.py); otherwise the one of threads, on which the tests of tasks rely. */
#define _POSIX_C_SOURCE 200809L
#include "../../harness.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "threads.h"

/* ---- the launcher's variables ---- */

static void clear(void)
{
    static const char *const name[] = {
        "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) unsetenv(name[i]);
}

START_TEST(test_launched)
{
    static const struct {
        const char *rank, *rank_value, *size, *size_value;
        bool launched;
        uint32_t found, ranks;
    } row[] = {
        {"OMPI_COMM_WORLD_RANK", "2", "OMPI_COMM_WORLD_SIZE", "3", true, 2, 3},
        {"PMI_RANK", "0", "PMI_SIZE", "16", true, 0, 16},
        {"PMIX_RANK", "5", "UNUSED", "7", true, 5, 0},
        {"PMIX_RANK", "0", "SLURM_STEP_NUM_TASKS", "4", true, 0, 4},
        {"PMIX_RANK", "0", "SLURM_STEP_NUM_TASKS", "1", false, 0, 0},
        {"PMI_RANK", "0", "PMI_SIZE", "1", false, 0, 0},
        {"PMI_RANK", "0", "UNUSED", "1", false, 0, 0},
        {"PMI_RANK", "", "PMI_SIZE", "2", false, 0, 0},
        {"PMI_RANK", "1", "PMI_SIZE", "2x", false, 0, 0},
        {"PMI_RANK", "-1", "PMI_SIZE", "2", false, 0, 0},
        {"PMI_RANK", "1", "PMI_SIZE", "99999999999", false, 0, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint32_t rank = 77, ranks = 77;
        clear();
        setenv(row[i].rank, row[i].rank_value, 1);
        setenv(row[i].size, row[i].size_value, 1);
        ck_assert_msg(gws_transport_launched(&rank, &ranks) == row[i].launched, "row %zu", i);
        ck_assert_uint_eq(rank, row[i].launched ? row[i].found : 77);
        ck_assert_uint_eq(ranks, row[i].launched ? row[i].ranks : 77);
    }
}
END_TEST

/* There is no library beside the test, or it finds one rank. */
START_TEST(test_missing)
{
    struct gws_transport *transport = NULL;
    struct gws_diagnostic where = {0};
    clear();
    setenv("PMI_RANK", "0", 1);
    setenv("PMI_SIZE", "2", 1);
    ck_assert_int_eq(gws_transport_open(&transport, &where), GWS_UNSUPPORTED);
    ck_assert_ptr_null(transport);
    ck_assert_ptr_nonnull(strstr(where.message, "libgraphws-mpi"));
    ck_assert_int_eq(gws_transport_agree(NULL, GWS_CORRUPT), GWS_CORRUPT);
    ck_assert_uint_eq(gws_transport_ranks_here(NULL), 1);
    ck_assert_uint_eq(gws_transport_rank_here(NULL), 0);
    gws_transport_close(NULL);
}
END_TEST

/* ---- the transports ---- */

static void check_that(bool condition, const char *text, int line)
{
    if (condition) return;
    fprintf(stderr, "line %d: %s\n", line, text);
    abort(); /* ends the other ranks too */
}
#define EXPECT(condition) check_that(condition, #condition, __LINE__)

enum { rounds = 40 };

/* The size of a message, and its bytes, depend on the sender, the receiver and the number. */
static size_t size_of(uint32_t from, uint32_t to, uint32_t number)
{
    static const size_t size[] = {1, 8, 100, 4096, 4097, 20000, gws__transport_message};
    return size[(from + 3 * to + number) % (sizeof size / sizeof *size)];
}

static void check_message(const unsigned char *data, size_t bytes, uint32_t from, uint32_t to, uint32_t number)
{
    EXPECT(bytes == size_of(from, to, number));
    for (size_t i = 0; i < bytes; i++) EXPECT(data[i] == (unsigned char)(from + number + i));
}

static void test_messages(struct gws_transport *transport)
{
    static _Thread_local unsigned char data[gws__transport_message];
    const uint32_t self = gws_transport_rank(transport), ranks = gws_transport_ranks(transport);
    uint32_t next[64] = {0}, received = 0, sent = 0;
    while (received < (ranks - 1) * rounds || sent < rounds) {
        for (uint32_t to = 0; to < ranks && sent < rounds; to++) {
            if (to == self) continue;
            size_t bytes = size_of(self, to, sent);
            for (size_t i = 0; i < bytes; i++) data[i] = (unsigned char)(self + sent + i);
            transport->kind->send(transport->state, to, data, bytes);
        }
        sent += sent < rounds;
        uint32_t from;
        size_t bytes;
        const unsigned char *message = transport->kind->receive(transport->state, &from, &bytes);
        if (!message) continue;
        EXPECT(from < ranks && from != self);
        check_message(message, bytes, from, self, next[from]++);
        received++;
    }
    EXPECT(gws_transport_agree(transport, GWS_OK) == GWS_OK); /* no rank sends messages of the next test before */
}

/* Messages that nobody receives are gone after quiesce(). */
static void test_quiesce(struct gws_transport *transport)
{
    const uint32_t self = gws_transport_rank(transport), ranks = gws_transport_ranks(transport);
    static const char big[gws__transport_message];
    uint32_t from;
    size_t bytes;
    for (uint32_t to = 0; to < ranks; to++)
        if (to != self) transport->kind->send(transport->state, to, big, to % 2 ? sizeof big : 5);
    transport->kind->quiesce(transport->state);
    for (int i = 0; i < 1000; i++) EXPECT(!transport->kind->receive(transport->state, &from, &bytes));
}

static void test_collectives(struct gws_transport *transport)
{
    const uint32_t self = gws_transport_rank(transport), ranks = gws_transport_ranks(transport);
    uint64_t value[] = {self, 1, UINT64_C(1) << 40}, all[64][2];
    gws_transport_sum(transport, value, 3);
    EXPECT(value[0] == (uint64_t)ranks * (ranks - 1) / 2 && value[1] == ranks && value[2] == (uint64_t)ranks << 40);
    uint64_t max[] = {self, UINT64_MAX - self};
    gws_transport_max(transport, max, 2);
    EXPECT(max[0] == ranks - 1 && max[1] == UINT64_MAX);
    EXPECT(gws_transport_agree(transport, GWS_OK) == GWS_OK);
    EXPECT(gws_transport_agree(transport, self + 1 == ranks ? GWS_CORRUPT : GWS_OK) == GWS_CORRUPT);
    EXPECT(gws_transport_failed_rank(transport) == ranks - 1);
    EXPECT(gws_transport_agree(transport, GWS_CORRUPT) == GWS_CORRUPT); /* passed on */
    EXPECT(gws_transport_failed_rank(transport) == ranks - 1);
    uint64_t many[100];
    for (uint64_t i = 0; i < 100; i++) many[i] = i * self;
    gws_transport_sum(transport, many, 100);
    for (uint64_t i = 0; i < 100; i++) EXPECT(many[i] == i * ranks * (ranks - 1) / 2);
    const uint64_t own[] = {self, self * 10};
    gws_transport_gather(transport, own, sizeof own, self == 0 ? all : NULL);
    for (uint32_t r = 0; self == 0 && r < ranks; r++) EXPECT(all[r][0] == r && all[r][1] == r * 10);
}

/* ---- exchanges ---- */

/* Rank a sends (a + 2 b + round) % 5 * scale items to rank b. Item i is a * 1000003 + b * 10007 + i, then its negation.
 */
struct pairs {
    uint32_t self, round;
    uint64_t scale, next[64];
    uint64_t sum[2];
};

static uint64_t items_of(const struct pairs *pairs, uint32_t from, uint32_t to)
{
    return (from + 2 * (uint64_t)to + pairs->round) % 5 * pairs->scale;
}

static void take_pairs(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct pairs *pairs = context;
    const uint64_t *word = data;
    EXPECT(items * 16 <= 1 << 18 && items > 0);
    for (uint64_t i = 0; i < items; i++) {
        const uint64_t want = rank * UINT64_C(1000003) + pairs->self * UINT64_C(10007) + pairs->next[rank]++;
        EXPECT(word[2 * i] == want && word[2 * i + 1] == ~want);
    }
}

/* Writes the items of one of `parts` parts; returns their number. */
static uint64_t fill_part(const struct pairs *pairs, uint32_t ranks, uint64_t part, uint64_t parts, uint64_t *items,
                          uint64_t *word)
{
    uint64_t count = 0;
    for (uint32_t to = 0; to < ranks; to++) {
        const uint64_t all = items_of(pairs, pairs->self, to), end = all * (part + 1) / parts;
        uint64_t i = all * part / parts;
        items[to] = end - i;
        for (; i < end; i++, count++)
            word[2 * count + 1] = ~(word[2 * count] = pairs->self * UINT64_C(1000003) + to * UINT64_C(10007) + i);
    }
    return count;
}

/* A rank sends one part more than the rank before it. */
static void exchange_pairs(struct gws_transport *transport, struct pairs *pairs)
{
    const uint32_t self = pairs->self, ranks = gws_transport_ranks(transport);
    const uint64_t parts = gws_transport_overlaps(transport) ? 1 + self : 1;
    uint64_t items[64], *word = malloc((ranks * 4 * pairs->scale + 1) * 16);
    EXPECT(word != NULL);
    pairs->sum[0] = self == 0 ? 7 : 0;
    pairs->sum[1] = self;
    for (uint64_t part = 0; part < parts; part++) {
        const uint64_t count = fill_part(pairs, ranks, part, parts, items, word);
        const struct gws_exchange exchange = {.from = count ? word : NULL,
                                              .items = items,
                                              .item_bytes = 16,
                                              .receive = take_pairs,
                                              .context = pairs,
                                              .sum = pairs->sum,
                                              .sums = 2};
        if (part + 1 < parts) {
            gws_transport_exchange_part(transport, &exchange);
            gws_transport_exchange_drain(transport, &exchange);
        } else {
            gws_transport_exchange(transport, &exchange);
        }
    }
    EXPECT(pairs->sum[0] == 7 && pairs->sum[1] == (uint64_t)ranks * (ranks - 1) / 2);
    for (uint32_t from = 0; from < ranks; from++) EXPECT(pairs->next[from] == items_of(pairs, from, self));
    free(word);
}

static void test_exchange(struct gws_transport *transport)
{
    for (uint32_t round = 0; round < 6; round++) {
        struct pairs pairs = {.self = gws_transport_rank(transport), .round = round};
        pairs.scale = round == 5 ? 0 : round * round * 1100;
        exchange_pairs(transport, &pairs);
    }
}

static void take_all(void *context, uint32_t rank, const void *data, uint64_t items)
{
    uint64_t *next = context;
    for (uint64_t i = 0; i < items; i++) EXPECT(((const uint64_t *)data)[i] == rank * UINT64_C(1000000) + next[rank]++);
}

/* Rank r sends the same r * scale words to all others; each two ranks send a different number of parts. */
static void test_to_all(struct gws_transport *transport, uint64_t scale)
{
    const uint32_t self = gws_transport_rank(transport), ranks = gws_transport_ranks(transport);
    const uint64_t parts = gws_transport_overlaps(transport) ? 1 + self : 1, words = self * scale;
    uint64_t items[64], next[64] = {0}, sum = self, *word = malloc((words + 1) * sizeof *word);
    EXPECT(word != NULL);
    for (uint64_t i = 0; i < words; i++) word[i] = self * UINT64_C(1000000) + i;
    for (uint64_t part = 0; part < parts; part++) {
        const uint64_t begin = words * part / parts, end = words * (part + 1) / parts;
        for (uint32_t r = 0; r < ranks; r++) items[r] = r == self ? 0 : end - begin;
        const struct gws_exchange exchange = {.from = word + begin,
                                              .items = items,
                                              .item_bytes = 8,
                                              .to_all = true,
                                              .receive = take_all,
                                              .context = next,
                                              .sum = &sum,
                                              .sums = 1};
        if (part + 1 == parts) {
            gws_transport_exchange(transport, &exchange);
            break;
        }
        gws_transport_exchange_part(transport, &exchange);
        gws_transport_exchange_drain(transport, &exchange);
    }
    EXPECT(sum == (uint64_t)ranks * (ranks - 1) / 2);
    for (uint32_t r = 0; r < ranks; r++) EXPECT(next[r] == (r == self ? 0 : r * scale));
    free(word);
}

static void test_allgather(struct gws_transport *transport, uint64_t scale)
{
    const uint32_t self = gws_transport_rank(transport), ranks = gws_transport_ranks(transport);
    uint64_t words[64], at = 0, begin = 0, *all = calloc(256 * scale, sizeof *all);
    EXPECT(all != NULL);
    for (uint32_t r = 0; r < ranks; r++) {
        words[r] = 3 * r % 7 * scale;
        if (r < self) begin += words[r];
    }
    for (uint64_t i = 0; i < words[self]; i++) all[begin + i] = self * 100 + i;
    gws_transport_allgather(transport, all, words);
    for (uint32_t r = 0; r < ranks; r++)
        for (uint64_t i = 0; i < words[r]; i++) EXPECT(all[at++] == r * 100 + i);
    EXPECT(all[at] == 0);
    free(all);
}

/* Every rank writes words of its own, and reads those of the other ranks of the host. */
static void test_memory(struct gws_transport *transport)
{
    const uint32_t ranks = gws_transport_ranks(transport), self = gws_transport_rank(transport);
    uint64_t *base[max_test_ranks] = {0};
    struct gws_transport_memory *memory = NULL;
    EXPECT(gws_transport_memory_open(transport, self * 1000, base, &memory) == GWS_OK);
    for (uint32_t i = 0; i < self * 1000; i++) {
        EXPECT(base[self][i] == 0);
        base[self][i] = self + i;
    }
    EXPECT(gws_transport_agree(transport, GWS_OK) == GWS_OK);
    for (uint32_t r = 0; r < ranks; r++) {
        EXPECT(base[r] != NULL);
        for (uint32_t i = 0; i < r * 1000; i++) EXPECT(base[r][i] == r + i);
    }
    EXPECT(gws_transport_agree(transport, GWS_OK) == GWS_OK);
    gws_transport_memory_close(transport, memory);
}

/* Every rank writes its part of the same words. Later calls return the same memory, or more. */
static void test_scratch(struct gws_transport *transport)
{
    const uint32_t ranks = gws_transport_ranks(transport), self = gws_transport_rank(transport);
    struct gws_transport_links links;
    for (uint64_t words = 100 * ranks; words > 0; words = words < 1000 * ranks ? 10 * words : 0) {
        uint64_t *at = gws_transport_scratch(transport, words);
        EXPECT(at && gws_transport_scratch(transport, words - 1) == at);
        gws_transport_describe_links(transport, &links);
        EXPECT(links.shared_bytes >= words * sizeof *at);
        for (uint64_t i = self; at && i < words; i += ranks) at[i] = words + i;
        EXPECT(gws_transport_agree(transport, GWS_OK) == GWS_OK);
        for (uint64_t i = 0; at && i < words; i++) EXPECT(at[i] == words + i);
        EXPECT(gws_transport_agree(transport, GWS_OK) == GWS_OK);
    }
    EXPECT(gws__links_open(transport, gws__link_auto, 1) == GWS_OK); /* as if each rank had a host of its own */
    EXPECT((gws_transport_scratch(transport, 1) != NULL) == (ranks == 1));
    EXPECT(gws_transport_choose_links(transport, NULL) == GWS_OK);
}

/* ---- waits ---- */

/* What the lines about waits are to say of rank 1, which then goes on. The words lie in memory of rank 0. */
struct watched {
    pthread_mutex_t lock;
    const char *wanted;                    /* NULL: nothing */
    _Atomic(uint64_t) *reported, *process; /* process: rank 1 stops itself; 0: it sleeps */
};
static struct watched watched[64];

static void note_wait(void *context, const char *line)
{
    struct watched *self = context;
    pthread_mutex_lock(&self->lock);
    const char *found = self->wanted ? strstr(line, ", rank 1 elsewhere after call ") : NULL;
    if (found && strstr(line, self->wanted)) {
        const uint64_t process = atomic_load(self->process);
        atomic_store(self->reported, 1);
        if (process != 0) (void)kill((pid_t)process, SIGCONT);
    }
    pthread_mutex_unlock(&self->lock);
}

static void wait_as_rank_1(struct watched *self, bool stops)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    if (stops) {
        atomic_store(self->process, (uint64_t)getpid());
        EXPECT(raise(SIGSTOP) == 0);
    }
    while (!atomic_load(self->reported)) (void)nanosleep(&moment, NULL);
}

/* Rank 1 comes to a sum only when another rank has reported about it. stops: it stops its process. */
static void test_wait(struct gws_transport *transport, bool stops)
{
    const uint32_t rank = gws_transport_rank(transport), ranks = gws_transport_ranks(transport);
    struct watched *self = &watched[rank];
    struct gws_transport_memory *memory;
    uint64_t *base[64], sum = 1;
    EXPECT(gws_transport_memory_open(transport, 2, base, &memory) == GWS_OK);
    pthread_mutex_lock(&self->lock);
    self->wanted = stops ? " (does not run)" : "in sum, call ";
    self->reported = (_Atomic(uint64_t) *)base[0];
    self->process = self->reported + 1;
    pthread_mutex_unlock(&self->lock);
    if (rank == 1) wait_as_rank_1(self, stops);
    gws_transport_sum(transport, &sum, 1);
    EXPECT(sum == ranks);
    pthread_mutex_lock(&self->lock);
    self->wanted = NULL;
    pthread_mutex_unlock(&self->lock);
    gws_transport_memory_close(transport, memory);
}

static void begin_watch(struct gws_transport *transport)
{
    struct watched *self = &watched[gws_transport_rank(transport)];
    *self = (struct watched){.wanted = NULL};
    EXPECT(pthread_mutex_init(&self->lock, NULL) == 0);
    EXPECT(gws_transport_watch(transport, 80, note_wait, self) == GWS_OK);
}

static void test_delayed(struct gws_transport *transport, void *context)
{
    (void)context;
    begin_watch(transport);
    test_wait(transport, false);
}

static void test_all(struct gws_transport *transport, void *context)
{
    (void)context;
    check_windows(transport);
    EXPECT(*gws_transport_name(transport));
    EXPECT(gws_transport_ranks_here(transport) == gws_transport_ranks(transport));
    EXPECT(gws_transport_rank_here(transport) == gws_transport_rank(transport));
    struct gws_transport_links links;
    for (int i = 0; i < 3; i++) { /* with shared memory, where there is some, and without */
        EXPECT(gws_transport_choose_links(transport, i == 1 ? "messages" : NULL) == GWS_OK);
        test_messages(transport);
        test_quiesce(transport);
        test_collectives(transport);
        test_exchange(transport);
        test_to_all(transport, 30);
        test_to_all(transport, 20000);
        test_allgather(transport, 1);
        test_allgather(transport, 15000);
        test_memory(transport);
        EXPECT(gws__transport_shares(transport) == (i != 1));
        gws_transport_describe_links(transport, &links);
        EXPECT(links.by_shared + links.by_messages == gws_transport_ranks(transport) - 1);
        EXPECT((i == 1 ? links.by_shared : links.by_messages) == 0 && links.shared_bytes == 0);
        if (i != 1)
            test_scratch(transport);
        else
            EXPECT(!gws_transport_scratch(transport, 1));
    }
}

START_TEST(test_threads)
{
    run_ranks(1, 0, test_all, NULL);
    run_ranks(2, 4, test_all, NULL);
    run_ranks(5, 2, test_all, NULL);
}
END_TEST

START_TEST(test_waits)
{
    ck_assert_int_eq(gws_transport_watch(NULL, 80, note_wait, NULL), GWS_OK);
    run_ranks(2, 0, test_delayed, NULL);
    run_ranks(4, 0, test_delayed, NULL);
}
END_TEST

static Suite *transport_suite(void)
{
    Suite *suite = suite_create("transport");
    TCase *tests = tcase_create("transport");
    tcase_add_test(tests, test_launched);
    tcase_add_test(tests, test_missing);
    tcase_add_test(tests, test_threads);
    tcase_add_test(tests, test_waits);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    uint32_t rank, ranks;
    if (!gws_transport_launched(&rank, &ranks)) return gws_test_main(transport_suite);
    struct gws_transport *transport;
    struct gws_diagnostic where = {0};
    gws_status status = gws_transport_open(&transport, &where);
    if (status != GWS_OK) {
        fprintf(stderr, "%s\n", where.message);
        return EXIT_FAILURE;
    }
    EXPECT(gws_transport_rank(transport) == rank);
    test_all(transport, NULL);
    begin_watch(transport);
    test_wait(transport, false);
    test_wait(transport, true);
    gws_transport_close(transport);
    return EXIT_SUCCESS;
}
