#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels for meshes (kernels/cuda/bfs_mesh.cuh), emulated by the threads of a cluster (tests/kernels/mesh/): the shipped
sources, with cluster.cuh and the reads of the device's clock replaced."""
import re
import unittest

from emulated import EmulatedTest

CLOCK = re.compile(r'asm volatile\("mov\.u64 %0, %%globaltimer;"[^;]*;|= clock64\(\)')
# A read that may be stale, before an atomic operation: volatile on the device.
LOOK = ('*(volatile u32 *)at', '__atomic_load_n(at, __ATOMIC_RELAXED)')
SHARED = ('extern __shared__ uint4 shared[]', 'uint4 *shared = (uint4 *)this_block().shared')


def adapt(text):
    return CLOCK.sub(lambda found: 'now = 1;' if 'asm' in found[0] else '= 1', text).replace(*LOOK).replace(*SHARED)


class Mesh(EmulatedTest):
    def setUp(self):
        super().setUp()
        (self.folder.parent / 'hetero').mkdir()
        for name in ('handoff_words.h', 'handoff_rule.h', 'trace_words.h', 'trace.cl'):
            self.copy('kernels/hetero/' + name, self.folder.parent / 'hetero')
        self.copy_kernels(adapt)
        for name in ('cluster.cuh', 'search.cpp'):
            self.copy('tests/kernels/mesh/' + name)

    def test_searches(self):
        self.emulate('search.cpp')

    def test_without_races(self):
        self.emulate_under_thread_sanitizer('search.cpp')


if __name__ == '__main__':
    unittest.main()
