# SPDX-License-Identifier: MIT
"""Emulates CUDA's kernels where there is no NVIDIA device: threads act as warps of blocks and clusters, through the
functions of mesh/cuda.h, plainly and under ThreadSanitizer. Skipped without g++."""
import functools
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
CXX = os.environ.get('CXX') or shutil.which('g++')
FLAGS = ['-std=gnu++20', '-O1', '-g1', '-pthread', '-w']
THREAD_SANITIZER = '-fsanitize=thread'


def run(*words, text=None):
    done = subprocess.run(words, check=False, text=True, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)
    return done.returncode, done.stdout


@functools.cache
def compiler(sanitized):
    """The compiler and its usual flags: for ThreadSanitizer clang 14 if it is complete, whose programs take a third of the
    time that those of g++ 12 take. g++ defines the macro itself."""
    clang = ['clang++-14', '-D__SANITIZE_THREAD__', *FLAGS]
    if sanitized and 'CXX' not in os.environ and shutil.which(clang[0]) and run(
            *clang, THREAD_SANITIZER, '-xc++', '-', '-o', os.devnull, text='int main() {}')[0] == 0:
        return clang
    return [CXX, *FLAGS]


@unittest.skipUnless(CXX, 'g++ is missing')
class EmulatedTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name) / 'cuda'
        self.folder.mkdir()
        for name in ('cuda.h', 'lanes.h'):
            self.copy('tests/kernels/mesh/' + name)

    def copy_kernels(self, change=str):
        """Copies the headers of kernels/cuda, changed, to a folder that the compiler searches before the original one."""
        for path in (ROOT / 'kernels/cuda').glob('*.*h'):
            (self.folder / path.name).write_text(change(path.read_text()))

    def copy(self, path, folder=None):
        shutil.copy(ROOT / path, folder or self.folder)

    def emulate(self, source, *flags):
        """Builds a program from a file in the folder and runs it. A passing program prints nothing."""
        program = self.folder / 'program'
        status, output = run(*compiler(THREAD_SANITIZER in flags), *flags, self.folder / source, '-o', program)
        if status and ('libtsan' in output):
            print(f'skipped: {CXX} has no ThreadSanitizer')
            return
        self.assertEqual((status, output), (0, ''))
        self.assertEqual(run(program), (0, ''))

    def emulate_under_thread_sanitizer(self, source, *flags):
        self.emulate(source, THREAD_SANITIZER, '-DSOME', *flags)
