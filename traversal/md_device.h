/* SPDX-License-Identifier: MIT */
/* Molecular dynamics on one device, where all steps run in a persistent kernel, or on several devices. traversal/md.h
 * has the potential and the options. */
#ifndef GWS_MD_DEVICE_H
#define GWS_MD_DEVICE_H

#include "../lib/device.h"
#include "md.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_md_device;

/* How groups share the tasks of a step. */
enum gws_md_schedule {
    GWS_MD_STEAL,   /* each group has an equal part, and groups without work steal from the others */
    GWS_MD_CURSOR,  /* all warps acquire their next atoms from one counter */
    GWS_MD_STATIC,  /* equal parts, never rebalanced */
    GWS_MD_CENTRAL, /* groups of 128 items take tasks of 128 atoms from a queue that the host fills (lib/host_queue.h)
                     */
    GWS_MD_CHUNKS   /* a launch for each chunk of 15,360 atoms, 120 groups, whose groups the hardware schedules
                     * ("solution 3" of Chen et al.), after one that moves the atoms; each launch is part of one step */
};

/* Returns the names "steal", "cursor", "static", "central" and "chunks", in the order of the enum, or NULL past the
 * end. */
GWS_API const char *gws_md_schedule_at(uint32_t i);

/* What the groups of the last gws_md_device_run() did. A unit is the force on the 32 atoms of a warp, or on one atom
 * where the device has no warps. */
struct gws_md_device_stats {
    uint64_t groups, group_size;
    uint64_t tasks;  /* tasks of 128 atoms that this device had, with work or without */
    uint64_t units;  /* units run */
    uint64_t stolen; /* of them by another group than that of their part */
    uint64_t steals; /* successful acquisitions of stolen units */
    double idle;     /* share of the time that groups waited for others; 0 under GWS_MD_CHUNKS, and on devices without a
                      * clock */
    uint64_t launches;
};

/* Uploads the atoms, builds the lists and computes the first forces. The parameters and errors are those of
 * gws_md_open(), and: GWS_UNSUPPORTED (the order is GWS_MD_POPULATION, groups of this device cannot wait for each
 * other, or the schedule is GWS_MD_CENTRAL and the device shares no memory with the host), GWS_DEVICE. Memory on the
 * device: 108 bytes per atom, and lists of equal capacity: 4 bytes for each atom and entry of the longest list, and a
 * quarter more. The host keeps 96 bytes per atom. */
GWS_API gws_status gws_md_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                      const struct gws_points *atoms, const struct gws_md_options *options,
                                      enum gws_md_schedule schedule, struct gws_md_device **md,
                                      struct gws_diagnostic *where);
GWS_API void gws_md_device_close(struct gws_md_device *md); /* accepts NULL */

/* Devices that share the atoms of one simulation. */
enum { GWS_MD_DEVICES = 16 };
struct gws_md_devices {
    struct gws_device *const *device;
    uint32_t devices; /* 1 .. GWS_MD_DEVICES */
    enum gws_md_schedule schedule;
};

/* Opens a simulation on several devices. Each computes the forces of its tasks, which are an equal part, or under
 * GWS_MD_CENTRAL those that the host gives it while the kernels run: a device that has ended its part gets tasks of
 * another one's. The atoms are the same, bit by bit, as on one device.
 *
 * If all devices reach each other's memory (gws_device_peer()), they are linked, except under GWS_MD_CENTRAL: each
 * moves its own atoms, and kernels write the positions, 16 bytes for an atom near another part, to each other's memory.
 * When lists are built, every device gets all positions, counts the atoms of all cells, and sorts those near its part.
 * A launch is many steps, as on one device. Otherwise each device moves all atoms, a launch is one step, and then every
 * device gets the forces and velocities that the others have computed, 32 bytes per atom, from their memory or through
 * the host's.
 *
 * Under GWS_MD_CENTRAL each device builds all lists, otherwise those of its part. The other calls are those of one
 * device. Errors: those of gws_md_device_open(), GWS_INVALID (no device, too many, or one given twice), GWS_UNSUPPORTED
 * (devices of different models, whose arithmetic may differ). on->device[] is only read by this call. Memory: on each
 * device that of gws_md_device_open(), and 4 bytes per atom; on the host one byte per task. */
GWS_API gws_status gws_md_devices_open(struct gws_runtime *runtime, const struct gws_md_devices *on,
                                       const struct gws_points *atoms, const struct gws_md_options *options,
                                       struct gws_md_device **md, struct gws_diagnostic *where);

/* Runs `steps` steps, on one device and on linked ones as many in each launch as take some 50 ms. Sets all fields of
 * *result but .rebuild_ms, which is 0. Energies are sums of integers, so they do not depend on the number of groups.
 * Errors: those of gws_md_run(), GWS_DEVICE. A cancelled call ends between two launches, so after a number of whole
 * steps, from which a later call continues. After any other error the atoms are lost, and this call and
 * gws_md_device_fetch() return GWS_INVALID. */
GWS_API gws_status gws_md_device_run(struct gws_md_device *md, uint64_t steps, struct gws_md_result *result,
                                     struct gws_diagnostic *where);

/* device: an index into the devices of gws_md_devices_open(); 0 for one device. */
GWS_API void gws_md_device_stats(const struct gws_md_device *md, uint32_t device, struct gws_md_device_stats *stats);

/* Copies the atoms to the host. See gws_md_fetch(). Errors: GWS_INVALID (gws_md_device_run() has failed),
 * GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_md_device_fetch(struct gws_md_device *md, struct gws_points *atoms,
                                       struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
