#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels are accepted, without a warning, by clang as OpenCL C 3.0 (as 2.0 with the group scan, which clang takes to
be optional in 3.0) and by nvcc as CUDA C++, with every container; with nvcc each kernel is in what comes out. A
compiler that is missing is skipped."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

KERNELS = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2])) / 'kernels'
ENTRIES = ('bfs_fill', 'bfs_top_down', 'bfs_bottom_up')
CONTAINERS = ('static', 'cursor', 'chunked', 'abp')


def text(dialect, container):
    names = (f'dialect_{dialect}.h', 'queue_words.h', f'queue_{container}.cl', 'push.cl', 'bfs.cl')
    return '\n'.join((KERNELS / name).read_text() for name in names)


CLANG = shutil.which('clang-14') or shutil.which('clang')
NVCC = shutil.which('nvcc') or shutil.which('nvcc', path='/usr/local/cuda/bin')


class Dialects(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def compile(self, command):
        done = subprocess.run(command, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual((done.returncode, done.stdout), (0, ''), ' '.join(map(str, command)))

    @unittest.skipUnless(CLANG, 'clang is missing')
    def test_opencl(self):
        for container in CONTAINERS:
            path = self.folder / f'{container}.cl'
            path.write_text(text('opencl', container))
            for more in (['-cl-std=CL3.0'], ['-cl-std=CL2.0', '-DGWS_WITH_GROUP_SCAN']):
                self.compile([CLANG, '-x', 'cl', '-Xclang', '-finclude-default-header', '-Wall', '-Wextra', '-Werror',
                              '-DGWS_GROUP_SIZE=64', *more, '-fsyntax-only', path])

    @unittest.skipUnless(NVCC, 'nvcc is missing')
    def test_cuda(self):
        for container in CONTAINERS:
            path = self.folder / f'{container}.cu'
            path.write_text(text('cuda', container))
            ptx = path.with_suffix('.ptx')
            self.compile([NVCC, '-arch=sm_80', '-std=c++17', '-DGWS_GROUP_SIZE=256', '-ptx', path, '-o', ptx])
            for entry in ENTRIES:
                self.assertIn(f'.entry {entry}(', ptx.read_text(), container)


if __name__ == '__main__':
    unittest.main()
