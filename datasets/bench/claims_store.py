# SPDX-License-Identifier: MIT
"""The stored results behind docs/claims.md, in datasets/bench/results/claims: figures by name and run (measured.json), simulations
(simulated.json), and files that the programs of single texts wrote. A claim is a row of the page."""
import json
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Callable, NamedTuple

HERE = Path(__file__).resolve().parent
FOLDER = HERE / 'results' / 'claims'
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


def load(name):
    """A program of this folder as a module."""
    loader = SourceFileLoader(f'bench_{name}', str(HERE / name))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Store:
    """used: the names of the runs that were read since it was cleared, in their order."""

    def __init__(self, folder=FOLDER):
        self.used = []
        measured, simulated = lines_of(folder / 'measured.json'), lines_of(folder / 'simulated.json')
        self.runs = {line['name']: line for line in measured if line['kind'] == 'run'}
        self.figures = {(line['run'], line['name']): line['value'] for line in measured if line['kind'] == 'figure'}
        self.about = next((line for line in simulated if line['kind'] == 'run'), {})
        self.simulations = {line['name']: line for line in simulated if line['kind'] == 'simulation'}
        self.labels = {name: f'S{i}' for i, name in enumerate(self.simulations, 1)}
        self.results = {}
        for path in sorted(folder.glob('results-*.json')):
            for line in lines_of(path):
                if line['kind'] == 'run':
                    self.runs[line['name']] = line
                else:
                    self.results[line['paper'], line['says']] = line

    def use(self, label):
        if label not in self.used:
            self.used.append(label)

    def figure(self, run, name):
        self.use(run)
        return self.figures[run, name]

    def sim(self, name):
        self.use(self.labels[name])
        return self.simulations[name]['found']

    def result(self, paper, says):
        """(text, verdict) of the claim of a program whose words begin so."""
        for (of, words), line in self.results.items():
            if of == paper and words.startswith(says):
                self.use(line['run'])
                return line['here'], line['holds']
        return None


def share(value):
    return f'{value:.1%}'


def gain(ratio):
    return f'{100 * (ratio - 1):+.0f} %'


def listed(values, form):
    """Names and values."""
    return ', '.join(f'{name}: {form(value)}' for name, value in values.items())


def above(number, bound):
    return number >= bound
