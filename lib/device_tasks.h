/* SPDX-License-Identifier: MIT */
/* Immediate tasks on a device: the form of lib/tasks.h for a persistent kernel. The workers are the device's warps, or
 * its work-groups where it has no warps. Each worker has a stack and a deque, and idle workers steal. The function of a
 * task is a short source in the portable kernel language (docs/extending.md):
 *
 *     #define TASK_LENGTH 3u
 *     device_inline u32 task_child(struct task_state *s, const u32 *parent, u32 i, u32 *child) { ... }
 *
 * A task consists of TASK_LENGTH words and a number of children. task_child() creates child i of a task, runs it, and
 * returns the number of the child's own children. kernels/task/task.h is the contract. Every child of every task is
 * created exactly once, on any work-item. Tasks do not depend on each other. Workers divide the children of one task
 * among them, if it has at least 64.
 *
 * Waiting tasks lie in blocks in the device's memory. If this memory is full, the kernel pauses, and blocks move to the
 * host's memory until the device has run the others. So a run ends with GWS_NO_MEMORY only if the host's memory is
 * short. */
#ifndef GWS_DEVICE_TASKS_H
#define GWS_DEVICE_TASKS_H

#include "device.h"
#include "rank_tasks.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GWS_DEVICE_TASK_WORDS = 16, /* the maximum TASK_LENGTH */
    GWS_DEVICE_TASK_PARTS = 16, /* parts of a program that gws_device_tasks_source() makes, at most */
    GWS_DEVICE_TASK_SUMS = 4,
    GWS_DEVICE_TASK_MAXES = 2
};

/* A program for tasks on a device, and the memory of its runs. One run at a time. */
struct gws_device_tasks;

/* Writes the parts of the complete OpenCL program for the source of a task to part[GWS_DEVICE_TASK_PARTS], and returns
 * their number, for gws_device_source.part and .parts. source must remain valid as long as the parts are in use. For
 * CUDA, nvcc compiles kernels/task/own_task.cu of the installed kernels to an image (docs/extending.md). */
GWS_API uint32_t gws_device_tasks_source(const char *source, const char **part);

/* Sets *source to a program of the library, which gtask's workloads use: "uts", "bpc", "connect_four" or
 * "quicksort". Returns false if there is none of that name. The program has static storage. */
GWS_API bool gws_device_tasks_program(const char *name, struct gws_device_source *source);

struct gws_device_tasks_options {
    uint32_t length; /* TASK_LENGTH of the source, 1 .. GWS_DEVICE_TASK_WORDS */
    uint32_t groups; /* work-groups; 0: as many as run concurrently */
    bool is_static;  /* a worker keeps its tasks: nobody steals. The first tasks lie in equal blocks, about one for each
                      * worker. For measurements, with a device as the only side */
    uint64_t blocks; /* blocks of 64 tasks in the device's memory, besides 35 of each worker; 0: 1,024, and
                      * 8 for each worker */
};

/* Builds the program and allocates the device's memory: 256 * (length + 2) bytes for a block, and 2 KiB for each
 * worker. source: the complete program, for OpenCL its parts, for CUDA its image; its options are ignored. runtime and
 * device must outlive the object. Errors: GWS_INVALID (options; the source does not compile), GWS_UNSUPPORTED (a GPU
 * without warps of 32 items; no part of the source for this device), GWS_TOO_LARGE, GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_device_tasks_open(struct gws_runtime *runtime, struct gws_device *device,
                                         const struct gws_device_source *source,
                                         const struct gws_device_tasks_options *options,
                                         struct gws_device_tasks **tasks, struct gws_diagnostic *where);

/* Frees the object. NULL is allowed. If its device has stolen from those of other ranks, all ranks close theirs, before
 * the transport: the call then waits for the others. */
GWS_API void gws_device_tasks_close(struct gws_device_tasks *tasks);

/* Returns the number of the device's workers. A task's source may number them from 0 on (kernels/task/bpc.cl). */
GWS_API uint32_t gws_device_tasks_workers(const struct gws_device_tasks *tasks);

/* The first tasks of a run. */
struct gws_device_task_roots {
    const uint32_t *task; /* `count` tasks of length + 1 words. The last word is the number of the task's children. */
    uint64_t count;       /* 0 is legal: no task runs */
    struct gws_device_buffer *data, *more; /* s->data and s->more of the source; NULL: none */
};

/* What a run did. Work is in children, each of which is a task of its own. */
struct gws_device_tasks_result {
    uint64_t created; /* calls of task_child() */
    uint64_t parents; /* of these, the tasks that had children */
    uint64_t sum[GWS_DEVICE_TASK_SUMS];
    uint32_t max[GWS_DEVICE_TASK_MAXES];
    /* Statistics of the workers. */
    uint32_t workers, groups, group_size;
    uint64_t steals, failed, stolen; /* successful steals within the device, steals that lost a race, stolen blocks */
    uint64_t across;                 /* steals from the deques of other devices, one block each */
    double across_us;                /* the mean time of such a steal; 0 if there was none */
    uint64_t pushes;                 /* blocks that workers published for thieves, or because their stack was full */
    uint64_t listed;                 /* of these, the blocks that found a full deque */
    uint64_t steps;                  /* passes in which a worker created a child on each work-item */
    double idle;         /* the share of the workers' time without tasks, 0 .. 1; 0 where the device has no clock */
    uint64_t launches;   /* of the kernel: one, and one after each pause */
    uint64_t spilled;    /* tasks that moved to the host's memory because the device's was full */
    uint64_t high_water; /* the most tasks of the device that waited in the host's memory at once, first tasks too */
    double ms;           /* time of the launches, with the waits */
};

