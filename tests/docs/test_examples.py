# SPDX-License-Identifier: MIT
"""Every build file in docs/examples builds its program against the installed library, and the program prints the expected output."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
STAGE = Path(os.environ.get('GRAPHWS_BUILD', SOURCE / 'build')).resolve() / 'stage'
EXAMPLES = SOURCE / 'docs' / 'examples'
EXPECTED = ''.join(f'{v} is {depth} away\n' for v, depth in enumerate((0, 1, 2, 2, 1)))


def skip(what):
    """Prints, at the start of a line, the part of a test that is skipped."""
    print(f'\nskipped: {what}', flush=True)


@unittest.skipIf(os.environ.get('GRAPHWS_SAN'), 'a library with sanitizers does not load into plain programs')
class Examples(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name) / 'examples'
        shutil.copytree(EXAMPLES, self.folder)

    def run_command(self, *argv):
        env = dict(os.environ, PKG_CONFIG_PATH=str(STAGE / 'lib/pkgconfig'), LD_LIBRARY_PATH=str(STAGE / 'lib'),
                   GRAPHWS_LIBRARY=str(STAGE / 'lib/libgraphws.so'))
        done = subprocess.run(argv, cwd=self.folder, env=env, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def built_by(self, tool, *commands, program='build/bfs_on_my_edges'):
        if shutil.which(tool) is None:
            return skip(f'the example for {tool}, which is not here')
        for command in commands:
            self.run_command(*command)
        return self.assertEqual(self.run_command(f'./{program}'), EXPECTED)

    def compiled(self, name):
        """Compiles an example of at most 70 lines as a user does, without warnings. Returns its output."""
        self.assertLessEqual(len((EXAMPLES / f'{name}.c').read_text().splitlines()), 70)
        flags = self.run_command('pkg-config', '--cflags', '--libs', 'graphws').split()
        self.run_command(os.environ.get('CC', 'gcc'), '-std=c11', '-Wall', '-Wextra', '-Wpedantic', '-Werror', f'{name}.c',
                         '-o', name, *flags)
        return self.run_command(f'./{name}')

    def test_own_task(self):
        self.assertEqual(self.compiled('own_task'), '10 queens stand in 724 ways\n')
        for size, solutions in ((1, 1), (3, 0), (6, 4), (8, 92)):
            self.assertEqual(self.run_command('./own_task', str(size)), f'{size} queens stand in {solutions} ways\n')

    def device_example(self, source, wrapper, macro):
        """Compiles an example's source for CUDA. Returns whether there is an OpenCL device to run it."""
        nvcc = shutil.which('nvcc') or shutil.which('/usr/local/cuda/bin/nvcc')
        if nvcc:
            self.run_command(nvcc, '-fatbin', '-std=c++17', '-arch=sm_80', '-I.', f'-D{macro}="{source}"',
                             STAGE / 'share/graphws/kernels' / wrapper, '-o', Path(source).with_suffix('.fatbin'))
        else:
            skip(f'{source} on a CUDA device, without nvcc')
        if 'opencl:' in subprocess.run([STAGE / 'bin/gdevices'], capture_output=True, text=True, check=False).stdout:
            return True
        skip(f'{source}, without an OpenCL device')
        return False

    def test_own_fed_kernel(self):
        if self.device_example('primes.cl', 'hetero/own_queue.cu', 'KERNEL_SOURCE'):
            self.assertEqual(self.compiled('own_fed_kernel'), '9592 primes below 100000\n')

    def test_own_device_task(self):
        if not self.device_example('queens.cl', 'task/own_task.cu', 'TASK_SOURCE'):
            return
        self.assertEqual(self.compiled('own_device_task'), '10 queens stand in 724 ways\n')
        for size, solutions in ((1, 1), (3, 0), (6, 4), (8, 92)):
            self.assertEqual(self.run_command('./own_device_task', str(size), 'opencl'),
                             f'{size} queens stand in {solutions} ways\n')

    def test_own_policy(self):
        self.assertEqual(self.compiled('own_policy'), '2692537 tasks, all of them\n')

    def test_make(self):
        self.built_by('make', ['make'], program='bfs_on_my_edges')

    def test_cmake(self):
        self.built_by('cmake', ['cmake', '-B', 'build'], ['cmake', '--build', 'build'])

    def test_meson(self):
        self.built_by('meson', ['meson', 'setup', 'build'], ['meson', 'compile', '-C', 'build'])

    def test_python(self):
        try:
            import numpy  # noqa: F401  (the example needs it)
        except ImportError:
            skip('the example for Python, which needs numpy')
            return
        self.assertEqual(self.run_command(sys.executable, 'bfs_on_my_edges.py'), EXPECTED)


if __name__ == '__main__':
    unittest.main()
