# SPDX-License-Identifier: MIT
"""Downloads from untrusted servers, with limits on size and time: a complete file, or Failed with one line."""
import http.client
import os
import re
import signal
import time
import urllib.parse
import urllib.request

BLOCK = 1 << 18
ATTEMPTS = 3
REDIRECTS = 5


class Failed(Exception):
    """Ends the program with one line."""


class Interrupted(Failed):
    """The connection broke; the file can be continued."""


def reason_of(error):
    """The innermost reason of an error from urllib or the system, in a few words."""
    reason = getattr(error, 'reason', None)
    if isinstance(reason, Exception):
        return reason_of(reason)
    return getattr(error, 'strerror', None) or str(reason or error) or type(error).__name__


class Limits:
    """Limits on a file's size and on every wait, since a server may send a byte now and then for ever. The time of the
    whole file starts on entering."""

    def __init__(self, max_bytes, patience, max_seconds):
        self.max_bytes, self.patience, self.max_seconds = max_bytes, patience, max_seconds

    def on_alarm(self, *_):
        if time.monotonic() >= self.end:
            raise Failed(f'it takes more than {self.max_seconds:g} s (--max-time); call again to continue')
        raise Interrupted(f'too little arrived in {self.patience:g} s (--patience)')

    def restart(self):
        signal.setitimer(signal.ITIMER_REAL, max(1e-3, min(self.patience, self.end - time.monotonic())))

    def __enter__(self):
        self.end = time.monotonic() + self.max_seconds
        self.before = signal.signal(signal.SIGALRM, self.on_alarm)
        return self

    def __exit__(self, *_):
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.before)


# ---- requests ----

class Unprocessed(urllib.request.HTTPErrorProcessor):
    """Returns every answer unchanged: urllib would read the whole body of a redirect, and follow it to other schemes."""

    def http_response(self, request, response):
        return response

    https_response = http_response


def redirected(address, location):
    """The target of a redirect, if it is allowed."""
    target = urllib.parse.urlsplit(urllib.parse.urljoin(address, location or ''))
    secure = urllib.parse.urlsplit(address).scheme == 'https'
    if not location or target.port == 0 or target.scheme not in (('https',) if secure else ('http', 'https')):
        raise Failed(f'redirects to {location or "nowhere"}, which is not followed')
    return target.geturl()


def open_at(address, begin, limits):
    """The server's answer to a request for the bytes from begin on, after redirects."""
    for _ in range(REDIRECTS + 1):
        limits.restart()
        try:
            request = urllib.request.Request(address, headers={'User-Agent': 'graphws-fetch',
                                                               'Accept-Encoding': 'identity'})
            if begin:
                request.add_header('Range', f'bytes={begin}-')
            answer = urllib.request.build_opener(Unprocessed).open(request)
            if answer.status not in (301, 302, 303, 307, 308):
                return answer
            answer.close()
            address = redirected(address, answer.headers.get('Location'))
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Failed(f'cannot reach {address}: {reason_of(error)}') from error
    raise Failed(f'redirects more than {REDIRECTS} times')


def length_of(answer):
    """The announced number of bytes, or None."""
    length = answer.headers.get('Content-Length')
    if length is None or answer.chunked:
        return None
    if not re.fullmatch('[0-9]{1,18}', length):
        raise Failed(f'the server announces {length} bytes')
    return int(length)


def ask(address, begin, limits):
    """(the server's answer, its first byte's offset, the size of the file or None). The offset is 0 if the server sends
    the whole file, or if the existing part belongs to another file."""
    answer = open_at(address, begin, limits)
    span = answer.headers.get('Content-Range', '')
    match = re.fullmatch('bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})', span)
    if begin and answer.status == 206 and match and int(match[1]) == begin <= int(match[2]) < int(match[3]):
        return answer, begin, int(match[3])
    if begin and answer.status == 416 and span == f'bytes */{begin}':
        return answer, begin, begin  # it may be complete; the checksum decides
    if begin and answer.status in (206, 416):
        answer.close()
        return ask(address, 0, limits)
    if answer.status != 200:
        raise Failed(f'the server answers {answer.status} {answer.reason}')
    return answer, 0, length_of(answer)


# ---- transfer ----

def copy(stream, begin, total, file, limits, progress):
    """Copies the stream to the unbuffered file behind its first begin bytes. A stream that is too large empties the file.
    Interrupted if it ends too early."""
    if total is not None and total > limits.max_bytes:
        raise Failed(f'it has {total} bytes, more than --max-size allows')
    done = restarted = begin
    file.truncate(begin)
    file.seek(begin)
    while total is None or done < total:
        try:
            if done >= restarted:
                limits.restart()
                restarted = done + BLOCK
            block = stream.read1(BLOCK if total is None else min(BLOCK, total - done))
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Interrupted(f'the connection broke after {done} bytes ({reason_of(error)})') from error
        if not block:
            break
        done += len(block)
        if done > limits.max_bytes:
            file.truncate(0)
            raise Failed(f'more than {limits.max_bytes} bytes arrived (--max-size)')
        while block:
            block = block[file.write(block):]
        progress(done, total)
    if total is not None and done < total:
        raise Interrupted(f'the connection ended after {done} of {total} bytes')


def download(address, file, limits, progress):
    """Fills file from the address; continues at the file's end, and after a broken connection."""
    for attempt in range(ATTEMPTS):
        try:
            answer, begin, total = ask(address, file.seek(0, os.SEEK_END), limits)
            with answer:
                return copy(answer, begin, total, file, limits, progress)
        except Interrupted as error:
            if attempt + 1 == ATTEMPTS:
                raise Failed(f'{error}; call again to continue') from error
