/* SPDX-License-Identifier: MIT */
/* A CUDA device that is played: its memory is this program's, and of its kernels it knows those for meshes with rows at
 * the host (kernels/cuda/bfs_mesh_host.cu, bfs_mesh_paged.cu), as a serial search that keeps to mesh_words.cuh. So
 * the host's side of such searches is tested where there is no such device. */
#ifndef GWS_TESTS_TRAVERSAL_PLAYED_CUDA_H
#define GWS_TESTS_TRAVERSAL_PLAYED_CUDA_H

#include "../shapes.h"

#include "../../../../../kernels/kernels.h"
#include "../../../../../lib/device/kind.h"
#include "../../../../../traversal/graph/bfs/device/state.h"

enum { played_units = 32, played_cluster = 16, played_most = 32 /* arguments that a kernel takes */ };

struct played {
    struct gws_device base;
    struct gws_stream own;
    uint64_t memory, used;   /* bytes that it has, and of its buffers */
    uint32_t buffers;        /* that are there, shared ones among them */
    uint32_t calls, fail_at; /* of those that make something; this one fails; 0: none does */
    uint32_t launches;
    bool too_wide;             /* tells that levels were too wide */
    uint32_t places, carriers; /* for pages, of the last launch */
    char kernel[40];
    uint64_t near_reads, far_reads; /* rows */
};

static inline struct played *played_of(struct gws_device *device)
{
    return (struct played *)device;
}

/* ---- memory ---- */

static inline bool played_fails(struct played *played)
{
    return ++played->calls == played->fail_at;
}

static inline gws_status played_new(struct gws_device_buffer *buffer, bool shared)
{
    struct played *played = played_of(buffer->device);
    const uint64_t bytes = buffer->bytes;
    if (played_fails(played) || (!shared && played->used + bytes > played->memory)) return GWS_NO_MEMORY;
    buffer->native = malloc(bytes ? bytes : 1);
    memset(buffer->native, 0xa5, bytes ? bytes : 1);
    if (shared) buffer->host = buffer->native;
    played->used += shared ? 0 : bytes;
    played->buffers++;
    return GWS_OK;
}

static inline gws_status played_buffer_new(struct gws_device_buffer *buffer, struct gws_where *where)
{
    (void)where;
    return played_new(buffer, false);
}

static inline gws_status played_shared_new(struct gws_device_buffer *buffer, struct gws_where *where)
{
    (void)where;
    return played_new(buffer, true);
}

static inline void played_free(struct gws_device_buffer *buffer)
{
    struct played *played = played_of(buffer->device);
    played->used -= buffer->held ? buffer->bytes : 0;
    played->buffers--;
    free(buffer->native);
}

static inline gws_status played_left(struct gws_device *device, uint64_t *bytes, struct gws_where *where)
{
    (void)where;
    *bytes = played_of(device)->memory - played_of(device)->used;
    return GWS_OK;
}

static inline char *played_at(struct gws_device_buffer *buffer, uint64_t offset)
{
    return (char *)buffer->native + offset;
}

static inline gws_status played_transfer(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t offset,
                                         const void *from, void *to, uint64_t bytes, struct gws_where *where)
{
    (void)stream;
    (void)where;
    if (played_fails(played_of(buffer->device))) return GWS_DEVICE;
    if (from)
        memcpy(played_at(buffer, offset), from, bytes);
    else
        memcpy(to, played_at(buffer, offset), bytes);
    return GWS_OK;
}

static inline gws_status played_fill(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t first,
                                     uint32_t word, uint64_t count, struct gws_where *where)
{
    (void)stream;
    (void)where;
    for (uint64_t i = first; i < first + count; i++) memcpy(played_at(buffer, i * 4), &word, 4);
    return GWS_OK;
}

/* ---- the kernel ---- */

/* Its parameters, in their order. */
struct played_mesh {
    struct played *played;
    uint64_t vertices, rows, stride;
    const uint32_t (*near)[4], (*far)[4];
    uint32_t *depth, *parent, *level_size, *told;
    const uint32_t *source;
    uint32_t searches, kept;
    uint64_t *stats;
    /* The search. */
    uint32_t *visited, *queue, *from;
};

/* Check takes note of every assertion, which takes long in a kernel. */
static inline void played_must(bool holds)
{
    if (!holds) ck_abort_msg("the rows are not what they should be");
}

static inline const uint32_t *played_row(const struct played_mesh *mesh, uint64_t number)
{
    bool near = number < mesh->kept;
    played_must(number < mesh->rows);
    *(near ? &mesh->played->near_reads : &mesh->played->far_reads) += 1;
    return near ? mesh->near[number] : mesh->far[number - mesh->kept];
}

