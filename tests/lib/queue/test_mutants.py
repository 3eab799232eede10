# SPDX-License-Identifier: MIT
"""Are the atomic orders of the queues necessary, and would the checker find a mistake in one? The test weakens each
order stronger than relaxed in each source below by one step, one at a time. The model checker (relacy/) must then
find a failing schedule. UNCAUGHT lists the orders for which it cannot, with the reason. Only the strongest order may
be listed, and a listed order that is caught is an error. The test reads the sites from the sources, so it forgets
none.

A run by hand prints the table: GRAPHWS_BUILD=build python3 tests/lib/queue/test_mutants.py"""
import concurrent.futures
import os
import re
import subprocess
import unittest
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = Path(os.environ.get('GRAPHWS_BUILD', ROOT / 'build')) / 'tests' / 'lib' / 'queue' / 'relacy'

# Program: the sources it explores.
EXPLORED = {
    'explore_abp': ['lib/queue/abp.c', 'lib/queue/task_words.h'],
    'explore_chaselev': ['lib/queue/chaselev.c', 'lib/queue/task_words.h'],
    'explore_chunked': ['lib/queue/chunked.c'],
    'explore_host_queue': ['kernels/hetero/host_queue.cl', 'lib/hetero/host_ring.h'],
    'explore_split': ['lib/queue/split.c', 'lib/base/lock.h'],
}

WEAKER = {'acquire': ['relaxed'], 'release': ['relaxed'], 'acq_rel': ['acquire', 'release']}
WEAKER_SEQ_CST = {'load': 'acquire', 'store': 'release'}  # anything else reads and writes: acq_rel

# The single order of seq_cst operations agrees with happens-before in C11 and in Relacy; in RC11 it need not.
RC11_ALONE = 'RC11 needs it, C11 does not, and Relacy cannot detect it; tests/models/test_rc11.py does'

# (source, function, operation, order, weaker): why Relacy cannot tell the difference.
UNCAUGHT = {
    ('lib/queue/abp.c', 'abp_steal', 'load head', 'seq_cst', 'acquire'): RC11_ALONE,
    ('lib/queue/chaselev.c', 'chaselev_steal', 'load top', 'seq_cst', 'acquire'): RC11_ALONE,
    ('lib/queue/chaselev.c', 'empty_out', 'compare_exchange_strong top', 'seq_cst', 'acq_rel'):
        'a thief that sees the new top must not see bottom as it was before claim() lowered it; in C11 acq_rel '
        'suffices for that, but with seq_cst loads around it the checker would not detect a further weakening, so the source '
        'uses the strongest order, which costs the same where compare-and-swap is one instruction',
}

OPERATION = re.compile(r'\b(?:atomic|atom|host)_(thread_fence|\w+?)(?:_explicit)?\((?:&(?:\w+->)+(\w+))?')
ORDER = re.compile(r'\b(?:memory_)?order_(\w+)')
FUNCTION = re.compile(r'^\w[\w \t*]*?(\w+)\([^;{}]*\)\n\{', re.M)
COMMENT = re.compile(r'/\*.*?\*/', re.S)

Mutant = namedtuple('Mutant', 'source function operation order weaker first last')


def closing(text, at):
    """The index of the parenthesis that closes the one at index at."""
    depth = 0
    for i in range(at, len(text)):
        depth += {'(': 1, ')': -1}.get(text[i], 0)
        if depth == 0:
            return i
    raise ValueError('unbalanced parentheses')


def weaker_orders(operation, order):
    return [WEAKER_SEQ_CST.get(operation, 'acq_rel')] if order == 'seq_cst' else WEAKER.get(order, [])


def mutants(source):
    """Every mutant of the source. Comments are blanked, so that lines and columns do not change."""
    text = COMMENT.sub(lambda found: re.sub(r'[^\n]', ' ', found.group()), (ROOT / source).read_text())
    line = lambda at: text.count('\n', 0, at) + 1
    heads = [(found.start(), found.group(1)) for found in FUNCTION.finditer(text)]
    operations = [(found.start(), closing(text, text.index('(', found.start())), found.group(1), found.group(2) or '')
                  for found in OPERATION.finditer(text)]
    result = []
    for found in ORDER.finditer(text):
        begin, end, operation, on = max(op for op in operations if op[0] < found.start() < op[1])  # the innermost
        function = max(head for head in heads if head[0] < begin)[1]
        result += [Mutant(source, function, f'{operation} {on}', found.group(1), weaker, line(begin), line(end))
                   for weaker in weaker_orders(operation, found.group(1))]
    return result


def explore(program, mutant=None):
    """The exit status of a program (explore.h names them), and its output."""
    env = dict(os.environ)
    if mutant:
        env['GWS_MUTANT'] = f'/{Path(mutant.source).name}:{mutant.first}:{mutant.last}:{mutant.order}:{mutant.weaker}'
    done = subprocess.run([PROGRAMS / program], env=env, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def why_listed(mutant):
    return UNCAUGHT.get(mutant[:5])


class Sources(unittest.TestCase):
    def test_none_is_forgotten(self):
        self.assertEqual(set(EXPLORED), {path.stem for path in (ROOT / 'tests/lib/queue/relacy').glob('explore_*.cpp')})
        explored = {source for sources in EXPLORED.values() for source in sources}
        for path in sorted((ROOT / 'lib/queue').glob('*.[ch]')):
            source = str(path.relative_to(ROOT))
            self.assertTrue(source in explored or not mutants(source), f'no program explores {source}')


@unittest.skipUnless(any((PROGRAMS / program).exists() for program in EXPLORED),
                     'the programs of the model checker are not built (they need relacy-dev and g++)')
class Mutants(unittest.TestCase):
    def test_every_order_is_needed_or_listed(self):
        work = [(program, mutant) for program, sources in EXPLORED.items() for source in sources
                for mutant in mutants(source)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda item: explore(*item), work))
        there = {mutant[:5] for _, mutant in work}
        for (program, mutant), (status, output) in zip(work, results):
            listed = why_listed(mutant)
            verdict = {0: 'not caught', 1: 'caught'}.get(status, f'status {status}')
            print(f'{mutant.source}:{mutant.last:<4} {mutant.function:<18} {mutant.operation:<28} '
                  f'{mutant.order:>8} -> {mutant.weaker:<8} {verdict}' + (f': {listed}' if listed else ''))
            with self.subTest(program=program, mutant=mutant):
                self.assertEqual(status, 0 if listed else 1, output[:3000])
        self.assertEqual({key[3] for key in UNCAUGHT} - {'seq_cst'}, set(), 'a weaker order without a test')
        self.assertEqual(set(UNCAUGHT) - there, set(), 'listed orders that do not exist')


if __name__ == '__main__':
    unittest.main()
