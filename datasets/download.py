# SPDX-License-Identifier: MIT
"""Files from servers that may send anything, for ever: as large and as fast as agreed, or Failed with one line."""
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
    """What ends the program with one line."""


class Interrupted(Failed):
    """The connection broke; what came so far can be continued."""


def reason_of(error):
    """The innermost reason of an error from urllib or the system, in a few words."""
    reason = getattr(error, 'reason', None)
    if isinstance(reason, Exception):
        return reason_of(reason)
    return getattr(error, 'strerror', None) or str(reason or error) or type(error).__name__


class Limits:
    """How large a file may be, and for how long to wait, wherever that is: a server may send a byte now and then for
    ever. On entering, the time of the whole file begins."""

    def __init__(self, most, patience, longest):
        self.most, self.patience, self.longest = most, patience, longest

    def ring(self, *_):
        if time.monotonic() >= self.end:
            raise Failed(f'it takes more than {self.longest:g} s (--max-time); call again to go on from there')
        raise Interrupted(f'too little came in {self.patience:g} s (--patience)')

    def wind(self):
        signal.setitimer(signal.ITIMER_REAL, max(1e-3, min(self.patience, self.end - time.monotonic())))

    def __enter__(self):
        self.end = time.monotonic() + self.longest
        self.before = signal.signal(signal.SIGALRM, self.ring)
        return self

    def __exit__(self, *_):
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.before)


# ---- asking ----

class AsItIs(urllib.request.HTTPErrorProcessor):
    """Hands on every answer: urllib would read all that comes with a redirect, and follow it to other schemes."""

    def http_response(self, request, response):
        return response

    https_response = http_response


def redirected(address, location):
    """Where the server sends us, if we go there."""
    target = urllib.parse.urlsplit(urllib.parse.urljoin(address, location or ''))
    secure = urllib.parse.urlsplit(address).scheme == 'https'
    if not location or target.port == 0 or target.scheme not in (('https',) if secure else ('http', 'https')):
        raise Failed(f'redirects to {location or "nowhere"}, which is not followed')
    return target.geturl()


def open_at(address, begin, limits):
    """The server's answer to a request for what is from byte begin on, whatever it is but a redirect."""
    for _ in range(REDIRECTS + 1):
        limits.wind()
        try:
            request = urllib.request.Request(address, headers={'User-Agent': 'graphws-fetch',
                                                               'Accept-Encoding': 'identity'})
            if begin:
                request.add_header('Range', f'bytes={begin}-')
            answer = urllib.request.build_opener(AsItIs).open(request)
            if answer.status not in (301, 302, 303, 307, 308):
                return answer
            answer.close()
            address = redirected(address, answer.headers.get('Location'))
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Failed(f'cannot reach {address}: {reason_of(error)}') from error
    raise Failed(f'redirects more than {REDIRECTS} times')


def length_of(answer):
    """How many bytes are to come, None where that is not said."""
    length = answer.headers.get('Content-Length')
    if length is None or answer.chunked:
        return None
    if not re.fullmatch('[0-9]{1,18}', length):
        raise Failed(f'the server says that {length} bytes come')
    return int(length)


def ask(address, begin, limits):
    """(the server's answer, where it begins, the size of all or None). It begins at 0 where the server wants it so, or
    what is here is of another file."""
    answer = open_at(address, begin, limits)
    span = answer.headers.get('Content-Range', '')
    match = re.fullmatch('bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})', span)
    if begin and answer.status == 206 and match and int(match[1]) == begin <= int(match[2]) < int(match[3]):
        return answer, begin, int(match[3])
    if begin and answer.status == 416 and span == f'bytes */{begin}':
        return answer, begin, begin  # it may be whole, which the checks will tell
    if begin and answer.status in (206, 416):
        answer.close()
        return ask(address, 0, limits)
    if answer.status != 200:
        raise Failed(f'the server answers {answer.status} {answer.reason}')
    return answer, 0, length_of(answer)


# ---- reading ----

def copy(stream, begin, total, file, limits, progress):
    """Puts what comes from the stream behind the first begin bytes of file, an unbuffered one, which is empty if that
    is too much. Interrupted if it ends too early."""
    if total is not None and total > limits.most:
        raise Failed(f'it has {total} bytes, more than --max-size allows')
    done = wound = begin
    file.truncate(begin)
    file.seek(begin)
    while total is None or done < total:
        try:
            if done >= wound:
                limits.wind()
                wound = done + BLOCK
            block = stream.read1(BLOCK if total is None else min(BLOCK, total - done))
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Interrupted(f'the connection broke after {done} bytes ({reason_of(error)})') from error
        if not block:
            break
        done += len(block)
        if done > limits.most:
            file.truncate(0)
            raise Failed(f'more than {limits.most} bytes come (--max-size)')
        while block:
            block = block[file.write(block):]
        progress(done, total)
    if total is not None and done < total:
        raise Interrupted(f'the connection ended after {done} of {total} bytes')


def download(address, file, limits, progress):
    """Fills file from the address, going on where it ends, and where the connection breaks."""
    for attempt in range(ATTEMPTS):
        try:
            answer, begin, total = ask(address, file.seek(0, os.SEEK_END), limits)
            with answer:
                return copy(answer, begin, total, file, limits, progress)
        except Interrupted as error:
            if attempt + 1 == ATTEMPTS:
                raise Failed(f'{error}; call again to go on from there') from error
