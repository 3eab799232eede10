/* SPDX-License-Identifier: MIT */
/* Memory that moves into files which rank 0 maps. */
#define _GNU_SOURCE /* memfd_create */
#include "rank_pages.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/memory.h"
#include "../transport/transport.h"
#include "ranks.h"

enum {
    at_once = 2 << 20,  /* bytes that exist twice during a move */
    huge_page = 2 << 20 /* as in lib/base/memory.c */
};

bool gws__pages_are_useful(const struct gws_transport *transport)
{
    return gws_transport_ranks(transport) > 1 && gws__transport_shares(transport);
}

/* ---- moving ---- */

static uint64_t page_bytes(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

static char *page_of(const void *at)
{
    return (char *)((uintptr_t)at / page_bytes() * page_bytes());
}

bool gws__pages_are_whole(const void *memory, uint64_t bytes)
{
    return ((uintptr_t)memory | bytes) % page_bytes() == 0;
}

/* Returns where the file begins: an address in the array and its place in the file have the same place in a huge page.
 */
static char *file_of(const void *memory)
{
    return (char *)((uintptr_t)memory / huge_page * huge_page);
}

/* Asks for huge pages at once: pages of a file do not become huge later. This is only advice. */
static void advise(void *memory, uint64_t bytes)
{
    enum { collapse = 25 };
    char *first = file_of((char *)memory + huge_page - 1);
    const char *last = file_of((char *)memory + bytes);
    if (first < last) (void)madvise(first, (size_t)(last - first), collapse);
}

/* Writes bytes of the array to the file. */
static bool write_bytes(const struct gws__pages *pages, const char *at, uint64_t bytes)
{
    while (bytes > 0) {
        const ssize_t written = pwrite(pages->file, at, bytes, at - file_of(pages->memory));
        if (written <= 0) return false;
        at += written;
        bytes -= (uint64_t)written;
    }
    return true;
}

/* Replaces the whole pages from `begin` to `end`, if there are any. */
static bool map_over(const struct gws__pages *pages, char *begin, const char *end)
{
    char *first = page_of(begin + page_bytes() - 1);
    const char *last = page_of(end);
    if (first >= last) return true;
    return mmap(first, (size_t)(last - first), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, pages->file,
                first - file_of(pages->memory)) != MAP_FAILED;
}

bool gws__pages_move(struct gws__pages *pages, const struct gws_allocator *allocator, void *memory, uint64_t bytes)
{
    char *at = memory, *end = at + bytes;
    *pages = (struct gws__pages){.memory = memory, .bytes = bytes, .complete = bytes == 0};
    if (bytes == 0) return true;
    if (!gws__memory_is_default(allocator)) return false;
    pages->file = memfd_create("graphws", MFD_CLOEXEC);
    pages->opened = pages->file >= 0;
    if (!pages->opened || ftruncate(pages->file, page_of(end - 1) + page_bytes() - file_of(at)) != 0) return false;
    while (at < end) {
        char *next = end - at > at_once ? page_of(at + at_once) : end;
        if (!write_bytes(pages, at, (uint64_t)(next - at)) || !map_over(pages, at, next)) return false;
        at = next;
    }
    advise(memory, bytes);
    return pages->complete = true;
}

void gws__pages_restore(struct gws__pages *pages)
{
    if (!pages->opened) return;
    char *first = page_of((char *)pages->memory + page_bytes() - 1);
    const char *last = page_of((char *)pages->memory + pages->bytes);
    if (first < last)
        (void)mmap(first, (size_t)(last - first), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                   0);
    (void)close(pages->file);
    *pages = (struct gws__pages){0};
}

/* ---- mapping ---- */

/* What rank 0 needs to know about an array. The device and number of the file are there because a process of another
 * container may have the same id. */
struct name {
    uint64_t process, file, device, number, address, bytes;
};

static bool name_of(const struct gws__pages *pages, struct name *name)
{
    struct stat about;
    *name = (struct name){0};
    if (!pages->complete) return false;
    if (pages->bytes == 0) return true;
    if (fstat(pages->file, &about) != 0) return false;
    *name = (struct name){(uint64_t)getpid(),
                          (uint64_t)pages->file,
                          (uint64_t)about.st_dev,
                          (uint64_t)about.st_ino,
                          (uint64_t)(uintptr_t)pages->memory,
                          pages->bytes};
    return true;
}

static bool map_file(const struct name *name, int file, struct gws__mapped_pages *mapped)
{
    const uint64_t before = name->address % huge_page, bytes = before + name->bytes;
    struct stat about;
    if (fstat(file, &about) != 0 || about.st_dev != name->device || about.st_ino != name->number) return false;
    if (name->process == (uint64_t)getpid()) {
        mapped->memory = (void *)(uintptr_t)name->address;
        return true;
    }
    mapped->mapping = mmap(NULL, bytes + huge_page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped->mapping == MAP_FAILED) return false;
    mapped->bytes = bytes + huge_page;
    char *begin = file_of((char *)mapped->mapping + huge_page - 1);
    mapped->memory = begin + before;
    if (mmap(begin, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
        (void)munmap(mapped->mapping, mapped->bytes);
        return false;
    }
    advise(begin, bytes);
    return true;
}

static bool map_one(const struct name *name, struct gws__mapped_pages *mapped)
{
    char memory_file[64];
    *mapped = (struct gws__mapped_pages){0};
    if (name->bytes == 0) return true;
    (void)snprintf(memory_file, sizeof memory_file, "/proc/%" PRIu64 "/fd/%" PRIu64, name->process, name->file);
    const int file = open(memory_file, O_RDWR | O_CLOEXEC);
    if (file < 0) return false;
    const bool done = map_file(name, file, mapped);
    (void)close(file);
    return done;
}

bool gws__pages_map(struct gws_transport *transport, const struct gws__pages *pages, uint32_t count,
                    struct gws__mapped_pages *all)
{
    const uint32_t ranks = gws_transport_ranks(transport), rank = gws_transport_rank(transport);
    struct name *name = gws__memory_new(&gws__memory_default, (rank == 0 ? ranks : 1) * (uint64_t)count, sizeof *name);
    struct name *own = gws__memory_new(&gws__memory_default, count, sizeof *own);
    bool done = name && own;
    uint64_t mapped = 0;
    for (uint32_t i = 0; done && own && i < count; i++) done = name_of(&pages[i], &own[i]);
    done = gws__ranks_all(transport, done);
    if (done) gws_transport_gather(transport, own, count * sizeof *own, name);
    for (uint64_t i = 0; done && name && rank == 0 && i < ranks * (uint64_t)count; i++) {
        done = map_one(&name[i], &all[i]);
        mapped += done;
    }
    done = gws__ranks_all(transport, done);
    if (!done && rank == 0) gws__pages_unmap(all, mapped);
    gws__memory_free(&gws__memory_default, name, (rank == 0 ? ranks : 1) * (uint64_t)count, sizeof *name);
    gws__memory_free(&gws__memory_default, own, count, sizeof *own);
    return done;
}

void gws__pages_unmap(struct gws__mapped_pages *all, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (all[i].bytes > 0) (void)munmap(all[i].mapping, all[i].bytes);
}