static inline bool played_claim(const struct played_mesh *mesh, uint32_t vertex)
{
    uint32_t bit = 1u << vertex % 32, before = mesh->visited[vertex / 32];
    played_must(vertex < mesh->vertices);
    mesh->visited[vertex / 32] |= bit;
    return !(before & bit);
}

/* Claims what a row leads to, and its further rows. Returns how many. */
static inline uint32_t played_visit(const struct played_mesh *mesh, uint32_t vertex, uint32_t level, uint32_t *found)
{
    uint32_t count = 0;
    uint64_t number = vertex;
    for (bool more = true; more;) {
        const uint32_t *row = played_row(mesh, number);
        more = false;
        for (int i = 0; i < 4; i++) {
            if (row[i] == UINT32_MAX) continue;
            if (row[i] >> 31) {
                played_must(i == 3);
                number = mesh->vertices + (row[i] & INT32_MAX);
                more = true;
            } else if (played_claim(mesh, row[i])) {
                mesh->depth[row[i]] = level + 1;
                mesh->parent[row[i]] = vertex;
                found[count++] = row[i];
            }
        }
    }
    return count;
}

static inline void played_search(struct played_mesh *mesh, uint32_t source)
{
    uint32_t size = 1, level = 0, reached = 0;
    memset(mesh->visited, 0, (mesh->vertices + 31) / 32 * 4);
    played_must(played_claim(mesh, source));
    mesh->depth[source] = 0;
    mesh->parent[source] = source;
    mesh->from = mesh->queue;
    mesh->from[0] = source;
    for (; size > 0; level++) {
        uint32_t found = 0, *next = mesh->from + size;
        for (uint32_t i = 0; i < size; i++) found += played_visit(mesh, mesh->from[i], level, next + found);
        mesh->level_size[level] = size;
        mesh->stats[0] += size;
        reached += size;
        mesh->from = next;
        size = found;
    }
    for (uint64_t v = 0; v < mesh->vertices; v++)
        if (!(mesh->visited[v / 32] >> v % 32 & 1)) mesh->depth[v] = mesh->parent[v] = UINT32_MAX;
    const uint32_t told[] = {level, reached, 0, mesh->played->too_wide ? reached : 0};
    memcpy(mesh->told, told, sizeof told);
}

static inline void *played_pointer(const struct gws_device_argument *argument)
{
    ck_assert_ptr_nonnull(argument->buffer);
    return argument->buffer->native;
}

static inline uint64_t played_value(const struct gws_device_argument *argument, uint64_t bytes)
{
    uint64_t value = 0;
    ck_assert_ptr_nonnull(argument->value);
    ck_assert_uint_eq(argument->bytes, bytes);
    memcpy(&value, argument->value, bytes);
    return value;
}

/* What kernels are given whose rows come in pages, as kernels/cuda/mesh_pages.cuh says: eight rows share a place, of
 * which there are two; and what the host clears is clear. */
static inline void played_pages(const struct played_mesh *mesh, const struct gws_device_argument *argument)
{
    enum { way_bytes = 32, ring_words = (16 * 1024 + 4) * 2 };
    uint64_t places = played_value(&argument[1], 4), pages = (mesh->rows + 31) / 32;
    const uint32_t *control = played_pointer(&argument[4]);
    played_pointer(&argument[0]);
    ck_assert_uint_eq(places % 32, 0);
    ck_assert_uint_ge(places * 8, mesh->rows - mesh->kept);
    ck_assert_uint_eq(mesh->kept % 32, 0);
    ck_assert_uint_ge(argument[0].buffer->bytes, places * way_bytes);
    ck_assert_uint_ge(argument[4].buffer->bytes, (ring_words + pages + places / 32) * 4);
    ck_assert_uint_ge(played_value(&argument[3], 4), 1);
    mesh->played->places = (uint32_t)places;
    mesh->played->carriers = (uint32_t)played_value(&argument[2], 4);
    for (uint64_t i = 0; i < ring_words - 4; i++) played_must(control[i] == 0);
}

/* arguments: those that are parameters. */
static inline struct played_mesh played_read_arguments(struct played *played,
                                                       const struct gws_device_argument *argument, uint32_t arguments)
{
    struct played_mesh mesh = {.vertices = played_value(&argument[0], 8), .rows = played_value(&argument[1], 8)};
    mesh.near = played_pointer(&argument[2]);
    mesh.depth = played_pointer(&argument[3]);
    mesh.parent = played_pointer(&argument[4]);
    mesh.level_size = played_pointer(&argument[5]);
    mesh.source = played_pointer(&argument[9]);
    mesh.searches = (uint32_t)played_value(&argument[10], 4);
    mesh.stride = played_value(&argument[11], 8);
    mesh.told = played_pointer(&argument[12]);
    mesh.stats = played_pointer(&argument[13]);
    ck_assert_uint_gt(played_value(&argument[14], 4), 0);
    mesh.far = played_pointer(&argument[15]);
    mesh.kept = (uint32_t)played_value(&argument[16], 4);
    const bool paged = arguments == 22;
    mesh.played = played;
    played->places = 0;
    if (paged) played_pages(&mesh, argument + 17);
    ck_assert_uint_eq(arguments, paged ? 22 : 17);
    return mesh;
}

