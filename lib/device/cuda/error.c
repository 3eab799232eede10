/* SPDX-License-Identifier: MIT */
/* What CUDA answers, as a status and a line of text. */
#include "cuda_kind.h"

static gws_status status_of(cudaError_t error)
{
    switch (error) {
    case cudaErrorMemoryAllocation:
        return GWS_NO_MEMORY;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorLaunchOutOfResources:
    case cudaErrorCooperativeLaunchTooLarge:
    case cudaErrorInvalidClusterSize:
    case cudaErrorInvalidKernelImage:
    case cudaErrorSymbolNotFound:
        return GWS_INVALID;
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorJitCompilerNotFound:
        return GWS_UNSUPPORTED;
    default:
        return GWS_DEVICE;
    }
}

gws_status gws__cuda_fail(struct gws_where *where, const char *subject, const char *call, cudaError_t error)
{
    (void)cudaGetLastError(); /* the runtime would give the error again to whoever asks next */
    return gws_where_set(where, status_of(error), NULL, 0, 0, "%s: %s: %s (%s)", subject, call, cudaGetErrorName(error),
                         cudaGetErrorString(error));
}

gws_status gws__cuda_lose(struct gws__cuda_device *device, struct gws_where *where, const char *call, cudaError_t error)
{
    gws_status status = gws__cuda_fail(where, device->base.info.address, call, error);
    if (status == GWS_DEVICE) device->base.lost = true;
    return status;
}
