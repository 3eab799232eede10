/* SPDX-License-Identifier: MIT */
#define DISTANCES "../../../../kernels/operator/sssp_word.h"
#define OPERATOR "../../../../kernels/operator/sssp_parents.cl"
#define EMULATED emulated_sssp_word_parents
#include "emulated_rounds.h"
