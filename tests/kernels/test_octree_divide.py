#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels that divide the buckets of an octree (kernels/cuda/octree_one_pass.cuh, octree_divide.cuh), emulated by the
threads of a block."""
import unittest

from emulated import EmulatedTest


class Divide(EmulatedTest):
    def setUp(self):
        super().setUp()
        self.copy_kernels()
        self.copy('tests/kernels/octree/divide.cpp')

    def test_buckets(self):
        self.emulate('divide.cpp')

    def test_without_races(self):
        self.emulate_under_thread_sanitizer('divide.cpp')


if __name__ == '__main__':
    unittest.main()
