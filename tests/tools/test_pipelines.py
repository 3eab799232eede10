# SPDX-License-Identifier: MIT
"""All tools in pipelines: standard input and output, closed pipes, interrupts, terminals."""
import gzip
import os
import pty
import signal
import subprocess
import time
import unittest

from tool import BUILD, ToolTest, strict_json, without_sanitizers

# A command of each tool that prints a summary.
SUMMARY = (['gbfs', 'grid:30x30', '--stats', '--levels'], ['gconvert', '--info', 'grid:5x5'], ['gdevices'],
           ['goctree', 'uniform:1000', '--stats'], ['gtask', 'uts', '-d4', '--stats'], ['gtask', 'quicksort', '--keys=1000'],
           ['graphws', 'cc', 'grid:30x30', '--stats'], ['gsim', 'bpc', '-n', '20', '-d', '4'])
# Commands whose output exceeds the pipe's capacity: written by the library, and by the tool itself.
TABLES = (['gbfs', 'grid:300x300', '--out=-', '--quiet'], ['graphws', 'cc', 'grid:300x300', '--out=-', '--quiet'],
          ['gconvert', '--quiet', 'grid:300x300', '-', '--to=edge-list'],
          ['goctree', 'uniform:50k', '--out=-', '--quiet'], ['goctree', 'uniform:50k', '--leaf=1', '--nodes=-', '--quiet'])
# Commands that run long enough for an interrupt.
LONG = (['gbfs', 'grid:1000x1000', '--repeat=1000'], ['graphws', 'cc', 'grid:1000x1000', '--repeat=10000'],
        *(['graphws', name, 'grid:1000x1000', '--repeat=10000']
          for name in ('sssp', 'pagerank', 'bc', 'triangles', 'kcore', 'closeness', 'distances', 'communities')),
        ['graphws', 'cc', 'kron:22'], ['gconvert', 'kron:19', 'x.txt.gz'],
        ['goctree', 'uniform:1M', '--repeat=1000'],
        ['gtask', 'uts', '--tree=T1', '--repeat=1000'], ['gconvert', '-', 'x.gr', '--from=edge-list'], ['gbfs', '-'],
        ['goctree', '-'])


