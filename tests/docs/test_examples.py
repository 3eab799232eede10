# SPDX-License-Identifier: MIT
"""Every build file in docs/examples builds its program against the installed library, and the program prints the expected output."""
import json
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
                   PYTHONPATH=str(STAGE / 'lib/python3/dist-packages'))
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

    def test_record_tasks(self):
        self.assertEqual(self.compiled('record_tasks'), '465 tasks are in tasks.txt\n')
        found = json.loads(self.run_command(STAGE / 'bin/gsim', 'recorded', '--tasks', 'tasks.txt', '--json'))
        self.assertEqual((found['tasks'], found['groups'], found['depth']), (465, 465, 12))

    def device_example(self, source, wrapper, macro):
        """Compiles an example's source for CUDA, alone or in a wrapper. Returns whether there is an OpenCL device to run it."""
        wrapped = ['-I.', f'-D{macro}="{source}"', STAGE / 'share/graphws/kernels' / wrapper] if wrapper else ['-x', 'cu', source]
        nvcc = shutil.which('nvcc') or shutil.which('/usr/local/cuda/bin/nvcc')
        if nvcc:
            self.run_command(nvcc, '-fatbin', '-std=c++17', '-arch=sm_80', *wrapped, '-o', Path(source).with_suffix('.fatbin'))
        else:
            skip(f'{source} on a CUDA device, without nvcc')
        if 'opencl:' in subprocess.run([STAGE / 'bin/gdevices'], capture_output=True, text=True, check=False).stdout:
            return True
        skip(f'{source}, without an OpenCL device')
        return False

    def test_threads_and_cancel(self):
        self.assertEqual(self.compiled('threads_and_cancel'),
                         'the searches reached 1000000 vertices: success\nthe other thread: cancelled\n')

    def test_own_kernel(self):
        if self.device_example('collatz.cl', None, None):
            self.assertEqual(self.compiled('own_kernel'), 'the longest chain below 1000000 has 524 steps\n')

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
        """find_package() finds the installed tree, in C and C++, with the shared and the static library."""
        self.built_by('cmake', ['cmake', '-B', 'build', f'-DCMAKE_PREFIX_PATH={STAGE}'], ['cmake', '--build', 'build'])
        if shutil.which('cmake'):
            output = self.run_command('build/algorithms').splitlines()
            self.assertEqual(output[2], '2 is 2 edges and 5 units away')
            self.assertEqual(output[5:], ['2 components', 'point 88383 is 0.01204 from the centre',
                                          'point 34275 is 0.01366 from the centre', 'point 72780 is 0.01929 from the centre',
                                          'missing.gr: cannot open: No such file or directory'])
            dynamic = self.run_command('ldd', 'build/algorithms')
            self.assertNotIn('libgraphws', dynamic)

    def test_cmake_versions(self):
        """find_package() accepts requests for this version and earlier minor ones of the same major version."""
        if shutil.which('cmake') is None:
            return
        (self.folder / 'CMakeLists.txt').write_text(
            'cmake_minimum_required(VERSION 3.16)\nproject(versions NONE)\nforeach(version 0.9 1 1.0.0 1.9 2)\n'
            'find_package(graphws ${version} QUIET)\nmessage(STATUS "${version}: ${graphws_FOUND}")\n'
            'unset(graphws_DIR CACHE)\nendforeach()\n')
        output = self.run_command('cmake', '-B', 'build', f'-DCMAKE_PREFIX_PATH={STAGE}')
        self.assertEqual([line[3:] for line in output.splitlines() if line[-1] in '01'],
                         ['0.9: 0', '1: 1', '1.0.0: 1', '1.9: 0', '2: 0'])

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
