# SPDX-License-Identifier: MIT
"""Runs every command in README, docs, man pages and --help, in one folder, and each text of a command once. Every command
must succeed, and output that a page shows must match except for times and for numbers that depend on steals."""
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pages

SOURCE = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
BUILD = Path(os.environ.get('GRAPHWS_BUILD', SOURCE / 'build')).resolve()
NO_DEVICE = 4  # gbfs's exit status
TEXTS = [SOURCE / 'README.md', *sorted((SOURCE / 'docs').glob('*.md'))]
SCAN = ('VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 3\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\n'
        'POINTS 3\nDATA ascii\n0 0 0\nnan nan nan\n1 1 1\n')
# Creates the files that the examples name.
MAKE = '''
gconvert --quiet road:5000 USA-road-d.NY.gr.gz && gconvert --quiet road:5000 NY.co && gzip -c NY.co > USA-road-d.NY.co.gz
gconvert --quiet kron:8 web.txt.gz
goctree --quiet --out bunny.ply uniform:2000
gconvert --quiet road:2000 roads.gr.gz && gconvert --quiet road:2000 roads.co.gz
cp bunny.ply scan.ply
printf 'follower,followee\\nalice,bob\\nbob,carol\\n' > friends.csv
printf 'nearest 0 0 0 3\\n' > queries.txt
printf '1\\n2\\n3\\n' > g.v && printf '1 2 .5\\n3 1 .25\\n' > g.e
'''
UNIT = r'(?:ns|µs|us|ms|s|[kMGT]?B|[KMGT]iB|M? ?nodes/s|M?/s|[kMG]?/s|[MG]TEPS|[kMG]? ?points/s|[kMG]? ?keys/s|%)'
NUMBER = r'(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:e[-+]\d+)?'
# First words of lines about inputs and results: their numbers are the same on every machine.
EXACT = ('graph', 'read', 'wrote', 'reached', 'tree', 'points', 'box', 'leaves', 'work', 'input', 'search', 'workers', 'builder')
# Inputs that take seconds on the pages are smaller here. Then no number is compared.
SMALLER = {'plummer:15M': 'plummer:100k', 'kron:20': 'kron:14'}
# First words of tables by worker, whose columns and rows depend on the machine and the run.
ROWS = ('worker', 'cpu', 'group', 'all', 'of', 'groups')


def skip(what):
    """Prints, at the start of a line, the part of a test that is skipped."""
    print(f'\nskipped: {what}', flush=True)


def smaller(text):
    for large, small in SMALLER.items():
        text = text.replace(large, small)
    return text


def masked(line):
    """Returns the line without parts that differ between machines and runs."""
    word = line.split()[0] if line.split() else ''
    if word in ROWS:
        return word
    line = re.sub(rf'{NUMBER} ?{UNIT}(?![\w])', '#', line)
    if word not in EXACT:
        line = re.sub(NUMBER, '#', line)
    line = re.sub(r'; # failed.*| # failed.*', ' failed', line) if word == 'stolen' else line
    line = re.sub(r'^(device\s+\S+?):.*', r'\1', line)
    return ' '.join(re.sub(r'\b\d+ threads?\b', '# threads', line).split())


def of_output(lines):
    """Masks the lines and removes repeated ones."""
    found = [masked(line) for line in lines if line.strip()]
    return [line for before, line in zip([None] + found, found) if line != before]


def of_search(lines):
    """Returns the lines of a device search that do not depend on the device."""
    return [masked(line) for line in lines if line.startswith(('graph', 'reached', 'verified'))]


def two_cpus():
    """Restricts the commands to two CPUs, as the pages show."""
    allowed = sorted(os.sched_getaffinity(0))[:2]
    return lambda: os.sched_setaffinity(0, allowed)


