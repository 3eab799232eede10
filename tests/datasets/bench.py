# SPDX-License-Identifier: MIT
"""The common parts of the tests of the benchmarks' programs."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

SOURCE = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
BUILD = Path(os.environ.get('GRAPHWS_BUILD', SOURCE / 'build'))
BIN = BUILD / 'bin'
BENCH = SOURCE / 'datasets' / 'bench'
sys.dont_write_bytecode = True
sys.path.insert(0, str(BENCH))


def load_program(name):
    """The module of a program."""
    loader = SourceFileLoader(name, str(BENCH / name))
    sys.modules[name] = module_from_spec(spec_from_loader(name, loader))
    loader.exec_module(sys.modules[name])
    return sys.modules[name]


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def write_records(path, lines):
    path.write_text(''.join(json.dumps(line) + '\n' for line in lines))


def cells(text):
    """The cells of each line of tables."""
    return [[cell.strip() for cell in line.strip('|').split('|')] for line in text.splitlines() if line.startswith('|')]


def claims_of(text):
    """{claim of a paper: (result, whether it holds)}"""
    return {says: (here, holds) for _, says, here, holds in cells(text.split('Claims of the paper')[1])[2:]}


class BenchTest(unittest.TestCase):
    program, always = None, ()  # the program's name, and arguments of each run

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.file = self.folder / 'values.json'

    def run_bench(self, *arguments, **environment):
        return subprocess.run([sys.executable, '-B', BENCH / self.program, *self.always, *arguments],
                              env=dict(os.environ, **environment), capture_output=True, text=True, check=False, timeout=400)

    def output(self, *arguments, **environment):
        """What a run prints that succeeds without errors."""
        done = self.run_bench(*arguments, **environment)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        return done.stdout

    def check_refused(self, cases, *first):
        """For each (arguments, words), a run ends with 1 or 2, prints only errors, with these words, and no traceback."""
        for arguments, words in cases:
            done = self.run_bench(*first, *arguments)
            self.assertIn(done.returncode, (1, 2), arguments)
            self.assertEqual(done.stdout, '', arguments)
            self.assertIn(words, done.stderr)
            self.assertNotIn('Traceback', done.stderr)

    def check_foreign_file(self):
        """The program refuses a file of another one."""
        self.file.write_text('{"kind": "run"}\n')
        self.check_refused([(['--from', self.file], 'was not written by this program')])
