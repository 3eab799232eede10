# SPDX-License-Identifier: MIT
"""datasets/fetch against a server on the loopback address and folders as mirrors; no network is used."""
import gzip
import hashlib
import http.server
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
FETCH = SOURCE / 'datasets' / 'fetch'
NAME, FILE = 'p2p-Gnutella31', 'p2p-Gnutella31.txt.gz'
KNOWN, KNOWN_FILE = 'email-Enron', 'email-Enron.txt.gz'  # one that datasets/checksums knows
CONTENT = gzip.compress(random.Random(1).randbytes(3_000_000), mtime=0)


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves CONTENT with ranges, as the server's attributes say."""
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def answer(self, code, body, length, **headers):
        self.send_response(code)
        for key, value in headers.items():
            self.send_header(key.replace('_', '-'), value)
        self.send_header('Content-Length', str(length))
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = len(body) != length

    def do_GET(self):
        server, wanted = self.server, self.headers.get('Range')
        server.ranges.append(wanted)
        if not self.path.endswith(server.file):
            return self.answer(404, b'', 0)
        begin = int(wanted[6:-1]) if wanted and server.with_ranges else 0
        rest = server.content[begin:]
        if begin and not rest:
            return self.answer(416, b'', 0, Content_Range=f'bytes */{len(server.content)}')
        body = rest[:server.cut] if server.cut and server.breaks > 0 else rest
        server.breaks -= 1
        if begin:
            span = f'bytes {begin}-{len(server.content) - 1}/{len(server.content)}'
            return self.answer(206, body, len(rest), Content_Range=span)
        return self.answer(200, body, len(rest))