/* Runs the tasks and all that they spawn. Returns when no task is left. Writes *result on success only. Errors:
 * GWS_CANCELLED (gws_options.cancel; the kernel polls a word that it shares with the host, or, where the device shares
 * no memory, pauses every 100 ms), GWS_NO_MEMORY (host memory for spilled tasks), GWS_DEVICE. Some tasks have then not
 * run. */
GWS_API gws_status gws_device_tasks_run(struct gws_device_tasks *tasks, const struct gws_device_task_roots *roots,
                                        struct gws_device_tasks_result *result, struct gws_diagnostic *where);

/* ---- several sides: devices and the CPU's workers ----
 *
 * Devices whose kernels address each other's memory, with atomics (gws_device_peer()), steal tasks from each other.
 * Otherwise sides share a pool of tasks in the host's memory. A side without tasks takes tasks from the pool. If the
 * pool is empty, another side gives about half of its tasks: a device pauses its kernel for that, which takes some
 * milliseconds. Every task runs exactly once. Devices that steal from each other take from the pool together, and these
 * tasks count for the first one. */

/* A side: a device, or the CPU's workers. */
struct gws_device_task_side {
    struct gws_device_tasks *tasks;        /* the device's program; NULL: the CPU's workers */
    struct gws_device_buffer *data, *more; /* the device's s->data and s->more; NULL: none */
    /* The CPU's form of task_child(). lib/tasks.h describes the function, which runs `count` tasks. Each task is length
     * + 2 words of 32 bits, rounded up to an even number. Behind the words of the source, two words, end and first,
     * tell which children nobody has created: the function creates children first .. end - 1, and spawns each child
     * that has children itself, with the end of its children and first 0. */
    gws_task_run *run;
    void *context;
    uint32_t batch; /* maximum number of tasks for one call of run, at most 256; 0: one */
};

enum { GWS_DEVICE_TASK_SIDES = 17 /* of a run, at most */ };

/* What a side did. */
struct gws_device_task_side_result {
    uint64_t created, parents; /* as in gws_device_tasks_result; a CPU's function counts sums and maxima itself */
    uint64_t taken, takes; /* tasks that the side took from the pool or stole from other devices, and how many times;
                            * 0 for a single side */
    uint64_t given, gives; /* tasks that the side gave to other sides, or lost to thieves of other devices */
    uint64_t from[GWS_DEVICE_TASK_SIDES]; /* of .taken, those that side i gave; the others are first tasks of the run */
    uint64_t requests;                    /* times that another side asked this device for tasks */
    double idle_ms;                       /* time in which the whole side had no tasks */
    struct gws_device_tasks_result device; /* a device's statistics; zero for the CPU */
};

/* Runs the tasks and all that they spawn on `count` sides: devices with programs of the same source, and at most one
 * side for the CPU. roots->data and roots->more are ignored. If there are several sides, each device has a thread
 * meanwhile, and the calling thread is one of the CPU's workers. Their policy needs task queues; otherwise policy
 * chaselev runs. Writes result[0 .. count - 1] on success only. Errors, which end the run on all sides: GWS_INVALID (no
 * device, two CPU sides, a device twice, tasks of different lengths, over GWS_DEVICE_TASK_SIDES sides), GWS_SYSTEM (no
 * thread), and those of gws_device_tasks_run(). Devices that share no memory with the host pause every 20 ms instead of
 * when they are asked.
 */
GWS_API gws_status gws_device_tasks_run_sides(struct gws_runtime *runtime, const struct gws_device_task_roots *roots,
                                              const struct gws_device_task_side *side, uint32_t count,
                                              struct gws_device_task_side_result *result, struct gws_diagnostic *where);

/* The same on several ranks (lib/rank_tasks.h), each with sides of its own. Collective; the first tasks of rank 0 run,
 * or, with ranks->all_roots, those of all ranks. If all ranks share memory, and each has one device of its own and no
 * other side, whose kernels can address the memory of the other ranks' devices, with atomics (CUDA's IPC), the devices
 * steal tasks from each other, and the ranks wait. In all other cases the calling thread exchanges tasks with other
 * ranks. If the CPU's workers are no side of this rank, it runs no tasks, and keeps some that other ranks can steal;
 * result[0].from[count] are then tasks that it gave to the devices. Sides have at most GWS_DEVICE_TASK_SIDES - 1
 * entries. An error of a rank ends the run on all ranks, which return the same status and message. Errors: also those
 * of gws_rank_tasks_run(), but any policy can run. ranks may be NULL: gws_device_tasks_run_sides(). */
GWS_API gws_status gws_device_tasks_run_ranks(struct gws_runtime *runtime, const struct gws_ranks *ranks,
                                              const struct gws_device_task_roots *roots,
                                              const struct gws_device_task_side *side, uint32_t count,
                                              struct gws_device_task_side_result *result, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
