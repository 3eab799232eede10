/* SPDX-License-Identifier: MIT */
/* An emulated CUDA device, whose memory is host memory. A serial search that follows mesh_words.cuh replaces the mesh
 * kernels with rows in host memory (kernels/cuda/bfs_mesh_host.cu, bfs_mesh_paged.cu). So the tests of the host's side
 * of such searches need no CUDA device. */
#ifndef GWS_TESTS_TRAVERSAL_EMULATED_CUDA_H
#define GWS_TESTS_TRAVERSAL_EMULATED_CUDA_H

#include "../shapes.h"

#include "../../../../../kernels/kernels.h"
#include "../../../../../lib/device/kind.h"
#include "../../../../../traversal/graph/bfs/device/state.h"

enum {
    emulated_units = 32,
    emulated_cluster = 16,
    emulated_max_arguments = 32 /* maximal number of kernel arguments */
};

struct emulated {
    struct gws_device base;
    struct gws_stream own;
    uint64_t memory, used;   /* bytes of the device, and bytes of its buffers */
    uint32_t buffers;        /* existing buffers, including shared ones */
    uint32_t calls, fail_at; /* calls: number of calls that create an object; fail_at: the call that fails, 0: none */
    uint32_t launches;
    bool too_wide;                     /* the summary reports levels that were too wide */
    uint32_t slots, prefetch_clusters; /* the row cache's slots and prefetch clusters in the last launch */
    char kernel[40];
    uint64_t device_reads, host_reads; /* rows that the kernel has read on the device and on the host */
};

static inline struct emulated *emulated_of(struct gws_device *device)
{
    return (struct emulated *)device;
}

/* ---- memory ---- */

static inline bool emulated_fails(struct emulated *emulated)
{
    return ++emulated->calls == emulated->fail_at;
}

static inline gws_status emulated_new(struct gws_device_buffer *buffer, bool shared, struct gws_diagnostic *where)
{
    struct emulated *emulated = emulated_of(buffer->device);
    const uint64_t bytes = buffer->bytes;
    if (emulated_fails(emulated) || (!shared && emulated->used + bytes > emulated->memory))
        return gws_diagnostic_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s: full", buffer->device->info.address);
    buffer->native = malloc(bytes ? bytes : 1);
    memset(buffer->native, 0xa5, bytes ? bytes : 1);
    if (shared) buffer->host = buffer->native;
    emulated->used += shared ? 0 : bytes;
    emulated->buffers++;
    return GWS_OK;
}

static inline gws_status emulated_buffer_new(struct gws_device_buffer *buffer, struct gws_diagnostic *where)
{
    return emulated_new(buffer, false, where);
}

static inline gws_status emulated_shared_new(struct gws_device_buffer *buffer, struct gws_diagnostic *where)
{
    return emulated_new(buffer, true, where);
}

static inline void emulated_free(struct gws_device_buffer *buffer)
{
    struct emulated *emulated = emulated_of(buffer->device);
    emulated->used -= buffer->held ? buffer->bytes : 0;
    emulated->buffers--;
    free(buffer->native);
}

static inline gws_status emulated_left(struct gws_device *device, uint64_t *bytes, struct gws_diagnostic *where)
{
    (void)where;
    *bytes = emulated_of(device)->memory - emulated_of(device)->used;
    return GWS_OK;
}

static inline char *emulated_at(struct gws_device_buffer *buffer, uint64_t offset)
{
    return (char *)buffer->native + offset;
}

static inline gws_status emulated_transfer(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t offset,
                                           const void *from, void *to, uint64_t bytes, struct gws_diagnostic *where)
{
    (void)stream;
    (void)where;
    if (emulated_fails(emulated_of(buffer->device))) return GWS_DEVICE;
    if (from)
        memcpy(emulated_at(buffer, offset), from, bytes);
    else
        memcpy(to, emulated_at(buffer, offset), bytes);
    return GWS_OK;
}

