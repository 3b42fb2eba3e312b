"""pytest plug-in: reports every test by its id. Works with pytest 7 and later, with and without xdist."""

import os

import loopgen_report as report_file
import pytest
from _pytest.unittest import TestCaseFunction, UnitTestCase

_XPASS_STRICT = "[XPASS(strict)]"


def _is_worker(config):
    return hasattr(config, "workerinput")


class _State(object):
    writes = report_file.active()
    canary = report_file.CANARY
    root = os.getcwd()


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
            report_file.emit("unloadable", id=path, file=path, detail=report_file.cut(text), **told)


def pytest_configure(config):
    _State.root = str(config.rootpath)
    if _is_worker(config):
        settings = config.workerinput.get("loopgen")
        if settings is not None:
            _State.writes = False
            report_file.BOUND = settings["bound"]
            _State.canary = settings["canary"]
    elif not getattr(config.option, "tx", None) and not getattr(config.option, "numprocesses", None):
        report_file.leave_no_trace()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    node.workerinput["loopgen"] = {"bound": report_file.BOUND, "canary": _State.canary}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session):
    # After every hook that selects, deselects or orders tests.
    if _State.canary is not None and session.items:
        session.config.option.maxfail = 0
        session.config.option.reruns = 0
        session.items.extend(list(_canaries(session)))


def _canaries(session):
    """Tests that have to fail: one for each folder with tests, since each may have hooks of its own."""
    pytest.register_assert_rewrite("loopgen_canary")
    module = report_file.import_canary()
    folders = {}
    for item in session.items:
        # The file is a real one of the folder: by it pytest finds the conftest files.
        _path, cases = folders.setdefault(_folder_of(item.nodeid), (item.path, []))
        cases.append(isinstance(item, TestCaseFunction))
    for folder, (path, cases) in folders.items():
        nodeid = (folder + "/" if folder else "") + _State.canary + ".py"
        parent = pytest.Module.from_parent(session, path=path, nodeid=nodeid)
        parent._obj = module
        items = [pytest.Function.from_parent(parent, name=_State.canary, callobj=module.function(_State.canary))]
        if any(cases):
            # pytest takes the class from the module by its name.
            module.Canary = module.case_class(_State.canary)
            items += UnitTestCase.from_parent(parent, name="Canary", obj=module.Canary).collect()
        for item in items:
            # No fixture of the project is run for it.
            item.fixturenames[:] = []
            yield item


def _folder_of(nodeid):
    return nodeid.split("::")[0].rpartition("/")[0]


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


def _file_of(nodeid):
    """Ids begin with a path from pytest's own root, which need not be the workspace."""
    return report_file.relative(os.path.join(_State.root, nodeid.split("::")[0]))


def _text(report):
    try:
        return report_file.cut(report.longreprtext)
    except Exception:
        return report_file.cut(report.longrepr)


def pytest_runtest_logreport(report):
    if not _State.writes or (report.outcome == "passed" and report.when != "call"):
        return
    fields = {"id": report.nodeid, "when": report.when, "outcome": report.outcome, "s": report.duration}
    fields["file"] = _file_of(report.nodeid)
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
        file = _file_of(report.nodeid)
        report_file.emit("unloadable", id=report.nodeid, file=file, detail=detail, **told)
    elif report.skipped:
        file = _file_of(report.nodeid)
        report_file.emit("phase", id=report.nodeid, file=file, when="collect", outcome="skipped")


def pytest_internalerror(excrepr):
    if _State.writes:
        report_file.emit("internal", detail=report_file.cut(excrepr))


@pytest.hookimpl(hookwrapper=True, trylast=True)
def pytest_sessionfinish(session):
    yield
    if _State.writes:
        report_file.emit("end", exit=int(session.exitstatus), collected=session.testscollected)
