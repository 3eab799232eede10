# SPDX-License-Identifier: MIT
"""The common part of dinan and rudolph: runs of gtask are measured in turn, stored as JSON lines, and reported as tables,
figures and claims of the paper with their results.

A paper defines suites {name: {...}} and parts {name: (runs of a suite and threads, report of findings)}.
A run is a list of gtask's arguments with a key such as ('UTS T3', 2, 'split'); a key of several parts is measured once."""
import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import median, quantiles

import claims
import measuring
import plotting
from measuring import Figure, Skipped

ROOT = Path(__file__).resolve().parents[2]
CHECKED = ('uts', 'bpc', 'quicksort', 'master-slave')  # a check of the others would run them serially
WRONG, MIN_CHANGE = 3, 0.03
KEYS = ('tasks', 'stolen', 'steals', 'failed_steals', 'aborted_steals', 'queue_high_water', 'queue_spread', 'efficiency',
        'work_efficiency', 'tasks_per_s')


class Result:
    """The results of a run: gtask's results of each round, as select() stores them."""

    def __init__(self, rounds):
        self.rounds = rounds

    def median(self, key):
        """None if gtask does not report it."""
        values = [one[key] for one in self.rounds if one[key] is not None]
        return median(values) if values else None

    def spread(self, key):
        """The same with the ends of its error bar."""
        values = [one[key] for one in self.rounds if one[key] is not None]
        return plotting.middle(values) if values else None

    def total(self, key):
        return sum(one[key] for one in self.rounds)

    def ms(self):
        return self.median('ms')

    def efficiency(self):
        """The share of time in which workers ran tasks."""
        return self.median('efficiency')

    def rate(self):
        """Millions a second of the counted unit."""
        return self.median('rate')

    def a_steal(self):
        return self.total('stolen') / self.total('steals') if self.total('steals') else None


class Findings:
    """suite: the work; threads: of the runs, ascending; busy: the machine had other load; results by key."""

    def __init__(self, suite, threads, busy):
        self.suite, self.threads, self.busy, self.results = suite, threads, busy, {}

    @property
    def max_threads(self):
        return max(self.threads)

    def has(self, *keys):
        return all(key in self.results for key in keys)

    def __getitem__(self, key):
        return self.results[key]

    def times_longer(self, key, than):
        """The median over the rounds, each of which measured both in turn."""
        return median(self.ratios(key, than))

    def spread_of_ratios(self, key, than):
        """times_longer() with the ends of its error bar."""
        return plotting.middle(self.ratios(key, than))

    def ratios(self, key, than):
        return [a['ms'] / b['ms'] for a, b in zip(self.results[key].rounds, self.results[than].rounds)]

    def noise(self, key, than):
        """The error of times_longer(): half of the interquartile range of the rounds, at least 3 %."""
        ratios = self.ratios(key, than)
        quarter = quantiles(ratios, n=4, method='inclusive') if len(ratios) > 1 else [1, 1, 1]
        return max(MIN_CHANGE, (quarter[2] - quarter[0]) / 2)

    def timed(self, holds):
        """The result of a claim about times; a failure on a machine with other load is undecided."""
        return holds if holds or not self.busy else None


def select(found):
    rate = next((key for key in found if key.endswith('_per_s') and key != 'tasks_per_s'), 'tasks_per_s')
    return {key: found[key] for key in KEYS} | {
        'runs': len(found['runs']), 'ms': found['ms']['median'], 'rate': found[rate] / 1e6, 'unit': rate[:-len('_per_s')]}


def measure(options, tools, found, runs, record, left_out):
    """Measures round after round; a run that fails or takes too long is left out afterwards."""
    progress = measuring.Progress(len(runs) * options.rounds, options.quiet)
    rounds = {key: [] for key in runs}
    for turn in range(options.rounds):
        for key, words in runs.items():
            progress.step(', '.join(map(str, key)))
            if key not in rounds:
                continue
            try:
                result = tools.attempt('gtask', [*words, f'--repeat={options.repeat}', '--warmup=1',
                                               *([f'--seed={options.seed}'] if measuring.draws('gtask', words) else []),
                                               *(['--verify'] if turn == 0 and words[0] in CHECKED else [])],
                                     options.limit)
            except Skipped as why:
                if why.status == WRONG:
                    raise SystemExit(f'{measuring.PROGRAM}: {", ".join(map(str, key))}: {why}') from why
                del rounds[key]
                left_out.append(f'{", ".join(map(str, key))}: {why}')
                continue
            rounds[key].append(select(result))
    for key, some in rounds.items():
        found.results[key] = Result(some)
        record(Figure(str(key[0]), ', '.join(map(str, key[1:])), 'ms', [one['ms'] for one in some], key=list(key),
                      rounds=some).record())
    return progress.end()