static inline gws_status emulated_fill(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t first,
                                       uint32_t word, uint64_t count, struct gws_diagnostic *where)
{
    (void)stream;
    (void)where;
    for (uint64_t i = first; i < first + count; i++) memcpy(emulated_at(buffer, i * 4), &word, 4);
    return GWS_OK;
}

/* ---- the kernel ---- */

/* The kernel's parameters, in order. */
struct emulated_mesh {
    struct emulated *emulated;
    uint64_t vertices, rows, stride;
    const uint32_t (*device_row)[4], (*host_row)[4];
    uint32_t *depth, *parent, *level_size, *summary;
    const uint32_t *source;
    uint32_t searches, device_rows;
    uint64_t *stats;
    /* State of the search. */
    uint32_t *visited, *queue, *from;
};

/* Aborts unless `holds`. The library Check records every assertion, which is too slow in a kernel. */
static inline void emulated_must(bool holds)
{
    if (!holds) ck_abort_msg("the rows are not what they should be");
}

static inline const uint32_t *emulated_row(const struct emulated_mesh *mesh, uint64_t number)
{
    bool on_device = number < mesh->device_rows;
    emulated_must(number < mesh->rows);
    *(on_device ? &mesh->emulated->device_reads : &mesh->emulated->host_reads) += 1;
    return on_device ? mesh->device_row[number] : mesh->host_row[number - mesh->device_rows];
}

static inline bool emulated_claim(const struct emulated_mesh *mesh, uint32_t vertex)
{
    uint32_t bit = 1u << vertex % 32, before = mesh->visited[vertex / 32];
    emulated_must(vertex < mesh->vertices);
    mesh->visited[vertex / 32] |= bit;
    return !(before & bit);
}

/* Claims the targets of a row and of its continuation rows. Returns the number of claimed targets. */
static inline uint32_t emulated_visit(const struct emulated_mesh *mesh, uint32_t vertex, uint32_t level,
                                      uint32_t *found)
{
    uint32_t count = 0;
    uint64_t number = vertex;
    for (bool more = true; more;) {
        const uint32_t *row = emulated_row(mesh, number);
        more = false;
        for (int i = 0; i < 4; i++) {
            if (row[i] == UINT32_MAX) continue;
            if (row[i] >> 31) {
                emulated_must(i == 3);
                number = mesh->vertices + (row[i] & INT32_MAX);
                more = true;
            } else if (emulated_claim(mesh, row[i])) {
                mesh->depth[row[i]] = level + 1;
                mesh->parent[row[i]] = vertex;
                found[count++] = row[i];
            }
        }
    }
    return count;
}

static inline void emulated_search(struct emulated_mesh *mesh, uint32_t source)
{
    uint32_t size = 1, level = 0, reached = 0;
    memset(mesh->visited, 0, (mesh->vertices + 31) / 32 * 4);
    emulated_must(emulated_claim(mesh, source));
    mesh->depth[source] = 0;
    mesh->parent[source] = source;
    mesh->from = mesh->queue;
    mesh->from[0] = source;
    for (; size > 0; level++) {
        uint32_t found = 0, *next = mesh->from + size;
        for (uint32_t i = 0; i < size; i++) found += emulated_visit(mesh, mesh->from[i], level, next + found);
        mesh->level_size[level] = size;
        mesh->stats[0] += size;
        reached += size;
        mesh->from = next;
        size = found;
    }
    for (uint64_t v = 0; v < mesh->vertices; v++)
        if (!(mesh->visited[v / 32] >> v % 32 & 1)) mesh->depth[v] = mesh->parent[v] = UINT32_MAX;
    const uint32_t summary[] = {level, reached, 0, mesh->emulated->too_wide ? reached : 0};
    memcpy(mesh->summary, summary, sizeof summary);
}

