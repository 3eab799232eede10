# SPDX-License-Identifier: MIT
"""The base of the programs in datasets/bench: tools, machine, programs compiled at run time, figures and their table."""
import argparse
import json
import os
import platform
import shlex
import shutil
import statistics
import subprocess
import sys
import threading
import time
import zlib
from datetime import datetime, timezone
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAM = Path(sys.argv[0]).name


class Skipped(Exception):
    """A measurement that is not possible here; the text is the reason. status: the exit status of a tool that failed."""
    status = None


class Progress:
    """The progress of a program on standard error: a bar in one line on a terminal, otherwise a line for each step."""

    def __init__(self, steps, quiet):
        self.steps, self.quiet, self.done, self.began = max(steps, 1), quiet, 0, time.monotonic()
        self.terminal = sys.stderr.isatty()

    def step(self, text):
        """Begins the next step."""
        taken = time.monotonic() - self.began
        left = f', about {taken / self.done * (self.steps - self.done):.0f} s to go' if self.done else ''
        full = min(20, 20 * self.done // self.steps)
        self.done += 1
        if self.quiet:
            return
        if self.terminal:
            width = shutil.get_terminal_size().columns - 1
            print('\r' + f'[{"#" * full}{"." * (20 - full)}] {taken:.0f} s{left}: {text}'[:width] + '\033[K', end='',
                  file=sys.stderr, flush=True)
        else:
            print(f'  {taken:4.0f} s  {self.done}/{self.steps}  {text}', file=sys.stderr, flush=True)

    def end(self):
        """Clears the bar. Returns the total seconds."""
        if self.terminal and not self.quiet and self.done:
            print('\r\033[K', end='', file=sys.stderr, flush=True)
        return time.monotonic() - self.began


class Figure:
    """A measured quantity: its values, and the floor and goal to compare with. extra is copied to the JSON."""

    def __init__(self, section, name, unit, values, floor=None, goal=None, remark='', shown=True, more_is_better=False,
                 **extra):
        self.section, self.name, self.unit, self.values = section, name, unit, list(values)
        self.floor, self.goal, self.remark, self.shown, self.extra = floor, goal, remark, shown, extra
        self.more_is_better = more_is_better
        self.median = statistics.median(self.values)

    def quartiles(self):
        if len(self.values) < 2:
            return [self.median] * 2
        quarter = statistics.quantiles(self.values, n=4, method='inclusive')
        return [quarter[0], quarter[2]]

    def record(self):
        low, high = self.quartiles()
        return {'kind': 'figure', 'section': self.section, 'name': self.name, 'unit': self.unit, 'median': self.median,
                'min': min(self.values), 'max': max(self.values), 'q1': low, 'q3': high, 'runs': len(self.values),
                'floor': self.floor, 'goal': self.goal, 'more_is_better': self.more_is_better, 'remark': self.remark,
                'values': self.values, **self.extra}

    def against(self, old):
        """The difference to an earlier record, as text. It counts if the medians are more than 5 % apart and the
        interquartile ranges do not overlap."""
        low, high = self.quartiles()
        change = self.median / old['median'] - 1 if old['median'] else 0.0
        if abs(change) <= 0.05 or (low <= old['q3'] and old['q1'] <= high):
            return f'{change:+.0%}'
        return f'{change:+.0%} ' + ('BETTER' if (change > 0) == self.more_is_better else 'WORSE')


def number(value):
    """Three significant digits."""
    if value is None:
        return '-'
    return f'{value:.0f}' if abs(value) >= 100 else f'{value:.3g}'


def table(rows):
    """Rows of strings as an aligned Markdown table; the first row is the head."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ['| ' + ' | '.join(cell.ljust(width) for cell, width in zip(row, widths)) + ' |' for row in rows]
    return '\n'.join([lines[0], '|' + '|'.join('-' * (width + 2) for width in widths) + '|'] + lines[1:])


def figures_table(figures, baseline):
    """The table of figures; baseline maps (section, name) to an earlier record."""
    head = ['part', 'what', 'unit', 'median', 'min', 'max', 'runs', 'floor', 'goal', 'remark']
    rows = [head + (['change'] if baseline else [])]
    for figure in figures:
        if figure.shown:
            old = baseline.get((figure.section, figure.name))
            rows.append([figure.section, figure.name, figure.unit, number(figure.median), number(min(figure.values)),
                         number(max(figure.values)), str(len(figure.values)), number(figure.floor),
                         figure.goal or '-', figure.remark] + ([figure.against(old) if old else 'new'] if baseline else []))
    return table(rows)


def read_records(path):
    return [json.loads(line) for line in Path(path).read_text(encoding='utf-8').splitlines()]


def read_run(path, program):
    """The records of a file of --json that the program wrote (see about_run())."""
    records = read_records(path)
    if not records or not records[0].get('command', '').startswith(f'datasets/bench/{program}'):
        raise ValueError(f'{path} was not written by this program')
    return records


def read_baseline(path):
    return {(r['section'], r['name']): r for r in read_records(path) if r['kind'] == 'figure'}


def words(known=None):
    def split(text):
        found = text.split(',')
        if known and not set(found) <= set(known):
            raise argparse.ArgumentTypeError(f'one or several of {",".join(known)}')
        return found
    return split


def names(known):
    """A parser of names that may contain commas, with semicolons between."""
    def split(text):
        found = text.split(';')
        if not set(found) <= set(known):
            raise argparse.ArgumentTypeError(f'one or several of {";".join(known)}')
        return found
    return split


def road_files(name):
    """The possible file names of a road map of the 9th DIMACS challenge: as published, unpacked, or PACE's copy."""
    return (f'USA-road-d.{name}.gr.gz', f'USA-road-d.{name}.gr', f'pace16-{name}.gr.gz')


def find(folder, names):
    """The first of the files that exists anywhere below folder, or None."""
    return next((path for name in names for path in sorted(Path(folder).rglob(name))), None)


def add_common(add, root, tools):
    """Adds the options of programs that read data sets; add is a parser's add_argument."""
    add('--bin', default=root / 'build' / 'bin', metavar='DIR', help=f'the folder of {tools} (build/bin)')
    add('--seed', type=int, default=1, help='seed of the sources (1)')
    add('--datasets', type=Path, metavar='DIR', help='the folder of the maps (the environment variable '
        'GRAPHWS_DATASETS)', default=Path(os.environ.get('GRAPHWS_DATASETS', root.parent / 'shared' / 'datasets')))
    add('--json', metavar='FILE', help='write every value to FILE, an object a line')
    add('--quiet', action='store_true', help='print no progress')


def thread_counts(text):
    try:
        counts = [int(word) for word in text.split(',')]
    except ValueError:
        counts = [0]
    if min(counts) < 1:
        raise argparse.ArgumentTypeError('numbers of threads, such as 1,2,4')
    return counts


def doubling(maximum):
    """1, 2, 4 ... and the maximum."""
    return sorted({maximum, *(1 << i for i in range(maximum.bit_length()) if 1 << i <= maximum)})


def count(minimum):
    """A parser of whole numbers for an option."""
    def read_count(text):
        if not text.isdecimal() or int(text) < minimum:
            raise argparse.ArgumentTypeError(f'a whole number from {minimum} on')
        return int(text)
    return read_count


def counts(text):
    """A parser of lists of whole numbers for an option."""
    found = [int(word) for word in text.split(',') if word.isdecimal()]
    if len(found) != len(text.split(',')) or min(found, default=0) < 1:
        raise argparse.ArgumentTypeError('whole numbers from 1 on, with commas between')
    return found


def line_of(record):
    """A line of JSON."""
    return json.dumps(record) + '\n'


def append(path, line, mode='a'):
    """Writes at once, so that an interrupted run keeps its results."""
    with open(path, mode, encoding='utf-8') as file:
        file.write(line_of(line))


def cpu_model():
    try:
        for line in Path('/proc/cpuinfo').read_text(encoding='utf-8').splitlines():
            if line.startswith('model name'):
                return line.split(':', 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def cpus():
    return len(os.sched_getaffinity(0))


def about_run(arguments, version, program='run'):
    """The first line of the JSON: date, machine and command."""
    return {'kind': 'run', 'date': datetime.now(timezone.utc).isoformat(timespec='seconds'), 'cpu': cpu_model(),
            'cores': cpus(), 'system': f'{platform.system()} {platform.release()}', 'load': os.getloadavg()[0],
            'version': version, 'command': shlex.join(['datasets/bench/' + program, *arguments])}


def load_note(about):
    """A warning about other load on the machine, or nothing."""
    if not is_busy(about):
        return ''
    return f'the machine has other load ({about["load"]:.1f}): times and efficiencies are less reliable\n'


def is_busy(about):
    """Whether the machine had other load when the run began."""
    return about['load'] > 0.25 * about['cores'] + 0.5


def draws(tool, words):
    """Whether the work depends on --seed. The victims of thieves depend on it, too, but keep the default seed."""
    return tool == 'gbfs' or words[0] == 'quicksort' or any('bodies' in str(word) or 'potentials' in str(word) for word in words)


class Tools:
    """Runs the tools of a folder; by default gbfs and gconvert."""

    def __init__(self, folder, say, names=('gbfs', 'gconvert')):
        self.folder, self.say, self.names = Path(folder).resolve(), say, names
        for name in names:
            if not os.access(self.folder / name, os.X_OK):
                raise SystemExit(f'{PROGRAM}: {name} is not in {folder}; build it, or name its folder with --bin')

    def version(self):
        return subprocess.run([self.folder / self.names[0], '--version'], capture_output=True, text=True,
                              check=True).stdout.strip()

    def json(self, name, *arguments):
        """(a tool's JSON, its peak resident memory in bytes)."""
        command = [str(self.folder / name), *map(str, arguments), '--json']
        self.say(shlex.join([name, *command[1:]]))
        with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
            text = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f'{PROGRAM}: {shlex.join(command)}: exit status {process.returncode}')
        return json.loads(text), usage.ru_maxrss * 1024

    def attempt(self, name, arguments, limit):
        """A tool's JSON. Raises Skipped with the tool's message if it fails or takes longer than limit seconds."""
        try:
            done = subprocess.run([str(self.folder / name), *map(str, arguments), '--json'], capture_output=True,
                                  text=True, check=False, stdin=subprocess.DEVNULL, timeout=limit)
        except subprocess.TimeoutExpired as slow:
            raise Skipped(f'it takes longer than {limit} s') from slow
        if done.returncode:
            lines = done.stderr.strip().splitlines() or [f'exit status {done.returncode}']
            failed = Skipped(lines[-1].removeprefix(name + ': '))
            failed.status = done.returncode
            raise failed
        return json.loads(done.stdout)

    def gbfs(self, graph, *options):
        return self.json('gbfs', *options, graph)

    def convert(self, graph, out, *options):
        self.say(f'gconvert {graph} {Path(out).name}')
        subprocess.run([self.folder / 'gconvert', '--quiet', *options, graph, out], check=True,
                       stdin=subprocess.DEVNULL)
        return out


def compute_units(tools, device):
    """The compute units of a device such as cuda or opencl:1, as gdevices reports them. Raises Skipped without the device."""
    known = tools.attempt('gdevices', [], 60)['devices']
    units = [one['units'] for one in known if device in (one['device'], one['device'].partition(':')[0])]
    if not units:
        raise Skipped(f'gdevices reports no device {device}; name the numbers of groups with --groups')
    return units[0]


def compiler():
    for name in [os.environ.get('CC'), 'cc', 'gcc', 'clang']:
        if name and shutil.which(name.split()[0]):
            return name.split()
    raise Skipped('no C compiler')


def compile_here(name, folder, packages=(), flags=()):
    """Compiles HERE/name.c in folder. Raises Skipped if the compiler or a package is missing."""
    program = Path(folder) / name
    if program.exists():
        return program
    words = [*compiler(), '-std=c11', '-O3', str(HERE / (name + '.c')), '-o', str(program), *flags]
    if packages:
        try:
            found = subprocess.run(['pkg-config', '--cflags', '--libs', *packages], capture_output=True, text=True,
                                   check=False)
        except OSError as problem:
            raise Skipped('no pkg-config') from problem
        if found.returncode:
            raise Skipped('not installed')
        words += found.stdout.split()
    made = subprocess.run(words, capture_output=True, text=True, check=False)
    if made.returncode:
        raise Skipped('does not compile: ' + (made.stderr.splitlines() or ['?'])[0])
    return program


class Bandwidth:
    """The memory bandwidth of `threads` threads: measured by stream.c, or given."""

    def __init__(self, given, folder, megabytes):
        self.given, self.folder, self.megabytes, self.known, self.why = given, folder, megabytes, {}, None

    def __call__(self, threads):
        """GB/s, or None if unknown; then .why is the reason."""
        if self.given:
            return self.given
        if threads not in self.known and not self.why:
            try:
                stream = compile_here('stream', self.folder, flags=['-pthread'])
                done = subprocess.run([stream, str(threads), str(self.megabytes)], capture_output=True, text=True,
                                      check=True)
                self.known[threads] = float(done.stdout)
            except (Skipped, subprocess.CalledProcessError) as problem:
                self.why = f'{problem}; give --bandwidth GB/s'
        return self.known.get(threads)

    def floor_ms(self, size, threads):
        """The minimum milliseconds for moving size bytes."""
        rate = self(threads)
        return size / (rate * 1e6) if rate else None


def checksums_ms(threads, megabytes=16):
    """The milliseconds of `threads` threads for one checksum of zeros each: the current speed of the machine."""
    data = bytes(megabytes << 20)
    began = time.perf_counter()
    workers = [threading.Thread(target=zlib.crc32, args=(data,)) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return (time.perf_counter() - began) * 1e3


def inflate_ms(path, clock):
    """The milliseconds of zlib alone for the file, with checksum, in pieces of 256 KiB that are discarded."""
    began = clock()
    with open(path, 'rb') as file:
        inflate = zlib.decompressobj(31)
        while piece := file.read(1 << 18):
            while piece:
                inflate.decompress(piece, 1 << 20)
                piece = inflate.unconsumed_tail
    return (clock() - began) * 1e3
