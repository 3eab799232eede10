#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Graphs under mpirun: the file is the same for any number of ranks, and right; one error message; a killed rank ends the
job without a file. tests/tools/test_mpi.py finds the launchers."""
import gzip
import os
import random
import re
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

import schema
import test_mpi
import tool

# Refuses what rank 0 needs to map other ranks' memory: files in memory, or, as for another user, opening those of a process.
SHIM = '''#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static int refuses(const char *what)
{
    errno = EACCES;
    return getenv("REFUSED") && strcmp(getenv("REFUSED"), what) == 0;
}
int memfd_create(const char *name, unsigned flags)
{
    return refuses("memfd") ? -1 : (int)syscall(SYS_memfd_create, name, flags);
}
int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    if (strncmp(path, "/proc/", 6) == 0 && strstr(path, "/fd/") && refuses("open")) return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, va_arg(more, unsigned));
}
'''


@unittest.skipUnless(test_mpi.LAUNCHERS, 'no MPI')
class MpiGraphsTest(tool.ToolTest):
    each = test_mpi.MpiTest.each
    with_library = test_mpi.MpiTest.with_library
    launch = test_mpi.MpiTest.launch

    def setUp(self):
        super().setUp()
        self.first = test_mpi.LAUNCHERS[0][0]
        self.bin = tool.BUILD / 'bin' if test_mpi.LAUNCHERS[0][1] is None else self.with_library(test_mpi.LAUNCHERS[0][1])

    def directed(self):
        draw = random.Random(7)
        return self.edge_list('directed.el', [(draw.randrange(5, 300), draw.randrange(5, 300)) for _ in range(900)], '# Directed\n')

    def table(self, launcher, ranks, name, *arguments, suffix='csv'):
        """The bytes of --out."""
        path = self.folder / f'table{ranks}.{suffix}'
        run = self.launch(launcher, ranks, name, *arguments, '--threads', 3 - ranks if ranks < 3 else 1, '--quiet', '--out', path)
        self.assertEqual((run.returncode, run.stdout), (0, ''), run.stderr)
        return path.read_bytes()

    def file_of(self, name, *arguments):
        """The bytes of --out of one process."""
        alone = self.folder / 'alone.csv'
        self.good(name, *map(str, arguments), '--quiet', '--out', alone)
        return alone.read_bytes()

    @staticmethod
    def depths_of(data):
        """The lines without the last column, the parents."""
        return [line.rpartition(b',')[0] for line in data.splitlines()]

    def check_bfs(self, launcher, graph, source):
        arguments = (graph, '--source', source, '--verify')
        two, three = (self.table(launcher, ranks, 'gbfs', *arguments) for ranks in (2, 3))
        self.assertEqual(two, three)
        self.assertEqual(self.depths_of(two), self.depths_of(self.file_of('gbfs', *arguments)))

    def test_bfs(self):
        for graph, source in (('kron:11', 'maxdegree'), (self.directed(), 30),
                              (self.write('names.csv', 'from,to\nann,bob\nbob,"c,d"\nc,ann\n'), 'ann')):
            with self.subTest(graph=graph):
                self.check_bfs(self.first, graph, source)

    def test_native(self):
        """Each rank reads its own rows of a .gwsg; a damaged part is found whichever rank reads it."""
        for graph, source in (('road:70000', 4), (self.directed(), 30)):
            path = self.folder / 'graph.gwsg'
            self.good('gconvert', graph, path, '--quiet')
            wanted = self.table(self.first, 2, 'gbfs', graph, '--source', source)
            for words in ((), ('--trust',), ('--direction', 'top-down')):
                with self.subTest(graph=graph, words=words):
                    self.assertEqual(self.table(self.first, 3, 'gbfs', path, '--source', source, *words), wanted)
        self.good('gconvert', 'road:70000', path, '--quiet')
        run = self.launch(self.first, 2, 'gbfs', path, '--trust', '--json')
        parts = [rank['bytes_read'] for rank in tool.strict_json(run.stdout)['ranks']]
        self.assertLess(max(parts), 1.1 * (8 * 70000 + 8 * 185408) / 2)
        data = bytearray(path.read_bytes())
        for byte in (20, 600000, len(data) - 100000):  # in the head, in rank 0's targets, in the positions
            data[byte] ^= 1
            path.write_bytes(data)
            run = self.launch(self.first, 2, 'gbfs', path)
            self.assertEqual(run.returncode, 1)
            self.assertEqual(len(re.findall(r'^gbfs: .*checksum', run.stderr, re.M)), 1, run.stderr)
            data[byte] ^= 1

    def test_reading(self):
        """Each rank parses its part of a text file of four ranges; rank 0 inflates and sends gzip data; a mistake in the
        second part has its line and column."""
        draw = random.Random(9)
        edges = [(draw.randrange(10000, 20000), draw.randrange(10000, 20000)) for _ in range(80000)]
        plain = self.edge_list('plain.el', edges, '# Directed\n')
        packed = self.write('packed.el.gz', gzip.compress(Path(plain).read_bytes(), 1))
        edges[60000] = ('x', 7)
        bad = self.edge_list('bad.el', edges)
        alone = self.folder / 'alone.csv'
        self.good('graphws', 'cc', plain, '--quiet', '--out', alone)
        run = self.launch(self.first, 2, 'graphws', 'cc', plain, '--json')
        size, parts = os.path.getsize(plain), [rank['bytes_read'] for rank in tool.strict_json(run.stdout)['ranks']]
        self.assertLess(max(parts), size / 2 + 2 * 2**18)
        self.assertGreaterEqual(sum(parts), size)
        for launcher in self.each():
            self.assertEqual(self.table(launcher, 3, 'graphws', 'cc', plain), alone.read_bytes())
            self.assertEqual(self.table(launcher, 2, 'graphws', 'cc', packed), alone.read_bytes())
            run = self.launch(launcher, 2, 'graphws', 'cc', bad)
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertEqual(re.findall('^graphws: .*', run.stderr, re.M),
                             [f"graphws: {bad}:60001:1: expected a vertex, found 'x' (the first edge has numbers)"])

    def test_formats(self):
        """Ranks write their own rows if the ids are consecutive, as those of the generator are."""
        for launcher in self.each():
            for graph, suffix in (('kron:12', 'npy'), ('kron:12', 'tsv'), ('kron:12', 'csv.gz'), (self.directed(), 'npy')):
                alone = self.folder / f'alone.{suffix}'
                self.good('graphws', 'cc', graph, '--quiet', '--out', alone)
                # More ranks of MPICH than cores take seconds: they poll, and do not yield.
                for ranks in (2, 3) if launcher == self.first else (2,):
                    self.assertEqual(self.table(launcher, ranks, 'graphws', 'cc', graph, suffix=suffix), alone.read_bytes())

    def test_components(self):
        graph, alone = self.directed(), self.folder / 'alone.csv'
        self.good('graphws', 'cc', graph, '--quiet', '--out', alone)
        for ranks in (2, 3):
            self.assertEqual(self.table(self.first, ranks, 'graphws', 'cc', graph, '--verify'), alone.read_bytes())
        run = self.launch(self.first, 2, 'graphws', 'cc', 'kron:10:2', '--json', '--repeat', 2, '--verify')
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        found, alone = tool.strict_json(run.stdout), self.json('graphws', 'cc', 'kron:10:2')
        self.assertEqual(schema.problems(found, 'graphws'), [])
        self.assertEqual([found[key] for key in ('components', 'largest')], [alone[key] for key in ('components', 'largest')])
        self.assertEqual((found['verified'], len(found['ranks'])), (True, 2))

    def check_links(self, launcher, forced, wanted, *arguments):
        """--stats and --json tell what carried the data, and whether that was forced; the result is right either way."""
        shared = wanted.startswith('1 by shared')
        option = ('--transport', forced) if forced else ()
        run = self.launch(launcher, 2, 'graphws', *arguments, *option, '--threads', 1, '--stats', '--verify')
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        rest = (r'rank 0 alone ran (\d+) of [\d,]+ levels' if arguments[0] == 'bfs' else r'([\d,]+) bytes of shared arrays')
        line = re.search(rf'^links     pairs of ranks: {wanted}{f", forced by --transport {forced}" if forced else ""}; {rest}$',
                         run.stdout, re.M)
        self.assertIsNotNone(line, run.stdout)
        self.assertEqual(line[1] != '0', shared)
        run = self.launch(launcher, 2, 'graphws', *arguments, *option, '--json')
        found = tool.strict_json(run.stdout)
        self.assertEqual(schema.problems(found, 'gbfs' if arguments[0] == 'bfs' else 'graphws'), [])
        self.assertEqual((found['transport'], found['walked' if arguments[0] == 'bfs' else 'shared_bytes'] > 0), (forced or 'auto', shared))
        self.assertEqual([(rank['links_shared'], rank['links_messages']) for rank in found['ranks']], [(shared, not shared)] * 2)

    def test_links(self):
        shared, messages = ('1 by shared memory, 0 by rma, 0 by messages', '0 by shared memory, 0 by rma, 1 by messages')
        for forced, wanted, *arguments in ((None, shared, 'bfs', 'grid:600x3'), ('messages', messages, 'cc', 'kron:8'),
                                           ('shared', shared, 'sssp', 'kron:8'), ('messages', messages, 'pagerank', 'kron:8')):
            with self.subTest(arguments=arguments, forced=forced):
                self.check_links(self.first, forced, wanted, *arguments)
        self.assertIn('--transport requires several ranks', self.bad(2, 'graphws', 'cc', 'kron:5', '--transport', 'shared'))
        run = self.launch(self.first, 2, 'gbfs', 'kron:5', '--transport', 'rma')
        self.assertEqual(run.returncode, 2)
        self.assertIn('graphs on ranks use shared memory or messages', run.stderr)
        for launcher in self.each():
            self.check_links(launcher, 'messages', messages, 'bfs', 'grid:200x3')

    def test_messages(self):
        """As if each rank had a host of its own, parts of exchanges travel during work: depths and distances are those of one
        process. The second graph has levels of several parts, the first one pieces of bitmaps."""
        draw = random.Random(10)
        edges = [(draw.randrange(9000), draw.randrange(9000)) for _ in range(90000)]
        directed = self.edge_list('parts.el', edges, '# Directed\n')
        cases = [(arguments, self.depths_of(self.file_of('graphws', *arguments)))
                 for arguments in (('bfs', 'kron:17:2', '--source', 'maxdegree'), ('bfs', directed, '--source', edges[0][0]),
                                   ('bfs', 'grid:90x70', '--source', 3, '--direction', 'bottom-up'),
                                   ('sssp', directed, '--source', edges[0][0], '--weights', '1:9'))]
        for launcher in self.each():
            for arguments, wanted in cases:
                with self.subTest(arguments=arguments):
                    found = self.table(launcher, 2, 'graphws', *arguments, '--transport', 'messages')
                    self.assertEqual(self.depths_of(found), wanted)

    @unittest.skipIf(os.environ.get('GRAPHWS_SAN') or not shutil.which('cc'), 'needs a C compiler and a plain build')
    def test_refused_pages(self):
        """Where the system does not let rank 0 map other ranks' memory, all ranks run all levels, with the same result."""
        shim, graph = self.folder / 'shim.so', 'grid:600x3'
        subprocess.run(['cc', '-w', '-shared', '-fPIC', '-o', shim, self.write('shim.c', SHIM)], check=True)
        wanted = self.table(self.first, 2, 'gbfs', graph, '--source', 0)
        for refused, walks in (('', True), ('memfd', False), ('open', False)):
            out = self.folder / 'out.csv'
            run = self.launch(self.first, 2, 'gbfs', graph, '--source', 0, '--threads', 1, '--out', out, '--json', LD_PRELOAD=str(shim),
                              REFUSED=refused)
            self.assertEqual((run.returncode, run.stderr), (0, ''))
            self.assertEqual(tool.strict_json(run.stdout)['walked'] > 0, walks, refused)
            self.assertEqual(out.read_bytes(), wanted)

    def check_sssp(self, launcher, *arguments):
        """The file is the same for two and three ranks, and has the distances of one process."""
        two, three = (self.table(launcher, ranks, 'graphws', 'sssp', *arguments, '--verify') for ranks in (2, 3))
        self.assertEqual(two, three)
        self.assertEqual(self.depths_of(two), self.depths_of(self.file_of('graphws', 'sssp', *arguments)))

    def test_sssp(self):
        draw = random.Random(8)
        real = self.write('real.wel', ''.join(f'{draw.randrange(200)} {draw.randrange(200)} {draw.choice((0.25, 0, 3.5, 1e-3))}\n'
                                              for _ in range(900)))
        for arguments in (('road:900', '--source', 7), ('kron:9', '--weights', '0:3', '--source', 'maxdegree', '--seed', 5),
                          (self.directed(), '--weights', '1:99', '--repeat', 2), (real, '--source', 3),
                          (self.write('names.csv', 'from,to,weight\nann,bob,2\nbob,"c,d",0\nc,ann,1\n'), '--source', 'ann')):
            with self.subTest(arguments=arguments):
                self.check_sssp(self.first, *arguments)

    def test_pagerank(self):
        for arguments in (('road:900', '--restart', '5,7,5'), ('kron:9', '--tolerance', '1e-10'), (self.directed(), '--damping', '0.5')):
            with self.subTest(arguments=arguments):
                two, three = (self.table(self.first, ranks, 'graphws', 'pagerank', *arguments, '--verify') for ranks in (2, 3))
                self.assertEqual(two, three)
                alone = self.folder / 'alone.csv'
                self.good('graphws', 'pagerank', *map(str, arguments), '--quiet', '--out', alone)
                rows = [[line.split(b',') for line in data.splitlines()[1:]] for data in (two, alone.read_bytes())]
                self.assertEqual([vertex for vertex, _ in rows[0]], [vertex for vertex, _ in rows[1]])
                for (vertex, rank), (_, wanted) in zip(*rows):
                    self.assertAlmostEqual(float(rank), float(wanted), delta=2e-6, msg=vertex)

    def test_reports(self):
        """JSON and --top equal those of one process."""
        for words, same in ((('sssp', 'road:300', '--repeat', 2, '--top', 3), ('reached', 'max_distance', 'top')),
                            (('pagerank', 'kron:8', '--iterations', 9, '--tolerance', 0), ('iterations', 'converged'))):
            run = self.launch(self.first, 2, 'graphws', *words, '--json', '--verify', '--warmup', 1, '--threads', 1)
            self.assertEqual((run.returncode, run.stderr), (0, ''))
            found, alone = tool.strict_json(run.stdout), self.json('graphws', *map(str, words))
            self.assertEqual(schema.problems(found, 'graphws'), [])
            self.assertEqual([found[key] for key in same], [alone[key] for key in same])
            self.assertEqual((found['verified'], len(found['ranks']), len(found['runs'])), (True, 2, len(alone['runs'])))

    def test_other_launchers(self):
        for launcher in self.each():
            if launcher != self.first:
                self.check_bfs(launcher, 'kron:9', 3)
                self.check_sssp(launcher, 'road:300', '--source', 3)
                self.table(launcher, 2, 'graphws', 'cc', 'kron:9:2', '--verify')

    def test_report(self):
        run = self.launch(self.first, 2, 'gbfs', 'kron:10', '--repeat', 3, '--warmup', 1, '--verify', '--json', '--threads', 1)
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        found = tool.strict_json(run.stdout)
        self.assertEqual(schema.problems(found, 'gbfs'), [])
        self.assertEqual([rank['vertices'] for rank in found['ranks']], [512, 512])
        self.assertEqual(sum(rank['arcs'] for rank in found['ranks']), found['graph']['arcs'])
        self.assertEqual((len(found['workers']), len(found['runs']), found['verified']), (2, 3, True))
        alone = self.json('gbfs', 'kron:10', '--repeat', '3')
        for run_of_ranks, run_alone in zip(found['runs'], alone['runs']):
            self.assertEqual([run_of_ranks[key] for key in ('source', 'reached', 'levels')],
                             [run_alone[key] for key in ('source', 'reached', 'levels')])
        self.assertEqual(found['level_sizes'], alone['level_sizes'])
        run = self.launch(self.first, 3, 'graphws', 'bfs', 'road:99', '--stats', '--threads', 1)
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        self.assertRegex(run.stdout, r'\nranks     3 \(.*\), \d+ vertices sent\n')
        self.assertEqual(len(re.findall(r'^[012] +\S+ +1 +\d+ +\d+ ', run.stdout, re.M)), 3, run.stdout)
        self.assertRegex(run.stdout, r'\nmax/mean +- +1\.94 ')

    def test_refused(self):
        bad = self.write('bad.el', '1 2\n3 4\n5 x\n6 7\n')
        out = self.folder / 'refused.csv'
        for words, message in (((bad, '--out', out), rf'{re.escape(str(bad))}:3:3: '),
                               (('kron:18', '--max-memory', '20M'), "rank 0: out of memory: this rank's part of the graph"),
                               (('road:99', '--source', '99'), 'no vertex 99'), (('road:9', '--levels'), '--levels requires one process'),
                               ((bad, '--mmap'), '--mmap requires one process')):
            with self.subTest(words=words):
                run = self.launch(self.first, 2, 'gbfs', *words)
                self.assertNotEqual(run.returncode, 0)
                messages = re.findall(r'^gbfs: .*', run.stderr, re.M)
                self.assertEqual(len(messages), 1, run.stderr)
                self.assertRegex(messages[0], message)
        self.assertFalse(out.exists())
        for words, message in ((('kcore', 'kron:5'), 'kcore runs in one process'),
                               (('cc', '--strong', 'kron:5'), '--strong requires one process'), (('cc', 'kron:5', '--top', 3), '--top requires'),
                               (('cc', 'kron:5', '--plot', 'a.svg'), '--plot requires'), (('sssp', 'kron:5', '--device', 'cuda'), '--device requires'),
                               (('sssp', 'kron:5', '--trace', 'a.json'), '--trace requires'), (('pagerank', 'kron:5', '--index'), '--index requires'),
                               (('pagerank', 'kron:5', '--restart', '1,x'), "expected ids and commas at 'x'")):
            run = self.launch(self.first, 2, 'graphws', *words)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertEqual(len(re.findall(rf'^graphws: .*{message}.*', run.stderr, re.M)), 1, run.stderr)

    def begin(self, launcher, ranks, *arguments):
        """Starts gbfs on ranks of one thread, which is to write self.out."""
        self.out = self.folder / 'killed.csv'
        job = subprocess.Popen([launcher, '-n', str(ranks), self.bin / 'gbfs', *map(str, arguments), '--threads', '1', '--out', self.out],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=test_mpi.ENVIRONMENT)
        self.addCleanup(job.kill)
        return job

    def kill(self, job, rank):
        """Kills a rank: all end, with a line, and without a file."""
        everyone = test_mpi.below(job.pid)
        os.kill(self.process_of(job, rank), signal.SIGKILL)
        text = ''.join(job.communicate(timeout=30))
        self.assertNotEqual(job.returncode, 0)
        self.assertRegex(text, f'rank {rank} .*signal 9')
        self.assertEqual(list(self.folder.glob('*.csv')) + list(self.folder.glob('.gws*')), [])
        until = time.monotonic() + 10
        while any(Path(f'/proc/{one}').exists() for one in everyone) and time.monotonic() < until:
            time.sleep(0.01)
        self.assertEqual([one for one in everyone if Path(f'/proc/{one}').exists()], [])

    def process_of(self, job, rank):
        """The process of a rank; under MPICH the child of the one that waits for it."""
        found = []
        for one in test_mpi.below(job.pid):
            try:
                variables = Path(f'/proc/{one}/environ').read_text().split('\0')
            except OSError:
                continue
            if {f'OMPI_COMM_WORLD_RANK={rank}', f'PMI_RANK={rank}'} & set(variables):
                found.append(one)
        return found[-1]

    def is_writing(self, job):
        """Whether rank 0 has begun a file."""
        try:
            return any(os.stat(link).st_size > 0 for link in Path(f'/proc/{self.process_of(job, 0)}/fd').iterdir()
                       if os.readlink(link).startswith(f'{self.folder}/'))
        except (OSError, IndexError):
            return False

    def stop_writing(self, launcher, ranks, graph):
        """A job whose rank 0 is stopped in the middle of the file; None: it was too fast."""
        job = self.begin(launcher, ranks, graph)
        while job.poll() is None and not self.is_writing(job):
            pass
        if job.poll() is None:
            rank = self.process_of(job, 0)
            os.kill(rank, signal.SIGSTOP)
            while Path(f'/proc/{rank}/stat').read_text().rpartition(')')[2].split()[0] not in 'TZ':
                pass
            if not self.out.exists():
                return job
            os.kill(rank, signal.SIGCONT)
        job.communicate()
        self.out.unlink()
        return None

    def test_killed_while_reading(self):
        """Rank 0 waits for more of a pipe, and the others for rank 0."""
        for launcher, ranks, rank in zip(self.each(), (3, 2), (0, 1)):
            pipe = self.folder / f'pipe{ranks}.el'
            os.mkfifo(pipe)
            job = self.begin(launcher, ranks, pipe)
            with open(pipe, 'w') as end:  # waits until rank 0 opens it
                end.write('1 2\n' * 1000)
                end.flush()
                self.kill(job, rank)

    def test_killed_while_searching(self):
        for launcher, ranks in zip(self.each(), (2, 3)):
            job = self.begin(launcher, ranks, 'kron:12', '--repeat', 1000000)
            test_mpi.wait_for_ranks(self, job, ranks, 'gbfs')
            self.kill(job, ranks - 1)

    def test_killed_while_writing(self):
        """Rank 0, which writes for all, is stopped in the middle of the file. If another rank died there, the file would be
        whole or none."""
        for launcher, ranks in zip(self.each(), (3, 2)):
            side, job = 500, None
            while not job:
                side = side * 3 // 2  # until the file takes long enough
                job = self.stop_writing(launcher, ranks, f'grid:{side}x{side}')
            self.kill(job, 0)


if __name__ == '__main__':
    unittest.main()
