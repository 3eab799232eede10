# SPDX-License-Identifier: MIT
"""datasets/fetch against a server on the loopback address and folders as mirrors; no network is used."""
import contextlib
import fcntl
import gzip
import hashlib
import http.server
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
FETCH = SOURCE / 'datasets' / 'fetch'
sys.path.append(str(FETCH.parent))
sys.dont_write_bytecode = True
import download  # noqa: E402

NAME, FILE = 'p2p-Gnutella31', 'p2p-Gnutella31.txt.gz'
KNOWN, KNOWN_FILE = 'email-Enron', 'email-Enron.txt.gz'  # datasets/checksums has its checksum
OPTIONS = {'env': dict(os.environ, no_proxy='*'), 'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, 'text': True,
           'check': False, 'timeout': 100}
CONTENT = gzip.compress(random.Random(1).randbytes(3_000_000), mtime=0)


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves CONTENT with ranges; the server's attributes control it."""
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
        if server.instead:
            self.close_connection = True
            with contextlib.suppress(ConnectionError):
                return server.instead(self)
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
        self.server.instead = None  # answers instead of the server
        self.server.handle_error = lambda *_: None  # for connections that fetch closes
        self.url = f'http://127.0.0.1:{self.server.server_address[1]}/data'
        thread = threading.Thread(target=self.server.serve_forever, kwargs={'poll_interval': 0.02})
        thread.start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(self.server.shutdown)

    def run_fetch(self, *arguments, **more):
        return subprocess.run([sys.executable, FETCH, *arguments], **{**OPTIONS, **more})

    def get(self, *arguments, name=NAME, mirror=None, **more):
        return self.run_fetch(name, '--to', self.to, '--mirror', mirror or self.url, *arguments, **more)

    def part(self, content=b''):
        self.to.mkdir(exist_ok=True)
        part = self.to / (FILE + '.part')
        part.write_bytes(content)
        return part

    def says(self, *answer):
        """The server sends exactly these bytes."""
        self.server.instead = lambda handler: handler.wfile.write(b''.join(answer))

    def files(self):
        return sorted(path.name for path in self.to.iterdir()) if self.to.exists() else []

    def succeeds(self, done):
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertEqual((self.to / FILE).read_bytes(), CONTENT)

    def fails(self, done, *words):
        """One line on standard error, no traceback, nothing under the final name."""
        self.assertEqual(done.returncode, 1, done)
        self.assertEqual(done.stderr.count('\n'), 1, done.stderr)
        self.assertTrue(done.stderr[:-1].isprintable(), done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertFalse((self.to / FILE).exists())

    # ---- from a server ----

    def test_first_call_writes_the_checksum(self):
        done = self.get()
        self.succeeds(done)
        self.assertIn('written to', done.stdout)
        self.assertEqual(self.files(), [FILE, FILE + '.sha256'])
        self.assertEqual((self.to / (FILE + '.sha256')).read_text(),
                         f'{hashlib.sha256(CONTENT).hexdigest()}  {FILE}\n')

    def test_second_time_needs_no_server(self):
        self.succeeds(self.get())
        requests = len(self.server.ranges)
        self.succeeds(self.get())
        self.assertEqual(len(self.server.ranges), requests)

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

    # ---- malicious servers ----

    def test_nonsense(self):
        """Each is refused in one line, after few requests, and leaves no file."""
        good = b'HTTP/1.1 200 OK\r\n'
        for said, words in (
                ((b'HTTP/1.1 206 P\r\nContent-Range: bytes 5-9/10\r\nContent-Length: 5\r\n\r\nxxxxx',), '206'),
                ((good, b'Content-Length: abc\r\n\r\n', CONTENT), 'abc bytes'),
                ((good, b'Content-Length: -5\r\n\r\n', CONTENT), '-5 bytes'),
                ((good, b'Content-Length: %d\r\n\r\n' % 2**80,), 'announces'),
                ((good, b'Content-Length: %d\r\n\r\n' % 2**50,), '--max-size'),
                ((good, b'Content-Length: 6\r\n\r\n<html>'), 'not a gzip file'),
                ((good, b'Content-Length: 0\r\n\r\n'), 'not a gzip file'),
                ((good, b'Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n'), 'the connection broke'),
                ((b'\0\1\033[2Jgarbage\r\n\r\n',), 'cannot reach'),
                ((good, b'X: ' + b'a' * 100000 + b'\r\n\r\n'), 'cannot reach'),
                ((good, b'X: a\r\n' * 200, b'\r\n'), 'cannot reach'),
                ((b'HTTP/1.1 500 \xff\033[31m\x9b\r\n\r\n',), '500'),
                ((b'HTTP/1.1 204 None\r\n\r\n',), '204'),
                ((b'HTTP/1.1 416 No\r\nContent-Range: bytes */3\r\n\r\n',), '416'),
                ((), 'cannot reach')):
            self.says(*said)
            del self.server.ranges[:]
            with self.subTest(said[:2]):
                self.fails(self.get(), words)
                self.assertEqual(self.files(), [])
                self.assertLessEqual(len(self.server.ranges), 3)

    def test_redirects(self):
        for target, words in (('file:///etc/passwd', 'not followed'), ('ftp://127.0.0.1:1/x', 'not followed'),
                              ('/x\033[2J', 'cannot reach'), ('http://[::1/x', 'cannot reach'), ('', 'not followed'),
                              ('http://127.0.0.1:99999999/x', 'cannot reach'), ('/again', 'redirects more than')):
            endless = b'x' * 100000 if target else b''  # fetch must not read it
            self.says(b'HTTP/1.1 302 Found\r\nLocation: ', target.encode(), b'\r\n\r\n', endless)
            with self.subTest(target):
                self.fails(self.get(), words)
                self.assertEqual(self.files(), [])
        self.assertEqual(len(self.server.ranges), 6 + 6)  # the last one gets six requests
        with self.assertRaises(download.Failed):
            download.redirected('https://a/b', 'http://a/b')
        self.assertEqual(download.redirected('https://a/b/c', '../d'), 'https://a/d')

    def test_redirect_is_followed(self):
        def once(handler):
            self.server.instead = None
            handler.wfile.write(b'HTTP/1.1 301 Moved\r\nLocation: /elsewhere/' + FILE.encode() + b'\r\n\r\n')
        self.server.instead = once
        self.succeeds(self.get())

    def test_foreign_range(self):
        """An existing part is kept if the answer is not better, otherwise the download starts again."""
        def foreign(handler):
            if not handler.headers.get('Range'):
                return handler.wfile.write(otherwise)
            return handler.wfile.write(b'HTTP/1.1 206 P\r\nContent-Range: ' + span + b'\r\n\r\n' + b'x' * 100)
        for span in (b'bytes 5-104/200', b'bytes 4-3/200', b'bytes 4-500/200', b'bytes -/', b'\033[2J'):
            with self.subTest(span):
                part = self.part(b'\x1f\x8b\0\0')
                self.server.instead, otherwise = foreign, b'HTTP/1.1 404 No\r\n\r\n'
                self.fails(self.get(), '404')
                self.assertEqual((self.files(), part.read_bytes()), ([FILE + '.part'], b'\x1f\x8b\0\0'))
                otherwise = b'HTTP/1.1 200 OK\r\n\r\n' + CONTENT
                self.succeeds(self.get())
                for name in self.files():
                    (self.to / name).unlink()

    def test_too_large(self):
        def endless(handler):
            handler.wfile.write(b'HTTP/1.1 200 OK\r\n' + head + b'\r\n')
            while True:
                handler.wfile.write(piece)
        for head, piece in ((b'', CONTENT), (b'Transfer-Encoding: chunked\r\n', b'1000\r\n' + bytes(4096) + b'\r\n')):
            self.server.instead = endless
            self.fails(self.get('--max-size', '4000000'), '--max-size')
            self.assertEqual(self.files(), [])
        self.server.instead = None
        self.fails(self.get('--max-size', '1000'), '--max-size')
        self.server.content = gzip.compress(bytes(10_000_000))
        self.fails(self.get('--max-size', '20000'), 'unpacks to more than')
        self.server.content = gzip.compress(CONTENT)
        self.fails(self.get(), 'packed twice')
        mirror = Path(self.folder.name)
        (mirror / FILE).write_bytes(CONTENT)
        self.fails(self.get('--max-size', '1000', mirror=mirror), '--max-size')
        self.assertEqual(self.files(), [])

    def test_slow(self):
        def drip(handler):
            handler.wfile.write(begin)
            while not self.closing:
                handler.wfile.write(b'a')
                time.sleep(0.02)
        self.server.instead, self.closing = drip, False
        self.addCleanup(setattr, self, 'closing', True)
        for begin, left in ((b'HTTP/1.1 200 OK\r\nX: ', []), (b'HTTP/1.1 200 OK\r\n\r\n\x1f\x8b', [FILE + '.part'])):
            for option in (['--patience', '0.1'], ['--max-time', '0.3']):
                self.fails(self.get(*option), option[0])
                self.assertEqual(self.files(), left)
                self.part().unlink()

    def test_interrupted(self):
        def stall(handler):
            handler.wfile.write(b'HTTP/1.1 200 OK\r\n\r\n' + CONTENT[:1000])
            started.set()
            finish.wait()
        started, finish = threading.Event(), threading.Event()
        self.server.instead = stall
        self.addCleanup(finish.set)
        fetch = subprocess.Popen([sys.executable, FETCH, NAME, '--to', self.to, '--mirror', self.url],
                                 env=OPTIONS['env'], stderr=subprocess.PIPE, text=True)
        started.wait()
        part = self.to / (FILE + '.part')
        while part.stat().st_size == 0:
            time.sleep(0.01)
        fetch.send_signal(signal.SIGINT)
        self.assertEqual(fetch.communicate()[1].count('\n'), 1)
        self.assertEqual((fetch.returncode, self.files()), (130, [FILE + '.part']))
        self.server.instead = None
        self.succeeds(self.get())
        self.assertEqual(self.server.ranges, [None, 'bytes=1000-'])

    # ---- obstacles in the target folder ----

    def test_part_that_is_none(self):
        victim = Path(self.folder.name) / 'victim'
        victim.write_text('precious')
        part = self.part()
        for make in (lambda: part.symlink_to(victim), lambda: part.symlink_to('nowhere'), part.mkdir,
                     lambda: part.symlink_to('/dev/full'), lambda: os.mkfifo(part), lambda: os.link(victim, part)):
            part.rmdir() if part.is_dir() else part.unlink()
            make()
            self.fails(self.get(), '.part', 'remove it')
            self.assertEqual((self.files(), victim.read_text()), ([FILE + '.part'], 'precious'))
        self.assertEqual(self.server.ranges, [])

    def test_part_that_changes_hands(self):
        def swap(handler):
            self.server.instead = None
            part.unlink()
            part.write_text('of another')
            handler.do_GET()
        part = self.part()
        self.server.instead = swap
        self.fails(self.get(), 'another process')
        self.assertEqual((self.files(), part.read_text()), ([FILE + '.part'], 'of another'))

    def test_two_at_once(self):
        with open(self.part(b'x'), 'rb') as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.fails(self.get(), 'another fetch')
        self.assertEqual((self.files(), self.server.ranges), ([FILE + '.part'], []))

    def test_sum_that_is_none(self):
        sidecar = self.part().with_name(FILE + '.sha256')
        (self.to / (FILE + '.part')).unlink()
        for content in (b'\xff\xfe\0 bad', b'', b'0' * 64, f'{"0" * 63}  {FILE}\n'.encode(), b'\033[2J'):
            sidecar.write_bytes(content)
            self.fails(self.get(), FILE + '.sha256: no SHA-256')
            self.assertEqual(self.files(), [FILE + '.sha256'])
        sidecar.unlink()
        sidecar.mkdir()
        self.fails(self.get(), FILE + '.sha256: no SHA-256')
        self.assertEqual(self.server.ranges, [])

    def test_other_than_a_file(self):
        (self.to / FILE).mkdir(parents=True)
        done = self.get()
        self.assertEqual((done.returncode, done.stderr.count('\n')), (1, 1), done.stderr)
        self.assertIn('not a file', done.stderr)
        self.assertEqual(self.server.ranges, [])

    def test_full_disk(self):
        done = self.get(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))
        self.fails(done, FILE + '.part: File too large', 'call again')
        self.assertEqual((self.to / (FILE + '.part')).stat().st_size, 1 << 20)
        self.succeeds(self.get())

    def test_nobody_listens(self):
        with open('/dev/full', 'w') as full:
            done = self.get(stdout=full)
        self.assertEqual((done.returncode, done.stderr), (1, 'fetch: No space left on device\n'))
        (self.to / FILE).unlink()
        self.assertEqual(self.run_fetch('--list', preexec_fn=lambda: os.close(1)).stderr, '')
        self.assertEqual(self.get('--unknown', preexec_fn=lambda: [os.close(n) for n in (0, 1, 2)]).stdout, '')

    # ---- no network, and other refusals ----

    def test_unreachable(self):
        with socket.socket() as closed:  # bound, but not listening: the connection is refused
            closed.bind(('127.0.0.1', 0))
            self.fails(self.get(mirror=f'http://127.0.0.1:{closed.getsockname()[1]}'), 'cannot reach http://127.0.0.1')
        self.fails(self.get(mirror='http://no-such-host.invalid'), 'cannot reach http://no-such-host.invalid')
        self.assertEqual(self.files(), [])

    def test_unknown_name(self):
        self.fails(self.get(name='web-Nowhere'), '--list')
        for name in ('../../etc/passwd', 'wiki-Talk/../x', '\033[2J', 'x' * 5000):
            self.fails(self.get(name=name), '--list')
            self.assertEqual(self.files(), [])

    def test_unwritable(self):
        self.to.write_text('a file, not a folder')
        done = self.get()
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1), done.stderr)

    def test_usage(self):
        for arguments in ([], ['a', 'b', '--sha256', '0' * 64], ['a', '--sha256', '12'], ['a', '--sha256', 'z' * 64],
                          ['--unknown'], ['--\033[31m'], ['a', '--to', ''], ['a', '--max-size', '-1'],
                          ['a', '--max-size', '0'], ['a', '--patience', 'nan'], ['a', '--max-time', '1e9']):
            self.misused(self.run_fetch(*arguments))
        for mirror in ('', 'http://[::1', 'http://127.0.0.1:abc', 'http://127.0.0.1:123456', 'http:///', 'http:data',
                       'ftp://x', 'gopher://\033[2J'):
            self.misused(self.run_fetch('a', '--mirror', mirror))

    def misused(self, done):
        self.assertEqual((done.returncode, done.stdout, done.stderr.count('\n')), (2, '', 1), done)
        self.assertTrue(done.stderr[:-1].isprintable(), done.stderr)

    def test_list(self):
        done = self.run_fetch('--list')
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        for name in ('USA-road-d.USA', 'USA-road-d.NY.co', 'soc-LiveJournal1', 'com-Youtube'):
            self.assertIn(f'\n{name} ', '\n' + done.stdout)
        self.assertIn('usage', self.run_fetch('--help').stdout)


if __name__ == '__main__':
    unittest.main()