class Fetch(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.to = Path(self.folder.name) / 'to'
        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.server.content, self.server.file = CONTENT, FILE
        self.server.with_ranges, self.server.cut, self.server.breaks, self.server.ranges = True, 0, 0, []
        self.url = f'http://127.0.0.1:{self.server.server_address[1]}/data'
        thread = threading.Thread(target=self.server.serve_forever, kwargs={'poll_interval': 0.02})
        thread.start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(self.server.shutdown)

    def run_fetch(self, *arguments):
        return subprocess.run([sys.executable, FETCH, *arguments], env=dict(os.environ, no_proxy='*'),
                              capture_output=True, text=True, check=False, timeout=100)

    def get(self, *arguments, name=NAME, mirror=None):
        return self.run_fetch(name, '--to', self.to, '--mirror', mirror or self.url, *arguments)

    def files(self):
        return sorted(path.name for path in self.to.iterdir()) if self.to.exists() else []

    def succeeds(self, done):
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertEqual((self.to / FILE).read_bytes(), CONTENT)

    def fails(self, done, *words):
        """One line on standard error, no traceback, nothing under the final name."""
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertFalse((self.to / FILE).exists())

    # ---- from a server ----

    def test_first_time_notes_the_sum(self):
        done = self.get()
        self.succeeds(done)
        self.assertIn('noted', done.stdout)
        self.assertEqual(self.files(), [FILE, FILE + '.sha256'])
        self.assertEqual((self.to / (FILE + '.sha256')).read_text(),
                         f'{hashlib.sha256(CONTENT).hexdigest()}  {FILE}\n')

    def test_second_time_needs_no_server(self):
        self.succeeds(self.get())
        asked = len(self.server.ranges)
        self.succeeds(self.get())
        self.assertEqual(len(self.server.ranges), asked)

    def test_changed_file_is_found_out(self):
        self.succeeds(self.get())
        (self.to / FILE).write_bytes(gzip.compress(b'other'))
        done = self.get()
        self.assertEqual(done.returncode, 1)
        self.assertIn('wrong checksum', done.stderr)

    def test_goes_on_where_it_was(self):
        self.to.mkdir()
        (self.to / (FILE + '.part')).write_bytes(CONTENT[:1_000_000])
        self.succeeds(self.get())
        self.assertEqual(self.server.ranges, ['bytes=1000000-'])
        self.assertEqual(self.files(), [FILE, FILE + '.sha256'])

    def test_whole_part_needs_no_byte(self):
        self.to.mkdir()
        (self.to / (FILE + '.part')).write_bytes(CONTENT)
        self.succeeds(self.get())

    def test_server_without_ranges(self):
        self.server.with_ranges = False
        self.to.mkdir()
        (self.to / (FILE + '.part')).write_bytes(b'something else')
        self.succeeds(self.get())

    def test_part_of_another_file_is_thrown_away(self):
        self.to.mkdir()
        for part in (b'x' * 1000, CONTENT + b'more'):
            (self.to / (FILE + '.part')).write_bytes(part)
            self.succeeds(self.get())
            (self.to / FILE).unlink()

    def test_broken_connection_is_taken_up_again(self):
        self.server.cut, self.server.breaks = 1_000_000, 2
        self.succeeds(self.get())
        self.assertEqual(self.server.ranges, [None, 'bytes=1000000-', 'bytes=2000000-'])

    def test_connection_that_keeps_breaking(self):
        self.server.cut, self.server.breaks = 500_000, 3
        self.fails(self.get(), 'call again')
        self.assertEqual(self.files(), [FILE + '.part'])
        self.succeeds(self.get())

    def test_missing_on_the_server(self):
        self.fails(self.get(name='web-Google'), '404')
        self.assertEqual(self.files(), [])

    def test_no_gzip(self):
        self.server.content = b'<html>moved</html>'
        self.fails(self.get(), 'not a gzip file')
        self.assertEqual(self.files(), [])

    def test_broken_gzip(self):
        self.server.content = CONTENT[:-20]
        self.fails(self.get(), 'not a whole gzip')
        self.assertEqual(self.files(), [])

    # ---- checksums ----

    def test_given_sum(self):
        done = self.get('--sha256', hashlib.sha256(CONTENT).hexdigest().upper())
        self.succeeds(done)
        self.assertEqual(self.files(), [FILE])

    def test_wrong_given_sum(self):
        self.fails(self.get('--sha256', '0' * 64), 'wrong checksum', '--sha256')
        self.assertEqual(self.files(), [])

    def test_wrong_known_sum(self):
        self.server.file = KNOWN_FILE
        done = self.get(name=KNOWN)
        self.fails(done, 'wrong checksum', 'datasets/checksums')
        self.assertEqual(self.files(), [])

    def test_known_sum_of_a_real_file(self):
        sets = Path(os.environ.get('GRAPHWS_DATASETS', SOURCE.parent / 'shared' / 'datasets'))
        if not sets.is_dir():
            print('\nskipped: no data sets (GRAPHWS_DATASETS names their folder)', flush=True)
            return
        for name in (KNOWN, 'USA-road-d.NY'):
            done = self.get(name=name, mirror=sets)
            self.assertEqual((done.returncode, done.stderr), (0, ''))
            self.assertIn('datasets/checksums', done.stdout)
        self.assertEqual(self.files(), ['USA-road-d.NY.gr.gz', KNOWN_FILE])

    # ---- folders as mirrors ----

    def test_folder(self):
        for place in ('.', 'snap'):
            mirror = Path(self.folder.name) / 'mirror' / place
            mirror.mkdir(parents=True, exist_ok=True)
            (mirror / FILE).write_bytes(CONTENT)
            root = Path(self.folder.name) / 'mirror'
            for form in (root, root.as_uri()):
                self.succeeds(self.get(mirror=form))
                (self.to / FILE).unlink()
            (mirror / FILE).unlink()

    def test_folder_without_it(self):
        self.fails(self.get(mirror=self.folder.name), FILE)
        self.fails(self.get(mirror=self.folder.name + '/none'), 'no such folder')
        self.assertEqual(self.files(), [])

    # ---- no network, and other refusals ----

    def test_unreachable(self):
        with socket.socket() as closed:  # bound, but not listening: the connection is refused
            closed.bind(('127.0.0.1', 0))
            self.fails(self.get(mirror=f'http://127.0.0.1:{closed.getsockname()[1]}'), 'cannot reach 127.0.0.1')
        self.fails(self.get(mirror='http://no-such-host.invalid'), 'cannot reach no-such-host.invalid')
        self.assertEqual(self.files(), [])

    def test_unknown_name(self):
        self.fails(self.get(name='web-Nowhere'), '--list')

    def test_unwritable(self):
        self.to.write_text('a file, not a folder')
        done = self.get()
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1), done.stderr)

    def test_usage(self):
        for arguments in ([], ['a', 'b', '--sha256', '0' * 64], ['a', '--sha256', '12'], ['--unknown']):
            self.assertEqual(self.run_fetch(*arguments).returncode, 2)

    def test_list(self):
        done = self.run_fetch('--list')
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        for name in ('USA-road-d.USA', 'USA-road-d.NY.co', 'soc-LiveJournal1', 'com-Youtube'):
            self.assertIn(f'\n{name} ', '\n' + done.stdout)
        self.assertIn('usage', self.run_fetch('--help').stdout)


if __name__ == '__main__':
    unittest.main()
