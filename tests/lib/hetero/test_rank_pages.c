/* SPDX-License-Identifier: MIT */
/* Memory that moves into files, and rank 0's mappings of it: with ranks that are processes, as under mpirun; where the
 * system refuses each call in turn; and in a search, which then gives the same result without. */
#define _GNU_SOURCE
#include "../transport/rank_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../../../lib/base/memory.h"
#include "../../../lib/hetero/rank_pages.h"

/* ---- a system that refuses ----
 *
 * These functions stand before the C library's. When armed, the call number fail_at of them all fails. */

static atomic_uint calls, fail_at;
static atomic_bool armed, other_file; /* other_file: /proc has another file at the place, as in another container */

static bool refuses(int why)
{
    if (!atomic_load(&armed) || atomic_fetch_add(&calls, 1) + 1 != atomic_load(&fail_at)) return false;
    errno = why;
    return true;
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): the names of the C library are reserved */

int memfd_create(const char *name, unsigned flags)
{
    return refuses(EPERM) ? -1 : (int)syscall(SYS_memfd_create, name, flags);
}

int ftruncate(int file, off_t bytes)
{
    return refuses(ENOSPC) ? -1 : (int)syscall(SYS_ftruncate, file, bytes);
}

ssize_t pwrite(int file, const void *data, size_t bytes, off_t at)
{
    return refuses(ENOSPC) ? -1 : syscall(SYS_pwrite64, file, data, bytes, at);
}

void *mmap(void *at, size_t bytes, int access, int flags, int file, off_t from)
{
    return refuses(ENOMEM) ? MAP_FAILED : (void *)syscall(SYS_mmap, at, bytes, access, flags, file, from);
}

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    const unsigned mode = va_arg(more, unsigned);
    va_end(more);
    if (atomic_load(&other_file) && strncmp(path, "/proc/", 6) == 0) path = "/dev/zero";
    return refuses(EACCES) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

/* Returns whether a call was refused since. */
static bool disarm(void)
{
    atomic_store(&armed, false);
    return atomic_load(&fail_at) > 0 && atomic_load(&calls) >= atomic_load(&fail_at);
}

static void arm(unsigned at)
{
    atomic_store(&calls, 0);
    atomic_store(&fail_at, at);
    atomic_store(&armed, true);
}

/* ---- moving ---- */

static char byte_at(uint64_t seed, uint64_t i)
{
    return (char)(seed + i + i / 251);
}

static void write_bytes(char *memory, uint64_t bytes, uint64_t seed)
{
    for (uint64_t i = 0; i < bytes; i++) memory[i] = byte_at(seed, i);
}

static bool has_bytes(const char *memory, uint64_t bytes, uint64_t seed)
{
    for (uint64_t i = 0; i < bytes; i++)
        if (memory[i] != byte_at(seed, i)) return false;
    return true;
}

static const uint64_t sizes[] = {0, 1, 100, 4096, 12345, 100000, 5000000};
enum { size_count = sizeof sizes / sizeof *sizes };

/* An array keeps its address and contents, also if the system refuses a call in the middle. */
START_TEST(test_move)
{
    const uint64_t bytes = sizes[_i];
    bool failed = true;
    for (unsigned k = 0; k == 0 || failed; k++) {
        char *memory = gws__memory_new(&gws__memory_default, bytes, 1);
        struct gws__pages pages;
        write_bytes(memory, bytes, k);
        arm(k);
        const bool done = gws__pages_move(&pages, &gws__memory_default, memory, bytes);
        failed = disarm();
        ck_assert(done != failed && pages.complete == done);
        ck_assert(has_bytes(memory, bytes, k));
        write_bytes(memory, bytes, k + 1);
        ck_assert(has_bytes(memory, bytes, k + 1));
        gws__pages_restore(&pages);
        ck_assert(!pages.opened);
        write_bytes(memory, bytes, k + 2);
        gws__memory_free(&gws__memory_default, memory, bytes, 1);
    }
}
END_TEST

/* Pages of another allocator may lie anywhere. */
START_TEST(test_allocator)
{
    struct gws_test_memory memory = {0};
    const struct gws_allocator allocator = gws_test_allocator(&memory);
    struct gws__pages pages;
    char *array = gws__memory_new(&allocator, 10000, 1);
    write_bytes(array, 10000, 1);
    ck_assert(!gws__pages_move(&pages, &allocator, array, 10000));
    gws__pages_restore(&pages);
    ck_assert(has_bytes(array, 10000, 1));
    gws__memory_free(&allocator, array, 10000, 1);
    gws_test_memory_check(&memory);
}
END_TEST

/* ---- ranks that are processes ---- */

enum { processes = 3, arrays = 2, gathered_bytes = 1024 };

struct hub {
    pthread_barrier_t barrier;
    uint64_t value[processes];
    char gathered[processes][gathered_bytes];
};

struct process {
    struct hub *hub;
    uint32_t rank;
};

static void wait_for_all(const struct process *self)
{
    (void)pthread_barrier_wait(&self->hub->barrier);
}

