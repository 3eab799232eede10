/* SPDX-License-Identifier: MIT */
/* The state of a launch and of a group for MADNESS trees, and the macros that create a kernel for each order.
 *
 * The OpenCL program has one order (MADNESS_ORDER), with the array in local memory, or in global memory
 * (MADNESS_GLOBAL=1). The CUDA program has kernels for all orders, such as madness_7 and, with the array in global
 * memory, madness_global_7. */

#ifdef __CUDACC__
#define TEMPLATE template <int order, bool in_global>
#define OF_ORDER(function) function<order, in_global>
#define scratch_mem
#else
#ifndef cl_khr_fp64
#error this device has no numbers of double precision
#endif
#define TEMPLATE
#define OF_ORDER(function) function
enum { order = MADNESS_ORDER };
#if MADNESS_GLOBAL
#define scratch_mem __global
#else
#define scratch_mem __local
#endif
#endif

#define PAIRS ((order + 1) / 2) /* the CPU's kernels call this number `folded` */
#define MADNESS_NONE 0xffffffffu

/* The tasks and the results, which all launches share. */
struct madness_lists {
    global_mem u32 *task;
    global_mem atom32 *state;
    global_mem atom32 *control;
    global_mem u32 *family;
    global_mem double *number; /* MADNESS_FAMILY_NUMBERS of each family */
    global_mem double *coefficient;
    global_mem const double *table;
    global_mem const double *body;
    global_mem const double *special;
    u32 specials, kind, max_level, tasks, slots; /* tasks, slots: the capacity for tasks and families */
};

/* A group's state. */
enum {
    SHARED_TASK,
    SHARED_SLOT = MADNESS_TASK_WORDS,
    SHARED_TICKET,
    SHARED_RESULT,
    SHARED_MADE,
    SHARED_DONE,
    SHARED_WORDS
};
struct madness_group {
    scratch_mem double *array;
    local_mem double *axis;   /* three times 2 k numbers: the function's factor at each point */
    local_mem double2 *table; /* the matrices */
    local_mem u32 *shared;
};