static inline gws_status played_run(struct gws_stream *stream, const struct gws_device_launch *launch,
                                    struct gws_where *where)
{
    (void)where;
    struct played *played = played_of(stream->device);
    struct gws_device_argument argument[played_most];
    uint32_t arguments = 0;
    if (played_fails(played)) return GWS_DEVICE;
    ck_assert_int_eq(strncmp(launch->kernel, "bfs_mesh_", 9), 0);
    for (uint32_t i = 0; i < launch->arguments; i++)
        if (launch->argument[i].buffer || launch->argument[i].value) argument[arguments++] = launch->argument[i];
    struct played_mesh mesh = played_read_arguments(played, argument, arguments);
    mesh.visited = malloc((mesh.vertices + 31) / 32 * 4);
    mesh.queue = malloc((mesh.vertices + 1) * 4);
    for (uint32_t i = 0; i < mesh.searches; i++) {
        played_search(&mesh, mesh.source[i]);
        mesh.depth += mesh.stride;
        mesh.parent += mesh.stride;
        mesh.level_size += mesh.stride;
        mesh.told += 4;
    }
    free(mesh.visited);
    free(mesh.queue);
    played->launches++;
    snprintf(played->kernel, sizeof played->kernel, "%s", launch->kernel);
    return GWS_OK;
}

/* ---- the rest ---- */

static inline gws_status played_build(struct gws_device_program *program, const struct gws_device_source *source,
                                      struct gws_where *where)
{
    (void)source;
    (void)where;
    played_of(program->device)->buffers++;
    return played_fails(played_of(program->device)) ? GWS_NO_MEMORY : GWS_OK;
}

static inline void played_program_free(struct gws_device_program *program)
{
    played_of(program->device)->buffers--;
}

static inline gws_status played_resident(struct gws_device *device, const struct gws_device_launch *launch,
                                         uint64_t local_bytes, uint64_t *groups, struct gws_where *where)
{
    (void)device;
    (void)local_bytes;
    (void)where;
    *groups = launch->cluster ? played_units : played_units * 8;
    return GWS_OK;
}

static inline gws_status played_poll(struct gws_stream *stream, bool *done, struct gws_where *where)
{
    (void)stream;
    (void)where;
    *done = true;
    return GWS_OK;
}

static const struct gws_device_calls played_calls = {
    .buffer_bytes = sizeof(struct gws_device_buffer),
    .program_bytes = sizeof(struct gws_device_program),
    .part_bytes = UINT64_MAX,
    .buffer_new = played_buffer_new,
    .shared_new = played_shared_new,
    .memory_left = played_left,
    .buffer_free = played_free,
    .transfer = played_transfer,
    .fill = played_fill,
    .program_build = played_build,
    .program_free = played_program_free,
    .resident = played_resident,
    .run = played_run,
    .poll = played_poll,
};

/* A device of so much memory. */
static inline void played_open(struct played *played, struct gws_runtime *runtime, uint64_t memory)
{
    *played = (struct played){.memory = memory};
    played->base = (struct gws_device){
        .call = &played_calls, .owner = getpid(), .runtime = runtime, .limit_ms = 60000, .track = GWS_TRACE_NONE};
    played->own.device = &played->base;
    played->base.own = &played->own;
    struct gws_device_info *info = &played->base.info;
    *info = (struct gws_device_info){
        .api = GWS_DEVICE_CUDA, .type = GWS_DEVICE_GPU, .svm = GWS_SVM_FINE, .version = 900, .warp = 32};
    snprintf(info->address, sizeof info->address, "cuda:0");
    info->units = info->groups = played_units;
    info->max_cluster = played_cluster;
    info->max_group_size = 1024;
    info->memory = info->max_buffer = memory;
    info->max_shared = (uint64_t)1 << 40;
}

static inline void played_close(const struct played *played)
{
    ck_assert_uint_eq(played->buffers, 0);
    ck_assert_uint_eq(played->used, 0);
}

/* This build has the kernels' names; false, after a line that says so, if not. */
static inline bool played_can(void)
{
    bool can = gws__kernel_program_find("bfs_mesh_host") != NULL;
    if (!can) printf("skipped: a build without CUDA\n");
    return can;
}

#endif