static inline void *emulated_pointer(const struct gws_device_argument *argument)
{
    ck_assert_ptr_nonnull(argument->buffer);
    return argument->buffer->native;
}

static inline uint64_t emulated_value(const struct gws_device_argument *argument, uint64_t bytes)
{
    uint64_t value = 0;
    ck_assert_ptr_nonnull(argument->value);
    ck_assert_uint_eq(argument->bytes, bytes);
    memcpy(&value, argument->value, bytes);
    return value;
}

/* Checks the arguments of kernels with a row cache (kernels/cuda/mesh_row_cache.cuh). Eight rows share a slot of two
 * rows. The words that the host clears must be zero. */
static inline void emulated_pages(const struct emulated_mesh *mesh, const struct gws_device_argument *argument)
{
    enum { slot_bytes = 32, ring_words = (16 * 1024 + 4) * 2 };
    uint64_t slots = emulated_value(&argument[1], 4), pages = (mesh->rows + 31) / 32;
    const uint32_t *control = emulated_pointer(&argument[4]);
    emulated_pointer(&argument[0]);
    ck_assert_uint_eq(slots % 32, 0);
    ck_assert_uint_ge(slots * 8, mesh->rows - mesh->device_rows);
    ck_assert_uint_eq(mesh->device_rows % 32, 0);
    ck_assert_uint_ge(argument[0].buffer->bytes, slots * slot_bytes);
    ck_assert_uint_ge(argument[4].buffer->bytes, (ring_words + pages + slots / 32) * 4);
    ck_assert_uint_ge(emulated_value(&argument[3], 4), 1);
    mesh->emulated->slots = (uint32_t)slots;
    mesh->emulated->prefetch_clusters = (uint32_t)emulated_value(&argument[2], 4);
    for (uint64_t i = 0; i < ring_words - 4; i++) emulated_must(control[i] == 0);
}

/* Reads the kernel's arguments. arguments: the number of parameters. */
static inline struct emulated_mesh
emulated_read_arguments(struct emulated *emulated, const struct gws_device_argument *argument, uint32_t arguments)
{
    struct emulated_mesh mesh = {.vertices = emulated_value(&argument[0], 8), .rows = emulated_value(&argument[1], 8)};
    mesh.device_row = emulated_pointer(&argument[2]);
    mesh.depth = emulated_pointer(&argument[3]);
    mesh.parent = emulated_pointer(&argument[4]);
    mesh.level_size = emulated_pointer(&argument[5]);
    mesh.source = emulated_pointer(&argument[9]);
    mesh.searches = (uint32_t)emulated_value(&argument[10], 4);
    mesh.stride = emulated_value(&argument[11], 8);
    mesh.summary = emulated_pointer(&argument[12]);
    mesh.stats = emulated_pointer(&argument[13]);
    ck_assert_uint_gt(emulated_value(&argument[15], 4), 0);
    mesh.host_row = emulated_pointer(&argument[16]);
    mesh.device_rows = (uint32_t)emulated_value(&argument[17], 4);
    const bool paged = arguments == 23;
    mesh.emulated = emulated;
    emulated->slots = 0;
    if (paged) emulated_pages(&mesh, argument + 18);
    ck_assert_uint_eq(arguments, paged ? 23 : 18);
    return mesh;
}

