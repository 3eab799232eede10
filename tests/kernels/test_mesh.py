#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels for meshes (kernels/cuda/bfs_mesh.cuh) where there is no NVIDIA device: threads play blocks and cluster
(tests/kernels/mesh/), plainly and under ThreadSanitizer, with the shipped texts but for two: mesh_cluster.cuh, which is
replaced, and reading the device's clock. A compiler that is missing is skipped."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
HERE = ROOT / 'tests/kernels/mesh'
CXX = os.environ.get('CXX') or shutil.which('g++')
FLAGS = ['-std=gnu++20', '-O1', '-g', '-pthread', '-w']
CLOCK = re.compile(r'asm volatile\("mov\.u64 %0, %%globaltimer;"[^;]*;|= clock64\(\)')
# A look that may be old, before an atomic operation that is not: volatile on the device.
LOOK = ('*(volatile u32 *)at', '__atomic_load_n(at, __ATOMIC_RELAXED)')


class Mesh(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name) / 'cuda'
        self.folder.mkdir()
        shutil.copy(ROOT / 'kernels/hand_words.h', holder.name)
        for path in (ROOT / 'kernels/cuda').glob('*.cuh'):
            text = CLOCK.sub(lambda found: 'now = 1;' if 'asm' in found[0] else '= 1', path.read_text())
            (self.folder / path.name).write_text(text.replace(*LOOK).replace('extern __shared__ uint4 shared[]',
                                                                             'uint4 *shared = (uint4 *)this_block().shared'))
        for path in HERE.iterdir():
            shutil.copy(path, self.folder)

    def search(self, *flags):
        program = self.folder / 'search'
        done = subprocess.run([CXX, *FLAGS, *flags, self.folder / 'search.cpp', '-o', program], check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode and ('<barrier>' in done.stdout or 'libtsan' in done.stdout):
            print(f'skipped: {CXX} has no barriers or no ThreadSanitizer')
            return
        self.assertEqual((done.returncode, done.stdout), (0, ''))
        done = subprocess.run([program], check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)
        self.assertEqual((done.returncode, done.stdout), (0, ''))

    @unittest.skipUnless(CXX, 'g++ is missing')
    def test_searches(self):
        self.search()

    @unittest.skipUnless(CXX, 'g++ is missing')
    def test_without_races(self):
        self.search('-fsanitize=thread', '-DSOME')


if __name__ == '__main__':
    unittest.main()
