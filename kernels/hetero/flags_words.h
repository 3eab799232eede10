/* SPDX-License-Identifier: MIT */
/* The flags of the protocol of done flags: flags.cl is the device's side, lib/hetero/flags.h the host's. */
#ifndef GWS_KERNELS_FLAGS_WORDS_H
#define GWS_KERNELS_FLAGS_WORDS_H

#define FLAG_GO 0u
#define FLAG_DONE 1u
#define FLAG_RUN 2u
#define FLAG_END 10u
#define FLAG_STRIDE 32u /* words of 32 bits: a line for each group */

#endif
