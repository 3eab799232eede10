# SPDX-License-Identifier: MIT
"""Other programs on the same work, if they are installed: igraph and gapbs search graphs, CGAL and PCL build octrees.
Their octrees differ slightly: see cgal_octree.cpp and pcl_octree.cpp."""
import os
import re
import shutil
import subprocess
from pathlib import Path

import measuring
from measuring import Skipped


def times_of(text, pattern):
    found = [float(word) for word in re.findall(pattern, text, re.M)]
    if not found:
        raise Skipped('its output has no times')
    return found


def call(command, limit, **environment):
    try:
        return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, timeout=limit,
                              stdin=subprocess.DEVNULL, env=dict(os.environ, **environment)).stdout
    except subprocess.CalledProcessError as problem:
        raise Skipped((problem.stderr.strip().splitlines() or [f'exit status {problem.returncode}'])[-1]) from problem
    except subprocess.TimeoutExpired as problem:
        raise Skipped(f'it takes longer than {limit} s') from problem


# ---- graphs ----

def igraph_times(program, path, found, limit=None):
    """Milliseconds of igraph's search from each source of gbfs. Both must reach the same vertices in as many levels."""
    text = call([program, path, found['graph']['vertices'], *(run['source'] for run in found['runs'])], limit)
    rows = [line.split() for line in text.splitlines()]
    ours = [[run['source'], run['reached'], run['levels']] for run in found['runs']]
    if [[int(word) for word in row[:3]] for row in rows] != ours:
        raise SystemExit(f'{measuring.PROGRAM}: {path}: igraph and gbfs do not agree on what is reached, or in how many levels')
    return [float(row[3]) for row in rows]


def gapbs_program(folder):
    program = Path(folder) / 'bfs' if folder else shutil.which('gapbs-bfs')
    if not program or not os.access(program, os.X_OK):
        raise Skipped('not found; --gapbs DIR names the folder of its bfs')
    return program


def gapbs_times(program, graph, threads, trials, limit=None):
    """Milliseconds of each trial; graph: the options for the graph. (gapbs's command_line.h, benchmark.h and util.h
    define options and output.)"""
    text = call([program, *graph, '-n', trials], limit, OMP_NUM_THREADS=str(threads))
    return [1e3 * seconds for seconds in times_of(text, r'^Trial Time:\s+([0-9.eE+-]+)')]


def gapbs_edges(path):
    """An edge list for gapbs, which stops at the first token that is no number, and takes all others for vertices."""
    out = path.with_name(path.stem + '-gapbs.el')
    if not out.exists():
        with open(path, encoding='ascii') as lines, open(out, 'w', encoding='ascii') as plain:
            plain.writelines(' '.join(line.split()[:2]) + '\n' for line in lines if not line.startswith('#'))
    return out


def edge_list(bench, work, words):
    out = bench.folder / (work.name.replace(':', '-') + '.el')
    return out if out.exists() else bench.tools.convert(words[-1], out)


def graph_peers(bench, work, words):
    options = bench.options

    def igraph():
        program = measuring.compile_here('igraph_bfs', bench.folder, packages=['igraph'])
        found = bench.tools.attempt('gbfs', [*words, '--source=random', f'--seed={options.seed}',
                                             f'--repeat={options.rounds + 1}'], options.limit)
        return igraph_times(program, edge_list(bench, work, words), found, options.limit)

    def gapbs():
        program, threads = gapbs_program(options.gapbs), max(options.threads)
        kind, _, scale = str(work.words[0]).partition(':')
        graph = ['-g', scale] if kind == 'kron' and scale.isdecimal() else None
        return gapbs_times(program, graph or ['-s', '-f', gapbs_edges(edge_list(bench, work, words))], threads,
                           options.rounds + 1, options.limit)

    return {'igraph, serial': igraph, f'gapbs, {max(options.threads)} threads': gapbs}


# ---- octrees ----

def compile_cpp(name, folder, flags):
    program = Path(folder) / name
    if program.exists():
        return program
    compiler = (os.environ.get('CXX') or 'c++').split()
    if not shutil.which(compiler[0]):
        raise Skipped('no C++ compiler')
    made = subprocess.run([*compiler, '-std=c++17', '-O3', '-w', measuring.HERE / f'{name}.cpp', '-o', program, *flags],
                          capture_output=True, text=True, check=False)
    if made.returncode:
        lacks = re.search(r'fatal error: (\S+): No such file', made.stderr)
        raise Skipped('not installed' if lacks else 'does not compile: ' + (made.stderr.splitlines() or ['?'])[0])
    return program


def octree_peers(bench, work, words):
    if '--builder=task' in words:
        return {}

    def build(name, flags):
        def measure():
            program = compile_cpp(name, bench.folder, flags())
            table = bench.folder / (work.name.replace(':', '-') + '.csv')
            if not table.exists():
                call([bench.tools.folder / 'goctree', '--quiet', '--out', table, *words], bench.options.limit)
            return times_of(call([program, table, bench.options.rounds + 1], bench.options.limit), r'^([0-9.]+)$')
        return measure

    return {'CGAL, serial': build('cgal_octree', lambda: ['-lgmp', '-lmpfr']), 'PCL, serial': build('pcl_octree', pcl)}


def pcl():
    """The compiler flags for PCL, whose package has its version in the name."""
    for name in ('pcl_octree', *(f'pcl_octree-1.{minor}' for minor in range(16, 8, -1))):
        done = subprocess.run(['pkg-config', '--cflags', '--libs', name], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.split()
    raise Skipped('not installed')


KINDS = {'gbfs': graph_peers, 'goctree': octree_peers}


def of(bench, work, words):
    """(name, milliseconds) of each peer that did the work, a value for each round; the first time is a warm-up. Missing
    peers are reported once."""
    if bench.options.no_peers or work.tool not in KINDS:
        return
    for name, measure in KINDS[work.tool](bench, work, words).items():
        try:
            times = measure()
        except (Skipped, OSError) as why:
            bench.omit(f'{name.split(",")[0]}: {why}')
            continue
        yield name, times[1:] or times
