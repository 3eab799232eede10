/* SPDX-License-Identifier: MIT */
/* Libraries of this release that are loaded when they are needed, so that nothing else depends on MPI or HDF5. */
#ifndef GWS_BASE_MODULE_H
#define GWS_BASE_MODULE_H

/* Opens a library, such as "libgraphws-mpi.so.1", in this order: in the folder of libgraphws.so, in ../lib and in the
 * folder of libraries of the installation beside the program's own folder, and where the system looks. flags are those
 * of dlopen(). Returns NULL after a failure, and dlerror() has the reason. */
void *gws__module_open(const char *file, int flags);

#endif
