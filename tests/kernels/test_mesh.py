#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels for meshes (kernels/cuda/bfs_mesh.cuh), played by the threads of a cluster (tests/kernels/mesh/): the shipped
texts but for two, cluster.cuh, which is replaced, and reading the device's clock."""
import re
import unittest

from played import PlayedTest

CLOCK = re.compile(r'asm volatile\("mov\.u64 %0, %%globaltimer;"[^;]*;|= clock64\(\)')
# A look that may be old, before an atomic operation that is not: volatile on the device.
LOOK = ('*(volatile u32 *)at', '__atomic_load_n(at, __ATOMIC_RELAXED)')
SHARED = ('extern __shared__ uint4 shared[]', 'uint4 *shared = (uint4 *)this_block().shared')


def played(text):
    return CLOCK.sub(lambda found: 'now = 1;' if 'asm' in found[0] else '= 1', text).replace(*LOOK).replace(*SHARED)


class Mesh(PlayedTest):
    def setUp(self):
        super().setUp()
        (self.folder.parent / 'hetero').mkdir()
        for name in ('handoff_words.h', 'trace_words.h', 'trace.cl'):
            self.take('kernels/hetero/' + name, self.folder.parent / 'hetero')
        self.take_kernels(played)
        for name in ('cuda.h', 'cluster.cuh', 'search.cpp'):
            self.take('tests/kernels/mesh/' + name)

    def test_searches(self):
        self.play('search.cpp')

    def test_without_races(self):
        self.play_under_thread_sanitizer('search.cpp')


if __name__ == '__main__':
    unittest.main()
