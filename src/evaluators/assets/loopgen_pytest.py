"""pytest plug-in: reports every test by its id. Works with pytest 7 and later, with and without xdist."""

import loopgen_report as report_file
import pytest

_XPASS_STRICT = "[XPASS(strict)]"


def _is_worker(config):
    return hasattr(config, "workerinput")


class _State(object):
    writes = report_file.active()
    bound = report_file.BOUND


if _State.writes:
    report_file.emit("begin", runner="pytest", version=pytest.__version__)


@pytest.hookimpl(hookwrapper=True)
def pytest_load_initial_conftests():
    outcome = yield
    if _State.writes and outcome.excinfo is not None:
        kind, error, trace = outcome.excinfo
        if isinstance(error, Exception):
            # A conftest failure carries the exception that it wraps.
            path = report_file.relative(str(getattr(error, "path", "conftest.py")))
            cause = getattr(error, "cause", None) or getattr(error, "excinfo", None)
            if isinstance(cause, tuple):
                kind, error, trace = cause
            elif isinstance(cause, BaseException):
                kind, error, trace = type(cause), cause, cause.__traceback__
            told = report_file.describe(kind, error, trace)
            text = "%s: %s" % (told["type"], error)
            report_file.emit("unloadable", id=path, detail=report_file.cut(text), **told)


def pytest_configure(config):
    if _is_worker(config):
        settings = config.workerinput.get("loopgen")
        if settings is not None:
            _State.writes = False
            report_file.BOUND = settings["bound"]
    elif not getattr(config.option, "tx", None) and not getattr(config.option, "numprocesses", None):
        report_file.leave_no_trace()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    node.workerinput["loopgen"] = {"bound": report_file.BOUND}


def pytest_runtest_logstart(nodeid):
    if _State.writes:
        report_file.emit("start", id=nodeid)


def pytest_runtest_logfinish(nodeid):
    if _State.writes:
        report_file.emit("done", id=nodeid)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_setup(item):
    with report_file.bounded(item.nodeid):
        yield


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_call(item):
    with report_file.bounded(item.nodeid):
        yield


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_teardown(item):
    with report_file.bounded(item.nodeid):
        yield


@pytest.hookimpl(hookwrapper=True, trylast=True)
def pytest_runtest_makereport(call):
    outcome = yield
    if call.excinfo is not None and outcome.excinfo is None:
        outcome.get_result().loopgen = report_file.describe(
            call.excinfo.type, call.excinfo.value, call.excinfo.tb
        )


def pytest_exception_interact(call, report):
    if call.excinfo is None or hasattr(report, "loopgen"):
        return
    kind, error, trace = call.excinfo.type, call.excinfo.value, call.excinfo.tb
    if isinstance(error, pytest.Collector.CollectError) and error.__cause__ is not None:
        # What kept the module from being imported, not how pytest words it.
        error = error.__cause__
        kind, trace = type(error), error.__traceback__
    report.loopgen = report_file.describe(kind, error, trace)


def _text(report):
    try:
        return report_file.cut(report.longreprtext)
    except Exception:
        return report_file.cut(report.longrepr)


def pytest_runtest_logreport(report):
    if not _State.writes or (report.outcome == "passed" and report.when != "call"):
        return
    fields = {"id": report.nodeid, "when": report.when, "outcome": report.outcome, "s": report.duration}
    if hasattr(report, "context"):
        fields["part"] = True
    if hasattr(report, "wasxfail"):
        fields["xfail"] = True
    if report.outcome == "failed":
        if isinstance(report.longrepr, str) and report.longrepr.startswith(_XPASS_STRICT):
            fields["xpass"] = True
        fields["detail"] = _text(report)
        fields.update(getattr(report, "loopgen", {}))
    report_file.emit("phase", **fields)


def pytest_collectreport(report):
    if not _State.writes:
        return
    if report.failed:
        told = getattr(report, "loopgen", {})
        detail = report_file.from_own_frame(_text(report))
        report_file.emit("unloadable", id=report.nodeid, detail=detail, **told)
    elif report.skipped:
        report_file.emit("phase", id=report.nodeid, when="collect", outcome="skipped")


def pytest_internalerror(excrepr):
    if _State.writes:
        report_file.emit("internal", detail=report_file.cut(excrepr))


@pytest.hookimpl(hookwrapper=True, trylast=True)
def pytest_sessionfinish(session):
    yield
    if _State.writes:
        report_file.emit("end", exit=int(session.exitstatus), collected=session.testscollected)
