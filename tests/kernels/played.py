# SPDX-License-Identifier: MIT
"""CUDA's kernels where there is no NVIDIA device: threads play blocks and clusters, by the words of mesh/cuda.h, plainly and
under ThreadSanitizer. A compiler that is missing is skipped."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
CXX = os.environ.get('CXX') or shutil.which('g++')
FLAGS = ['-std=gnu++20', '-O1', '-g', '-pthread', '-w']


def run(*words):
    done = subprocess.run(words, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)
    return done.returncode, done.stdout


@unittest.skipUnless(CXX, 'g++ is missing')
class PlayedTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name) / 'cuda'
        self.folder.mkdir()

    def take_kernels(self, change=str):
        """The texts of kernels/cuda, changed, where the program finds them before the shipped ones."""
        for path in (ROOT / 'kernels/cuda').glob('*.*h'):
            (self.folder / path.name).write_text(change(path.read_text()))

    def take(self, path, folder=None):
        shutil.copy(ROOT / path, folder or self.folder)

    def play(self, source, *flags):
        """Builds the program, of a file in the folder, and runs it: it says nothing where all is well."""
        program = self.folder / 'program'
        status, said = run(CXX, *FLAGS, *flags, self.folder / source, '-o', program)
        if status and ('<barrier>' in said or 'libtsan' in said):
            print(f'skipped: {CXX} has no barriers or no ThreadSanitizer')
            return
        self.assertEqual((status, said), (0, ''))
        self.assertEqual(run(program), (0, ''))

    def play_under_thread_sanitizer(self, source):
        self.play(source, '-fsanitize=thread', '-DSOME')
