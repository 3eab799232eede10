#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shared kernels whose code for warps no CPU device runs, emulated by warps of threads (tests/kernels/warps/)."""
import functools
import re
import tempfile
import unittest
from pathlib import Path

from emulated import ROOT, THREAD_SANITIZER, EmulatedTest, compiler, run

SUITES = f'-I{ROOT}/tests/kernels'
HOLDER = tempfile.TemporaryDirectory()


@functools.cache
def cpp_headers(sanitized):
    """A header that includes the C++ headers of all programs, precompiled: they take most of the compile time."""
    header = Path(HOLDER.name) / f'standard{int(sanitized)}.h'
    texts = [path.read_text() for folder in ('mesh', 'warps') for path in (ROOT / 'tests/kernels' / folder).iterdir()]
    header.write_text('\n'.join(sorted({line for text in texts for line in re.findall(r'^#include <\w+>', text, re.M)})))
    run(*compiler(sanitized), *([THREAD_SANITIZER] if sanitized else []), '-x', 'c++-header', header, '-o', f'{header}.gch')
    return header


class Warps(EmulatedTest):
    def setUp(self):
        super().setUp()
        for folder in ('kernels/engine', 'kernels/graph', 'kernels/hetero', 'kernels/operator', 'tests/kernels/warps'):
            for path in (ROOT / folder).iterdir():
                self.copy(path)

    def emulate(self, source, *flags):
        super().emulate(source, '-include', cpp_headers(THREAD_SANITIZER in flags), *flags)

    def test_strong_components(self):
        self.emulate('strong.cpp')

    def test_strong_components_without_races(self):
        self.emulate_under_thread_sanitizer('strong.cpp')

    def test_betweenness(self):
        self.emulate('betweenness.cpp')

    def test_betweenness_without_races(self):
        self.emulate_under_thread_sanitizer('betweenness.cpp')

    def test_many_sources(self):
        self.emulate('batch.cpp')

    def test_many_sources_without_races(self):
        self.emulate_under_thread_sanitizer('batch.cpp')

    def test_weak_components(self):
        self.emulate('components.cpp')

    def test_weak_components_without_races(self):
        self.emulate_under_thread_sanitizer('components.cpp')

    def test_diameter(self):
        self.emulate('diameter.cpp')

    def test_diameter_without_races(self):
        self.emulate_under_thread_sanitizer('diameter.cpp')

    def test_communities(self):
        self.emulate('communities.cpp')

    def test_communities_without_races(self):
        self.emulate_under_thread_sanitizer('communities.cpp')

    def test_tasks(self):
        self.emulate('task.cpp', SUITES)

    def test_tasks_without_races(self):
        self.emulate_under_thread_sanitizer('task.cpp', SUITES)

    def test_quicksort(self):
        self.emulate('quicksort.cpp', SUITES)

    def test_quicksort_without_races(self):
        self.emulate_under_thread_sanitizer('quicksort.cpp', SUITES)

    def test_triangles(self):
        self.emulate('triangles.cpp')

    def test_triangles_without_races(self):
        self.emulate_under_thread_sanitizer('triangles.cpp')

    def test_order_by_degree(self):
        self.emulate('order.cpp')

    def test_order_by_degree_without_races(self):
        self.emulate_under_thread_sanitizer('order.cpp')

    def test_shortest_paths(self):
        self.emulate('rounds.cpp')

    def test_shortest_paths_without_races(self):
        self.emulate_under_thread_sanitizer('rounds.cpp')

    def test_cores(self):
        self.emulate('rounds.cpp', '-DCORES')

    def test_cores_without_races(self):
        self.emulate_under_thread_sanitizer('rounds.cpp', '-DCORES')


if __name__ == '__main__':
    unittest.main()
