# SPDX-License-Identifier: MIT
"""The stored results behind docs/claims.md, in datasets/bench/results/claims: figures by name and run (measured.json), simulations
(simulated.json, and boxes.json, by madness_stealing.c), and the --json of the programs of single papers (chen-1.json), with the name of the machine added. A claim is a row of the page."""
import json
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Callable, NamedTuple

import reproducing
from claims import EXCEEDS, ON

HERE = Path(__file__).resolve().parent
FOLDER = HERE / 'results' / 'claims'
PAPERS = ('cederman', 'chen', 'dinan', 'rudolph')  # each with a program of that name, which can read its --json again
HOLDS, FAILS, SMALL = 'holds', 'does not hold', 'too small to tell'
WORDS = {True: HOLDS, False: FAILS, None: SMALL}


class Claim(NamedTuple):
    """where: figure or section. measured, simulated: functions of the store that return (text, verdict), or None. The verdict of the
    simulation counts if it has one, since it is at the size of the text; None stands for too small to tell."""
    where: str
    says: str
    band: str
    measured: Callable = None
    simulated: Callable = None


class Text(NamedTuple):
    title: str
    claims: list
    left_out: list  # (where, what it says, why there is nothing to compare)


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding='utf-8').splitlines()] if path.exists() else []


def claims_in(path):
    """(the first line, the parts) of a file of --json by a program of PAPERS."""
    name = path.name.split('-')[0]
    loader = SourceFileLoader(f'bench_{name}', str(HERE / name))
    program = module_from_spec(spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = program
    loader.exec_module(program)
    if hasattr(program, 'PAPER'):
        about, found, _ = reproducing.read(path, program.PAPER)
        return about, [judge(found) for _, judge in program.PAPER.parts.values()]
    about, found, _ = program.read(path)
    return about, [judge(found) for _, judge in program.PARTS.values()]


class Store:
    """used: the names of the runs that were read since it was cleared, in their order."""

    def __init__(self, folder=FOLDER):
        self.used = []
        measured, simulated = lines_of(folder / 'measured.json'), lines_of(folder / 'simulated.json')
        self.runs = {line['name']: line for line in measured if line['kind'] == 'run'}
        self.figures = {(line['run'], line['name']): line['value'] for line in measured if line['kind'] == 'figure'}
        self.about = next((line for line in simulated if line['kind'] == 'run'), {})
        simulated += lines_of(folder / 'boxes.json')
        self.simulations = {line['name']: line for line in simulated if line['kind'] == 'simulation'}
        self.labels = {name: f'S{i}' for i, name in enumerate(self.simulations, 1)}
        self.reports = {}  # {(paper, what it says): (label, what was found, verdict)}
        for path in sorted(path for paper in PAPERS for path in folder.glob(f'{paper}-*.json')):
            self.add_report(path, f'M{len(self.runs) + 1}')

    def add_report(self, path, label):
        """Adds the claims of a file that the program of a paper wrote with --json."""
        about, parts = claims_in(path)
        self.runs[label] = {'name': label, **about}
        for part in parts:
            for _, says, found, verdict in part.claims:
                known, decided = (about['paper'], says) in self.reports, verdict != ON[None]
                if found not in ('', '-') and not found.startswith('it takes') and (decided or not known):
                    self.reports[about['paper'], says] = (label, found, verdict)

    def use(self, label):
        if label not in self.used:
            self.used.append(label)

    def figure(self, run, name):
        self.use(run)
        return self.figures[run, name]

    def sim(self, name):
        self.use(self.labels[name])
        return self.simulations[name]['found']

    def report(self, paper, words):
        """What the paper's program found about the claim whose words begin so, and its verdict."""
        lines = [line for (of, says), line in self.reports.items() if of == paper and says.startswith(words)]
        if not lines:
            raise LookupError(f'no result of {paper} about: {words}')
        label, found, verdict = lines[0]
        self.use(label)
        return found, {ON[True]: True, ON[EXCEEDS]: True, ON[False]: False}.get(verdict)


def report(paper, words, at_size=True):
    """The measured part of a claim, by the paper's program. at_size False: it has no verdict, since its size is not the paper's."""
    def judge(store):
        found, holds = store.report(paper, words)
        return found, holds if at_size else None
    return judge


def share(value):
    return f'{value:.1%}'


def gain(ratio):
    return f'{100 * (ratio - 1):+.0f} %'


def listed(values, form):
    """Names and values."""
    return ', '.join(f'{name}: {form(value)}' for name, value in values.items())