/* Of one number, the maximum. */
static void reduce(void *state, uint64_t *value, uint32_t count, enum gws__transport_operation operation)
{
    const struct process *self = state;
    RANK_EXPECT(count == 1 && operation == GWS__TRANSPORT_MAX);
    self->hub->value[self->rank] = *value;
    wait_for_all(self);
    for (uint32_t r = 0; r < processes; r++)
        if (self->hub->value[r] > *value) *value = self->hub->value[r];
    wait_for_all(self);
}

static void gather(void *state, const void *from, size_t bytes, void *to)
{
    const struct process *self = state;
    RANK_EXPECT(bytes <= gathered_bytes);
    memcpy(self->hub->gathered[self->rank], from, bytes);
    wait_for_all(self);
    for (uint32_t r = 0; self->rank == 0 && r < processes; r++)
        memcpy((char *)to + r * bytes, self->hub->gathered[r], bytes);
    wait_for_all(self);
}

static const struct gws__transport_kind kind = {.reduce = reduce, .gather = gather};

/* What the system refuses. */
enum refusal { NOTHING, A_CALL, OTHER_USER, OTHER_NAMESPACE };

struct job {
    enum refusal refusal;
    uint32_t rank; /* that fails, with A_CALL */
    unsigned k;
};

/* Rank 0 must not open the files of a process of another user, or of one that forbids it. */
static void separate_users(uint32_t rank)
{
    const uid_t nobody = 65534;
    if (rank > 0)
        RANK_EXPECT(prctl(PR_SET_DUMPABLE, 0) == 0);
    else if (getuid() == 0)
        RANK_EXPECT(setuid(nobody) == 0);
}

static uint64_t bytes_of(uint32_t rank, uint32_t i)
{
    static const uint64_t second[processes] = {20000, 0, 2200000};
    return i == 0 ? 9000 + rank : second[rank];
}

enum { page = 4096, written = 100 };

/* The first whole page of an array, of which rank 0 writes some bytes. */
static char *shared_page(char *memory)
{
    return memory + (page - (uintptr_t)memory % page) % page;
}

/* Rank 0 reads the arrays of all ranks, and the others read what it writes. */
static void check_mapped(struct gws_transport *transport, char *const memory[arrays],
                         const struct gws__mapped_pages *all)
{
    const uint32_t rank = gws_transport_rank(transport);
    for (uint32_t r = 0; rank == 0 && r < processes; r++)
        for (uint32_t i = 0; i < arrays; i++) {
            char *seen = all[r * arrays + i].memory;
            RANK_EXPECT(bytes_of(r, i) == 0 ? !seen : has_bytes(seen, bytes_of(r, i), r));
            if (seen) write_bytes(shared_page(seen), written, 77);
        }
    (void)gws_transport_agree(transport, GWS_OK);
    for (uint32_t i = 0; i < arrays; i++)
        RANK_EXPECT(bytes_of(rank, i) == 0 || has_bytes(shared_page(memory[i]), written, 77));
}

/* Returns whether the memory was mapped, the same on all ranks, with a refused call or without. */
static bool run_rank(struct gws_transport *transport, const struct job *job, bool *failed)
{
    struct gws__pages pages[arrays];
    struct gws__mapped_pages all[processes * arrays];
    char *memory[arrays];
    const uint32_t rank = gws_transport_rank(transport);
    bool done = true;
    if (job->refusal == OTHER_USER) separate_users(rank);
    for (uint32_t i = 0; i < arrays; i++) {
        memory[i] = gws__memory_new(&gws__memory_default, bytes_of(rank, i), 1);
        write_bytes(memory[i], bytes_of(rank, i), rank);
    }
    arm(job->refusal == A_CALL && job->rank == rank ? job->k : 0);
    atomic_store(&other_file, job->refusal == OTHER_NAMESPACE);
    for (uint32_t i = 0; i < arrays; i++)
        done &= gws__pages_move(&pages[i], &gws__memory_default, memory[i], bytes_of(rank, i));
    const bool mapped = gws__pages_map(transport, pages, arrays, rank == 0 ? all : NULL);
    *failed = disarm();
    RANK_EXPECT(done || !mapped);
    for (uint32_t i = 0; i < arrays; i++) RANK_EXPECT(has_bytes(memory[i], bytes_of(rank, i), rank));
    (void)gws_transport_agree(transport, GWS_OK);
    if (mapped) check_mapped(transport, memory, all);
    for (uint32_t i = 0; i < arrays; i++) {
        gws__pages_restore(&pages[i]);
        gws__memory_free(&gws__memory_default, memory[i], bytes_of(rank, i), 1);
    }
    (void)gws_transport_agree(transport, GWS_OK);
    for (uint32_t r = 1; mapped && rank == 0 && r < processes; r++) /* the mappings remain valid */
        RANK_EXPECT(has_bytes(shared_page(all[r * arrays].memory), written, 77));
    if (mapped && rank == 0) gws__pages_unmap(all, processes * (uint64_t)arrays);
    return mapped;
}