def read(path, paper):
    """(the first line, findings, omissions) of a file of --json."""
    lines = measuring.read_run(path, paper.name)
    about = lines[0]
    found = Findings(paper.suites[about['suite']], about['threads'], measuring.is_busy(about))
    for line in lines:
        if line['kind'] == 'figure':
            found.results[tuple(line['key'])] = Result(line['rounds'])
    return about, found, [what for line in lines if line['kind'] == 'end' for what in line['left_out']]


class Paper:
    """name: the program's; cited: as in "Dinan et al."; about: its help; suites and parts as above; beyond: experiments of
    the paper that are missing here, and the reasons."""

    def __init__(self, name, cited, about, suites, parts, beyond):
        self.name, self.cited, self.about, self.suites, self.parts, self.beyond = name, cited, about, suites, parts, beyond

    def runs(self, names, suite, threads):
        found = {}
        for name in names:
            found.update(self.parts[name][0](suite, threads))
        return found


def report(paper, options, about, found, left_out):
    parts = [paper.parts[name][1](found) for name in options.only]
    print(f'{about["date"]}, {about["cpu"]}, {about["cores"]} CPUs, {about["system"]}, load {about["load"]:.1f}, '
          f'{about["version"]}\n{about["command"]}\n{about["rounds"]} rounds of {about["repeat"]} runs'
          + (f', {about["seconds"]} s' if 'seconds' in about else '') + '\n' + measuring.load_note(about), end='')
    for part in parts:
        print(f'\n{part.title}\n\n{measuring.table(part.rows)}')
    print(f'\nClaims of the paper, and results here\n\n{claims.claims_table(parts, paper.cited + " say", small=about["suite"] == "smoke")}')
    if options.figures:
        left_out += plotting.draw_all([plot for part in parts for plot in part.plots], options, about)
    for what in [*left_out, *(paper.beyond if len(options.only) == len(paper.parts) else [])]:
        print(f'left out: {what}')


def parse(paper, arguments):
    parser = argparse.ArgumentParser(prog=paper.name, description=paper.about,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add('--suite', choices=paper.suites, default='quick', help='how much work (quick)')
    add('--quick', dest='suite', action='store_const', const='quick', help='the same as --suite quick')
    add('--only', type=measuring.words(paper.parts), default=list(paper.parts), metavar='PART,...',
        help='some of the experiments')
    add('--bin', default=ROOT / 'build' / 'bin', metavar='DIR', help='the folder of gtask (build/bin)')
    add('--threads', type=measuring.thread_counts, default=measuring.doubling(measuring.cpus()), metavar='LIST',
        help='1,2,4 ... all CPUs')
    add('--rounds', type=measuring.count(1), default=3, metavar='N', help='rounds in which all runs are measured in turn (3)')
    add('--repeat', type=measuring.count(1), default=3, metavar='N', help='runs of each in a round (3)')
    add('--limit', type=measuring.count(1), default=300, metavar='S', help='seconds that a round of one run may take; a '
        'slower one is left out (300)')
    add('--seed', type=int, default=1, help='seed of every random choice (1)')
    plotting.add_options(add)
    add('--json', metavar='FILE', help='write every value to FILE, an object a line')
    add('--from', dest='earlier', metavar='FILE', help='measure nothing: report the results in an earlier --json')
    add('--quiet', action='store_true', help='print no progress')
    return parser.parse_args(arguments)


def reproduce(paper, options):
    tools = measuring.Tools(options.bin, lambda text: None, ['gtask'])
    threads, left_out = sorted(set(options.threads)), []
    about = measuring.about_run(sys.argv[1:], tools.version(), paper.name) | {
        'paper': paper.name, 'suite': options.suite, 'threads': threads, 'rounds': options.rounds, 'repeat': options.repeat}

    def record(line, mode='a'):
        if options.json:
            measuring.append(options.json, line, mode)

    record(about, 'w')
    found = Findings(paper.suites[options.suite], threads, measuring.is_busy(about))
    taken = measure(options, tools, found, paper.runs(options.only, found.suite, threads), record, left_out)
    record({'kind': 'end', 'seconds': round(taken, 1), 'left_out': left_out})
    report(paper, options, about | {'seconds': round(taken)}, found, left_out)


def main(paper):
    try:
        options = parse(paper, sys.argv[1:])
        if options.earlier:
            about, found, left_out = read(options.earlier, paper)
            report(paper, options, about, found, left_out)
        else:
            reproduce(paper, options)
    except (OSError, ValueError, LookupError, subprocess.CalledProcessError) as problem:
        sys.exit(f'{paper.name}: {problem}')
    except KeyboardInterrupt:
        sys.exit(130)