class Pipelines(ToolTest):
    def start(self, words, **options):
        return subprocess.Popen([BUILD / 'bin' / words[0], *words[1:]], cwd=self.folder, **options)

    # ---- standard input and output ----

    def test_standard_input_may_be_compressed(self):
        edges, points = b'0 1\n1 2\n', b'1 2 3\n4 5 6\n'
        for text in (edges, gzip.compress(edges)):
            self.assertEqual(self.json('gbfs', '-', '--source=0', input=text)['level_sizes'], [1, 1, 1])
            self.assertEqual(self.json('gconvert', '--info', '-', input=text)['graph']['arcs'], 2)
            self.assertEqual(self.good('gconvert', '--quiet', '-', '-', '--to=edge-list', input=text).splitlines()[-2:],
                             edges.decode().replace(' ', '\t').splitlines())
        for text in (points, gzip.compress(points)):
            self.assertEqual(self.json('goctree', '-', input=text)['points'], 2)

    def test_a_byte_order_mark_is_passed_over(self):
        mark = b'\xef\xbb\xbf'
        for pack in (bytes, gzip.compress):
            self.assertEqual(self.json('gbfs', '-', '--source=0', input=pack(mark + b'0 1\n'))['level_sizes'], [1, 1])
            self.assertEqual(self.json('goctree', '-', input=pack(mark + b'1 2 3\n4 5 6\n'))['points'], 2)
            end = '' if pack is bytes else '.gz'
            positions = self.write('p.co' + end, pack(mark + b'p aux sp co 2\nv 1 0 0\nv 2 5 0\n'))
            sources = self.write('s.ss' + end, pack(mark + b'p aux sp ss 1\ns 2\n'))
            graph = self.write('g.gr' + end, pack(mark + b'p sp 2 1\na 2 1 1\n'))
            found = self.json('gbfs', graph, '--positions', positions, '--source', sources, '--map', self.folder / 'm.svg')
            self.assertEqual(found['level_sizes'], [1, 1])
            queries = self.write('q' + end, pack(mark + b'nearest 0 0 0 1\n'))
            self.json('goctree', 'uniform:10', '--query', queries)
        self.assertIn('UTF-16', self.bad(1, 'gbfs', '-', '--format=edge-list', input='0 1\n'.encode('utf-16')))
        self.assertIn('UTF-16', self.bad(1, 'goctree', '-', input='0 1 2\n'.encode('utf-16')))

    def test_every_format_through_standard_streams(self):
        listed = self.good('gconvert', '--to=help').splitlines()
        formats = [line.split()[0] for line in listed if not line.startswith('auto')]
        self.assertEqual(len(formats), 7)
        for name in formats:
            done = self.run_tool('gconvert', '--quiet', 'grid:4x3', '-', '--to', name)
            self.assertEqual((done.returncode, done.stderr), (0, b''), name)
            found = self.json('gbfs', '-', '--format', name, '--verify', input=done.stdout)
            self.assertEqual((found['graph']['arcs'], found['verified']), (34, True), name)
        for name in ('p.ply', 'p.csv', 'p.npy', 'p.gwsp', 'p.xyz', 'p.pcd', 'p.las'):
            self.good('goctree', '--quiet', 'uniform:50', '--out', self.folder / name)
            data = (self.folder / name).read_bytes()
            self.assertEqual(self.json('goctree', '-', '--verify', input=data)['points'], 50, name)

    def test_a_table_has_standard_output_for_itself(self):
        for words, first in ((['gbfs', 'grid:3x3', '--out=-', '--stats', '--levels'], 'vertex,depth,parent'),
                             (['goctree', 'uniform:10', '--out=-', '--stats'], 'x,y,z,leaf,level,point'),
                             (['goctree', 'uniform:10', '--nodes=-', '--stats'], 'node,level,')):
            done = self.run_tool(*words)
            self.assertEqual(done.returncode, 0)
            lines = done.stdout.decode().splitlines()
            self.assertTrue(lines[0].startswith(first), lines[0])
            self.assertTrue(all(line.count(',') == lines[0].count(',') for line in lines))
            self.assertIn('time ', done.stderr.decode())
            self.assertIn('worker ', done.stderr.decode())
        done = self.run_tool('gconvert', 'grid:3x3', '-', '--to=edge-list')
        self.assertNotIn('wrote', done.stdout.decode())
        self.assertIn('wrote', done.stderr.decode())

    def test_json_wants_standard_output(self):
        for words in (['gbfs', 'grid:3x3', '--json', '--out=-'], ['goctree', 'uniform:9', '--json', '--nodes=-'],
                      ['gconvert', 'grid:3x3', '-', '--json', '--to=edge-list']):
            self.bad(2, *words)

    def test_quiet_is_quiet(self):
        for words in SUMMARY[:1] + SUMMARY[3:]:
            plain = [word for word in words if word not in ('--stats', '--levels')]
            self.assertEqual(self.good(*plain, '--quiet'), '')
            self.assertTrue(strict_json(self.good(*plain, '--quiet', '--json')))
        self.assertEqual(self.good('gconvert', '--quiet', 'grid:3x3', self.folder / 'x.el'), '')

    def test_output_to_a_pipe_that_is_a_file(self):
        """Tools write to /dev/stdout and /dev/null and do not replace them."""
        text = self.good('gconvert', '--quiet', 'grid:2x2', '/dev/stdout', '--to=edge-list')
        self.assertEqual(len([line for line in text.splitlines() if line[0].isdigit()]), 4 if text.count('\n') < 8 else 8)
        self.good('gconvert', '--quiet', 'grid:2x2', '/dev/null', '--to=edge-list')

    # ---- closed pipes ----

    def unread(self, words, **options):
        """Returns (exit status, standard error) of a tool whose reader has closed the pipe."""
        reader, writer = os.pipe()
        os.close(reader)
        run = self.start(words, stdin=subprocess.DEVNULL, stdout=writer, stderr=subprocess.PIPE, **options)
        os.close(writer)
        return run.communicate()[1].decode(), run.returncode

    def test_they_end_in_silence(self):
        for words in (*SUMMARY, *TABLES, *([name, '--help'] for name in ('gbfs', 'gconvert', 'gdevices', 'goctree', 'graphws', 'gsim', 'gtask')),
                      ['gbfs', '--policy=help'], ['gtask', 'uts', '-d3', '--json'], ['gdevices', '--json']):
            self.assertEqual(self.unread(words), ('', -signal.SIGPIPE), words)

    def test_they_complain_where_the_signal_is_ignored(self):
        for words in (*SUMMARY, *TABLES):
            complaint, status = self.unread(words, restore_signals=False,
                                            preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN))
            self.assertEqual(status, 1, words)
            self.assertIn('Broken pipe', complaint)
            self.assertEqual(complaint.count('\n'), 1)

    def test_head(self):
        for words in TABLES:
            command = ' '.join([str(BUILD / 'bin' / words[0]), *words[1:]])
            done = subprocess.run(['bash', '-c', f'{command} | head -n 1; echo ${{PIPESTATUS[0]}}'], capture_output=True,
                                  text=True, check=True)
            self.assertEqual((done.stderr, done.stdout.splitlines()[1:]), ('', [str(128 + signal.SIGPIPE)]), words)

    # ---- interrupts ----

    def interrupted(self, words, after, **options):
        run = self.start(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        time.sleep(after)
        run.send_signal(signal.SIGINT)
        run.wait(timeout=60)
        out, err = run.stdout.read(), run.stderr.read()
        for pipe in (run.stdin, run.stdout, run.stderr):
            pipe.close()
        return run.returncode, out, err

    def test_interrupted(self):
        for words in LONG:
            self.assertEqual(self.interrupted(words, 0.2), (-signal.SIGINT, b'', b''), words)
        self.assertEqual(os.listdir(self.folder), [])

    def test_interrupted_while_nobody_reads(self):
        """Interrupts tools that would end too soon, such as gdevices: a full pipe blocks them."""
        for words in SUMMARY:
            reader, writer = os.pipe()
            fill(writer)
            run = self.start(words, stdin=subprocess.DEVNULL, stdout=writer, stderr=subprocess.PIPE)
            os.close(writer)
            time.sleep(0.2)
            self.assertIsNone(run.poll(), words)
            run.send_signal(signal.SIGINT)
            self.assertEqual((run.communicate()[1], run.returncode), (b'', -signal.SIGINT), words)
            with open(reader, 'rb') as pipe:
                self.assertEqual(pipe.read().strip(b'.'), b'', words)

    def test_a_file_that_was_being_written_is_whole_or_as_it_was(self):
        for words, name in ((['gconvert', '--quiet', 'grid:700x700', 'new.gr'], 'new.gr'),
                            (['gbfs', '--quiet', 'grid:700x700', '--threads=1', '--source=0', '--direction=top-down',
                              '--out=old.csv'], 'old.csv'),
                            (['goctree', '--quiet', 'uniform:300k', '--out=new.ply'], 'new.ply')):
            self.good(*words, cwd=self.folder)
            whole = (self.folder / name).read_bytes()
            for after in (0.01, 0.03, 0.06, 0.1, 0.15):
                (self.folder / name).unlink()
                if name.startswith('old'):
                    self.write(name, 'precious')
                status, _, _ = self.interrupted(words, after)
                self.assertIn(status, (0, -signal.SIGINT))
                self.assertIn(os.listdir(self.folder), ([], [name]))  # no draft remains
                found = (self.folder / name).read_bytes() if (self.folder / name).exists() else None
                self.assertIn(found, (whole, b'precious' if name.startswith('old') else None))
                if status == 0:
                    self.assertEqual(found, whole)
                (self.folder / name).write_text('')
            (self.folder / name).unlink()

    # ---- terminals ----

    def test_no_escapes_but_on_a_terminal(self):
        for words in (*SUMMARY, *TABLES):
            done = self.run_tool(*words)
            self.assertNotIn(b'\x1b', done.stdout + done.stderr)
            self.assertNotIn(b'\r', done.stdout + done.stderr)

    def test_a_terminal_shows_progress_and_is_left_clean(self):
        for words in (['gbfs', 'road:300000', '--repeat=4'], ['goctree', 'uniform:1M', '--repeat=4'],
                      ['gtask', 'uts', '--tree=T1'], ['gconvert', 'road:300000', 'x.gr']):
            master, terminal = pty.openpty()
            run = self.start(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=terminal)
            os.close(terminal)
            shown = read_terminal(master)
            out = run.stdout.read()
            run.stdout.close()
            self.assertEqual(run.wait(), 0)
            self.assertNotIn(b'\x1b', out)
            self.assertTrue(not shown or shown.endswith(b'\r\x1b[K'), (words, shown[-60:]))

    def test_a_terminal_shows_for_how_long(self):
        """Tests the line without a known total: all three tools read a silent pipe."""
        for words in (['gbfs', '-'], ['gconvert', '-', 'x.gr', '--from=edge-list'], ['goctree', '-']):
            master, terminal = pty.openpty()
            run = self.start(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=terminal)
            os.close(terminal)
            shown = b''
            while b', 1 s' not in shown:
                shown += os.read(master, 4096)
            run.stdin.write(b'1 2 3\n2 3 4\n')
            run.stdin.close()
            shown += read_terminal(master)
            self.assertEqual(run.wait(), 0)
            self.assertIn(b'reading', shown)
            self.assertTrue(shown.endswith(b'\r\x1b[K'), shown[-60:])

    @without_sanitizers
    def test_a_terminal_shows_bars(self):
        for words, work in ((['gbfs', 'grid:800x800', '--quiet', '--out=x.csv.gz'], None),
                            (['gconvert', 'grid:800x800', 'x.gr.gz'], b'writing ['),
                            (['goctree', 'uniform:300k', '--out=x.csv.gz'], b'writing ['),
                            (['gbfs', 'grid:800x800', '--out=x.csv.gz'], b'writing ['),
                            (['gtask', 'uts', '--tree=T1', '--repeat=8'], b'uts [')):
            master, terminal = pty.openpty()
            run = self.start([*words, '--threads=1'], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=terminal)
            os.close(terminal)
            shown = read_terminal(master)
            self.assertEqual(run.wait(), 0)
            if work:
                self.assertIn(work, shown)
            else:
                self.assertEqual(shown, b'')

    def test_a_terminal_is_left_clean_when_interrupted(self):
        master, terminal = pty.openpty()
        run = self.start(['gbfs', 'grid:1000x1000', '--repeat=1000'], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=terminal)
        os.close(terminal)
        first = os.read(master, 1)
        run.send_signal(signal.SIGINT)
        shown = first + read_terminal(master)
        self.assertEqual(run.wait(), -signal.SIGINT)
        self.assertTrue(shown.endswith(b'\r\x1b[K'), shown[-60:])


def fill(writer):
    """Fills a pipe."""
    os.set_blocking(writer, False)
    for size in (4096, 1):
        try:
            while os.write(writer, b'.' * size):
                pass
        except BlockingIOError:
            pass
    os.set_blocking(writer, True)


def read_terminal(master):
    """Returns everything written to it until the other end is closed."""
    text = b''
    try:
        while chunk := os.read(master, 4096):
            text += chunk
    except OSError:
        pass
    os.close(master)
    return text


if __name__ == '__main__':
    unittest.main()