static inline gws_status emulated_run(struct gws_stream *stream, const struct gws_device_launch *launch,
                                      struct gws_diagnostic *where)
{
    (void)where;
    struct emulated *emulated = emulated_of(stream->device);
    struct gws_device_argument argument[emulated_max_arguments];
    uint32_t arguments = 0;
    if (emulated_fails(emulated)) return GWS_DEVICE;
    ck_assert_int_eq(strncmp(launch->kernel, "bfs_mesh_", 9), 0);
    for (uint32_t i = 0; i < launch->arguments; i++)
        if (launch->argument[i].buffer || launch->argument[i].value) argument[arguments++] = launch->argument[i];
    struct emulated_mesh mesh = emulated_read_arguments(emulated, argument, arguments);
    mesh.visited = malloc((mesh.vertices + 31) / 32 * 4);
    mesh.queue = malloc((mesh.vertices + 1) * 4);
    for (uint32_t i = 0; i < mesh.searches; i++) {
        emulated_search(&mesh, mesh.source[i]);
        mesh.depth += mesh.stride;
        mesh.parent += mesh.stride;
        mesh.level_size += mesh.stride;
        mesh.summary += 4;
    }
    free(mesh.visited);
    free(mesh.queue);
    emulated->launches++;
    snprintf(emulated->kernel, sizeof emulated->kernel, "%s", launch->kernel);
    return GWS_OK;
}

/* ---- the device ---- */

static inline gws_status emulated_build(struct gws_device_program *program, const struct gws_device_source *source,
                                        struct gws_diagnostic *where)
{
    (void)source;
    (void)where;
    emulated_of(program->device)->buffers++;
    return emulated_fails(emulated_of(program->device)) ? GWS_NO_MEMORY : GWS_OK;
}

static inline void emulated_program_free(struct gws_device_program *program)
{
    emulated_of(program->device)->buffers--;
}

static inline gws_status emulated_resident(struct gws_device *device, const struct gws_device_launch *launch,
                                           uint64_t local_bytes, uint64_t *groups, struct gws_diagnostic *where)
{
    (void)device;
    (void)local_bytes;
    (void)where;
    *groups = launch->cluster ? emulated_units : emulated_units * 8;
    return GWS_OK;
}

static inline gws_status emulated_poll(struct gws_stream *stream, bool *done, struct gws_diagnostic *where)
{
    (void)stream;
    (void)where;
    *done = true;
    return GWS_OK;
}

static const struct gws_device_calls emulated_calls = {
    .buffer_bytes = sizeof(struct gws_device_buffer),
    .program_bytes = sizeof(struct gws_device_program),
    .part_bytes = UINT64_MAX,
    .buffer_new = emulated_buffer_new,
    .shared_new = emulated_shared_new,
    .memory_left = emulated_left,
    .buffer_free = emulated_free,
    .transfer = emulated_transfer,
    .fill = emulated_fill,
    .program_build = emulated_build,
    .program_free = emulated_program_free,
    .resident = emulated_resident,
    .run = emulated_run,
    .poll = emulated_poll,
};

/* Opens a device with `memory` bytes. */
static inline void emulated_open(struct emulated *emulated, struct gws_runtime *runtime, uint64_t memory)
{
    *emulated = (struct emulated){.memory = memory};
    emulated->base = (struct gws_device){
        .call = &emulated_calls, .owner = getpid(), .runtime = runtime, .limit_ms = 60000, .track = GWS_TRACE_NONE};
    emulated->own.device = &emulated->base;
    emulated->base.own = &emulated->own;
    struct gws_device_info *info = &emulated->base.info;
    *info = (struct gws_device_info){
        .api = GWS_DEVICE_CUDA, .type = GWS_DEVICE_GPU, .svm = GWS_SVM_FINE, .version = 900, .warp = 32};
    snprintf(info->address, sizeof info->address, "cuda:0");
    info->units = info->groups = emulated_units;
    info->max_cluster = emulated_cluster;
    info->max_group_size = 1024;
    info->memory = info->max_buffer = memory;
    info->max_shared = (uint64_t)1 << 40;
}

static inline void emulated_close(const struct emulated *emulated)
{
    ck_assert_uint_eq(emulated->buffers, 0);
    ck_assert_uint_eq(emulated->used, 0);
}

/* Returns true if this build contains the kernels. Otherwise prints a line. */
static inline bool emulated_can(void)
{
    bool can = gws__kernel_program_find("bfs_mesh_host") != NULL;
    if (!can) printf("skipped: a build without CUDA\n");
    return can;
}

#endif