enum { was_mapped = 1, had_failed = 2 }; /* exit status of a process */

static int run_process(struct hub *hub, uint32_t rank, const struct job *job)
{
    struct process self = {hub, rank};
    struct gws_transport transport = {
        .kind = &kind, .state = &self, .info = {.rank = rank, .ranks = processes, .here = processes}};
    bool failed = false;
    const bool mapped = run_rank(&transport, job, &failed);
    return (mapped ? was_mapped : 0) + (failed ? had_failed : 0);
}

/* Runs a job. Returns whether rank 0 mapped all memory; *failed: a call was refused. */
static bool run_job(const struct job *job, bool *failed)
{
    pthread_barrierattr_t shared;
    pid_t pid[processes];
    int all = was_mapped, any = 0;
    struct hub *hub = mmap(NULL, sizeof *hub, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(hub, MAP_FAILED);
    pthread_barrierattr_init(&shared);
    pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&hub->barrier, &shared, processes);
    for (uint32_t r = 0; r < processes; r++) {
        pid[r] = fork();
        if (pid[r] == 0) _exit(run_process(hub, r, job));
    }
    for (uint32_t r = 0; r < processes; r++) {
        int status = 0;
        ck_assert_int_eq(waitpid(pid[r], &status, 0), pid[r]);
        ck_assert(WIFEXITED(status));
        any |= WEXITSTATUS(status);
        all &= WEXITSTATUS(status);
    }
    ck_assert_int_eq(any & was_mapped, all); /* the same on all ranks */
    *failed = any & had_failed;
    munmap(hub, sizeof *hub);
    return all;
}

START_TEST(test_map)
{
    bool failed;
    ck_assert(run_job(&(struct job){.refusal = NOTHING}, &failed));
}
END_TEST

START_TEST(test_refused)
{
    bool failed = true;
    for (struct job job = {A_CALL, (uint32_t)_i, 1}; failed; job.k++) ck_assert(run_job(&job, &failed) != failed);
    ck_assert(!run_job(&(struct job){.refusal = OTHER_USER}, &failed));
    ck_assert(!run_job(&(struct job){.refusal = OTHER_NAMESPACE}, &failed));
}
END_TEST

/* ---- a search ---- */

struct subject {
    const struct gws_graph *whole;
    uint32_t *depth, *parent; /* of the search with all calls */
    unsigned k;
    bool failed;
};

static gws_status search(struct rank_calls *rank_calls, struct gws_runtime *runtime, struct gws_transport *transport)
{
    struct subject *self = rank_calls->context;
    const uint32_t rank = gws_transport_rank(transport);
    struct gws_rank_graph *graph = NULL;
    struct gws_rank_bfs_result result = {0};
    RANK_EXPECT(gws_rank_graph_spread(runtime, transport, rank == 0 ? self->whole : NULL, &graph, NULL) == GWS_OK);
    if (rank == 0) arm(self->k);
    (void)gws_transport_agree(transport, GWS_OK);
    gws_status status = gws_rank_bfs(runtime, graph, 0, GWS_BFS_AUTO, &result, NULL);
    (void)gws_transport_agree(transport, GWS_OK);
    if (rank == 0) self->failed = disarm();
    (void)gws_transport_agree(transport, GWS_OK);
    RANK_EXPECT(status == GWS_OK && (result.walked == 0) == self->failed);
    for (uint64_t row = 0; row < graph->rows; row++) {
        if (self->k == 0) self->depth[graph->first + row] = result.depth[row];
        if (self->k == 0) self->parent[graph->first + row] = result.parent[row];
        RANK_EXPECT(result.depth[row] == self->depth[graph->first + row]);
        RANK_EXPECT(result.parent[row] == self->parent[graph->first + row]);
    }
    if (self->k == 0) status = gws_rank_bfs_check(runtime, graph, &result, NULL);
    gws_rank_bfs_result_clear(&result);
    gws_rank_graph_destroy(graph);
    return status;
}

/* If the system refuses a call to either rank, all ranks run the levels, with the same result. */
START_TEST(test_search)
{
    struct gws_runtime *runtime = NULL;
    struct gws_graph *whole = NULL;
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    ck_assert_int_eq(gws_graph_generate(runtime, "grid:600x3", &whole, NULL), GWS_OK);
    struct subject self = {.whole = whole, .failed = true};
    self.depth = calloc(whole->vertices, sizeof *self.depth);
    self.parent = calloc(whole->vertices, sizeof *self.parent);
    struct rank_calls rank_calls = {.body = search, .context = &self, .rank = UINT32_MAX, .threads = 1};
    do ck_assert_int_eq(run_rank_calls(&rank_calls, 2), GWS_OK);
    while (self.k++ == 0 || self.failed);
    ck_assert_uint_ge(self.k, 10);
    free(self.depth);
    free(self.parent);
    gws_graph_destroy(whole);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_move, size_count},   {test_allocator, 1}, {test_map, 1},
                                    {test_refused, processes}, {test_search, 1},    {0}};
    return gws_test_run("rank_pages", test);
}