@unittest.skipIf(os.environ.get('GRAPHWS_SAN'), 'a build with sanitizers is not what the pages show')
class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = Path(holder.name)
        cls.done = {}  # text of a command: its end
        stage = BUILD / 'stage'
        cls.env = dict(os.environ, PATH=f'{BUILD / "bin"}:{os.environ["PATH"]}', LC_ALL='C.UTF-8',
                       PKG_CONFIG_PATH=str(stage / 'lib/pkgconfig'), LD_LIBRARY_PATH=str(stage / 'lib'),
                       PYTHONPATH=str(stage / 'lib/python3/dist-packages'))
        with gzip.open(cls.folder / 'scan.pcd.gz', 'wt') as out:
            out.write(SCAN)
        for path in (SOURCE / 'docs/examples').iterdir():
            shutil.copy(path, cls.folder)
        cls.shell(MAKE)

    @classmethod
    def shell(cls, text):
        text = smaller(text)
        if text not in cls.done:
            cls.done[text] = subprocess.run(['bash', '-c', text], cwd=cls.folder, env=cls.env, stdin=subprocess.DEVNULL,
                                            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                                            timeout=280, preexec_fn=two_cpus())
        return cls.done[text]

    def run_all(self, page, commands):
        for command in commands:
            where = f'{page}:{command.line}: {command.text}'
            if command.why_not:
                print(f'\nnot run: {where}: {command.why_not}', flush=True)
                continue
            done = self.shell(command.text)
            if done.returncode == NO_DEVICE and '--device' in command.text:
                skip(f'{where}: {done.stdout.strip()}')
                continue
            self.assertEqual(done.returncode, 0, f'{where}\n{done.stdout}')
            if command.shown is not None and '--device' in command.text:
                self.assertEqual(of_search(done.stdout.splitlines()), of_search(command.shown), f'{where}\n{done.stdout}')
            elif command.shown is not None:
                found, shown = of_output(done.stdout.splitlines()), of_output(command.shown)
                if smaller(command.text) != command.text:
                    found, shown = ([re.sub(NUMBER, '#', smaller(line)) for line in lines] for lines in (found, shown))
                self.assertEqual(found, shown, f'{where}\n{done.stdout}')

    def test_texts(self):
        found = {path: pages.of_markdown(path.read_text()) for path in TEXTS}
        self.assertGreater(sum(map(len, found.values())), 8)
        for path, commands in found.items():
            with self.subTest(path.name):
                self.run_all(path.name, commands)

    def test_man_pages(self):
        for path in sorted((BUILD / 'man').iterdir()):
            text = path.read_text()
            commands = pages.of_man(text)
            shown = [line for line in text.splitlines() if line.startswith('.Dl ') and ': message' not in line]
            self.assertEqual(len(commands), len(shown))  # no displayed command is missed
            self.assertTrue(commands or path.name == 'gdevices.1')
            with self.subTest(path.name):
                self.run_all(path.name, commands)

    def test_help(self):
        for path in sorted((SOURCE / 'tools').glob('*.c')):
            with self.subTest(path.stem):
                self.run_all(f'{path.stem} --help', pages.of_help(BUILD / 'bin' / path.stem))

    def test_options_in_running_text(self):
        for path in [*sorted((SOURCE / 'datasets/bench/results').glob('*.md')), *TEXTS]:
            for call in pages.spans(path.read_text()):
                known = subprocess.run([BUILD / 'bin' / call.split()[0], '--help'], capture_output=True, text=True,
                                       check=True).stdout
                for option in re.findall(r'(?<!\S)(--[a-z-]+)', call):
                    self.assertRegex(known, rf'(?m)^ .*{option}\b', f'{path.name}: {call}')

    def test_calls_in_running_text(self):
        """Calls succeed. A call without input or device is only part of a command; its only error is the missing part."""
        ran = 0
        for path in TEXTS:
            for call in pages.spans(path.read_text()):
                done = self.shell(call)
                self.assertIn(done.returncode, (0, 2, NO_DEVICE), f'{path.name}: {call}: {done.stdout}')
                if done.returncode == 2:
                    self.assertRegex(done.stdout, 'expected (a GRAPH|a WORKLOAD|POINTS|IN and OUT)|requires a device, and --device names none', f'{path.name}: {call}')
                if done.returncode == NO_DEVICE:
                    self.assertIn('--device', call)
                ran += done.returncode == 0
        self.assertGreater(ran, 4)

    def test_scripts_in_running_text(self):
        """Scripts know the options and arguments of their calls."""
        build = ''.join(path.read_text() for path in [SOURCE / 'SConstruct', *(SOURCE / 'site_scons').glob('*.py'),
                                                      SOURCE / 'tests/SConscript'])
        found = [(path, call) for path in TEXTS for call in pages.scripts(path.read_text())]
        self.assertGreater(len(found), 10)
        for path, call in found:
            script, *words = call.split()
            text = build if script == 'scons' else (SOURCE / script).read_text()
            for word in words:
                name = re.match('[A-Z]+$|-[a-z]$|build/|([\\w-]+)', word)  # the name of a value, an option of scons, a file
                self.assertIsNotNone(name, f'{path.name}: {call}')
                if name[1]:
                    self.assertRegex(text, rf"\b{name[1].lstrip('-')}\b", f'{path.name}: {call}')

    def test_picture(self):
        """README's picture equals the output of its command."""
        self.run_all('README.md', [one for one in pages.of_markdown((SOURCE / 'README.md').read_text()) if 'roads.svg' in one.text])
        self.assertEqual((self.folder / 'roads.svg').read_text(), (SOURCE / 'docs/roads.svg').read_text())


class Extraction(unittest.TestCase):
    """The parser of the pages finds commands, and the comparison finds differences."""

    def test_markdown(self):
        text = 'Words\n\n    $ gbfs x --a\n    graph 1\n    $ b\n\n```c\nint x;\n```\n<!-- not run: no -->\n\n    sudo rm\n    ls\n'
        found = pages.of_markdown(text)
        self.assertEqual([(one.text, one.shown, one.why_not) for one in found],
                         [('gbfs x --a', ['graph 1'], None), ('b', [''], None), ('sudo rm', None, 'no'), ('ls', None, 'no')])
        with self.assertRaises(ValueError):
            pages.of_markdown('```\nwhat\n```\n')

    def test_man(self):
        text = '.Dl gbfs: FILE: message\n.Dl gbfs a\n.\\" not run: no\n.Dl echo 1 | gtask b\n'
        self.assertEqual([(one.text, one.why_not) for one in pages.of_man(text)], [('gbfs a', None), ('echo 1 | gtask b', 'no')])

    def test_masks(self):
        same = [('time  9.31 ms median of 16 runs (7 ms)', 'time 1.2 s median of 16 runs (1 ns)'), ('cpu 0  1', 'cpu 0 22'),
                ('graph  a: 1 vertex, ready in 2 ms', 'graph a: 1 vertex, ready in 1.3 s')]
        for a, b in same:
            self.assertEqual(masked(a), masked(b))
        self.assertNotEqual(masked('graph a: 1 vertex'), masked('graph a: 2 vertex'))
        self.assertNotEqual(masked('verified every run is correct'), masked('verified no run is correct'))
        self.assertEqual(of_output(['cpu 0 1', 'cpu 1 2', '', 'all 3']), ['cpu', 'all'])


if __name__ == '__main__':
    sys.exit(unittest.main())
