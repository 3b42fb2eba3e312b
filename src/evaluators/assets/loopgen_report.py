"""Writes what a Python test runner does as JSON lines, and bounds each test in time.

Loaded before any code of the project. What it needs later is taken from the
standard library now, so that code under test which patches a clock or a
module does not change the report.
"""

import json
import os
import re
import signal
import sys
import threading

# unittest leaves frames of modules with this name out of its tracebacks.
__unittest = True

_dumps = json.dumps
_open, _write = os.open, os.write
_realpath = os.path.realpath
_exit = os._exit
_setitimer = getattr(signal, "setitimer", None)
_getsignal, _setsignal = signal.getsignal, signal.signal

_HERE = os.path.dirname(_realpath(__file__))
_DETAIL = 20000
_REFIRE = 1.0
_SWALLOWED_AT_MOST = 5

# Taken out of the environment, so that the code under test does not find it there.
_FILE = os.environ.pop("LOOPGEN_REPORT", None)
_NONCE = os.environ.pop("LOOPGEN_NONCE", "")
_ROOT = _realpath(os.environ.pop("LOOPGEN_ROOT", None) or os.getcwd())
BOUND = float(os.environ.pop("LOOPGEN_TEST_TIMEOUT", None) or 0)
CANARY = os.environ.pop("LOOPGEN_CANARY", None)
_ADDOPTS_BEFORE = os.environ.pop("LOOPGEN_ADDOPTS", None)


def _put_back(name, value):
    if value:
        os.environ[name] = value
    else:
        os.environ.pop(name, None)


def leave_no_trace():
    """Takes this folder out of the module path of this process and its children."""
    sys.path[:] = [entry for entry in sys.path if not entry or _realpath(entry) != _HERE]


def import_canary():
    """The module with the tests that have to fail. Imported late, so that it sees what was patched until then."""
    sys.path.insert(0, _HERE)
    try:
        import loopgen_canary

        return loopgen_canary
    finally:
        sys.path.remove(_HERE)


def active():
    return _FILE is not None


if active():
    _paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    _put_back("PYTHONPATH", os.pathsep.join(path for path in _paths if not path or _realpath(path) != _HERE))
    if _ADDOPTS_BEFORE is not None:
        _put_back("PYTEST_ADDOPTS", _ADDOPTS_BEFORE)


def cut(text, limit=_DETAIL):
    text = str(text)
    if len(text) <= limit:
        return text
    head = limit // 4
    return text[:head] + "\n... %d characters left out ...\n" % (len(text) - limit) + text[head - limit :]


class _Writer(object):
    def __init__(self):
        self._fd = -1

    def write(self, event, **fields):
        if _FILE is None:
            return
        fields["e"] = event
        fields["n"] = _NONCE
        line = ("\n" + _dumps(fields) + "\n").encode("utf-8", "replace")
        try:
            self._put(line)
        except OSError:
            # A test closed every descriptor: open the file again.
            self._fd = -1
            self._put(line)

    def _put(self, line):
        if self._fd < 0:
            self._fd = _open(_FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        while line:
            line = line[_write(self._fd, line) :]


_writer = _Writer()
emit = _writer.write


def _relative(path):
    full = _realpath(path)
    if full.startswith(_ROOT + os.sep):
        return full[len(_ROOT) + 1 :], True
    return path, False


def relative(path):
    """The path, relative to the workspace where it lies in it."""
    return _relative(path)[0]


_FOREIGN = ("site-packages", "dist-packages", ".venv", "venv")


_FRAME = re.compile(r"^(\S.*?):\d+: in ", re.MULTILINE)


def from_own_frame(text):
    """A traceback without the runner's own frames above the first one of the project; its files as the project names them."""
    text = text.replace('File "%s%s' % (_ROOT, os.sep), 'File "')
    for frame in _FRAME.finditer(text):
        path = frame.group(1)
        foreign = path.startswith("<") or os.path.isabs(path) or any(part in _FOREIGN for part in path.split(os.sep))
        if not foreign and _FRAME.match(text):
            return text[frame.start() :]
    return text


def describe(kind, error, trace):
    """Class, message and place of a failure: the last frame of the project itself, else the last one."""
    own, last = None, None
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if os.path.dirname(_realpath(name)) != _HERE:
            path, inside = _relative(name)
            last = "%s:%d" % (path, trace.tb_lineno)
            if inside and not any(part in _FOREIGN for part in path.split(os.sep)):
                own = last
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        own = "%s:%d" % (_relative(error.filename)[0], error.lineno)
    try:
        message = str(error)
    except Exception:
        message = ""
    first = message.strip().split("\n")[0]
    return {"type": kind.__name__, "place": own or last, "message": cut(first, 300)}


class HangingTest(BaseException):
    """Raised in a test that runs longer than its limit. No Exception, so that `except Exception` lets it through."""


class bounded(object):
    """Raises HangingTest in the block once it has run for BOUND seconds, and again while it is swallowed."""

    def __init__(self, test_id):
        self.test_id = test_id
        self.fired = 0
        self.armed = False

    def __enter__(self):
        if BOUND <= 0 or _setitimer is None or threading.current_thread() is not threading.main_thread():
            return self
        self.before = _getsignal(signal.SIGALRM)
        other = _setitimer(signal.ITIMER_REAL, BOUND, _REFIRE)
        if other[0] and other[0] < BOUND:
            # Somebody else bounds the test, and more tightly.
            _setitimer(signal.ITIMER_REAL, *other)
            return self
        self.other = other
        _setsignal(signal.SIGALRM, self._ring)
        self.armed = True
        return self

    def __exit__(self, *_):
        if self.armed:
            _setitimer(signal.ITIMER_REAL, *self.other)
            _setsignal(signal.SIGALRM, self.before)
        return False

    def _ring(self, _number, _frame):
        __tracebackhide__ = True
        self.fired += 1
        if self.fired == 1:
            emit("hang", id=self.test_id)
        if self.fired > _SWALLOWED_AT_MOST:
            # The test swallows the exception for ever: it cannot be ended but with the process.
            emit("stuck", id=self.test_id)
            _exit(124)
        raise HangingTest("still running after %g s" % BOUND)
