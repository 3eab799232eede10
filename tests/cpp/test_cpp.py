# SPDX-License-Identifier: MIT
"""The C++ wrappers of the installed tree: their headers compile alone, and wrappers.cpp compiles without warnings and passes."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
STAGE = Path(os.environ.get('GRAPHWS_BUILD', SOURCE / 'build')).resolve() / 'stage'
STRICT = ['-std=c++20', '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-I', STAGE / 'include']


def compiler():
    """g++ or clang++ if it has C++20's spans, or None."""
    for name in (os.environ.get('CXX', 'g++'), 'clang++-14', 'clang++'):
        if shutil.which(name) and subprocess.run([name, '-std=c++20', '-fsyntax-only', '-xc++', '-'], input='#include <span>',
                                                 text=True, capture_output=True, check=False).returncode == 0:
            return name
    return None


@unittest.skipIf(os.environ.get('GRAPHWS_SAN'), 'a library with sanitizers does not load into plain programs')
@unittest.skipIf(compiler() is None, 'no compiler of C++20')
class Cpp(unittest.TestCase):
    def run_command(self, *argv, text=None):
        done = subprocess.run(argv, input=text, capture_output=True, text=True, check=False,
                              env=dict(os.environ, LD_LIBRARY_PATH=str(STAGE / 'lib')))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_octree_alone(self):
        """The other headers are the first ones of wrappers.cpp."""
        self.run_command(compiler(), *STRICT, '-fsyntax-only', '-xc++', '-', text='#include <graphws/cpp/octree.hpp>\n')

    def test_wrappers(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / 'wrappers'
            self.run_command(compiler(), *STRICT, SOURCE / 'tests/cpp/wrappers.cpp', '-o', program, '-L', STAGE / 'lib', '-lgraphws')
            self.assertEqual(self.run_command(program), '0 failures\n')


if __name__ == '__main__':
    sys.exit(unittest.main())
