"""`python -m unittest` with a report: takes the same arguments, gives the same exit code."""

import os
import sys
import traceback
import unittest

import loopgen_report as report_file

# unittest leaves frames of modules with this name out of its tracebacks.
__unittest = True

_FAILED_TEST = getattr(unittest.loader, "_FailedTest", ())
_ERROR_HOLDER = getattr(unittest.suite, "_ErrorHolder", ())
# What TestCase.run calls one after the other; each is bounded by itself, so that the
# exception is raised only where unittest takes it for the test's own.
_PARTS = ("_callSetUp", "_callTestMethod", "_callTearDown", "_callCleanup")


def _bound_parts(case_class):
    for name in _PARTS:
        part = case_class.__dict__.get(name)
        if part is not None:
            setattr(case_class, name, _bound_part(part))


def _bound_part(part):
    def run(self, *args, **kwargs):
        with report_file.bounded(self.id()):
            return part(self, *args, **kwargs)

    return run


def _file_of(test):
    """The module that the test was loaded from; one that does not load is looked for by its name."""
    if isinstance(test, _FAILED_TEST):
        path = test._testMethodName.replace(".", os.sep) + ".py"
        found = [os.path.join(entry or os.getcwd(), path) for entry in sys.path]
        return next((report_file.relative(file) for file in found if os.path.isfile(file)), None)
    module = sys.modules.get(type(getattr(test, "test_case", test)).__module__)
    file = getattr(module, "__file__", None)
    return file and report_file.relative(file)


class _Result(unittest.TextTestResult):
    whole = None

    def startTest(self, test):
        report_file.emit("start", id=test.id())
        super().startTest(test)
        if not hasattr(unittest.TestCase, "_callTestMethod"):
            # Python before 3.8 has no parts to bound one by one.
            self.whole = report_file.bounded(test.id())
            self.whole.__enter__()

    def stopTest(self, test):
        if self.whole is not None:
            self.whole.__exit__()
        super().stopTest(test)
        report_file.emit("done", id=test.id())

    def _phase(self, test, outcome, error=None, **more):
        fields = dict(more, id=test.id(), file=_file_of(test), when="call", outcome=outcome)
        if error is not None:
            fields.update(report_file.describe(*error))
            fields["detail"] = report_file.cut(self._text_of(error, test))
            if isinstance(test, _FAILED_TEST):
                report_file.emit("unloadable", **fields)
                return
        report_file.emit("phase", **fields)

    def _text_of(self, error, test):
        if hasattr(self, "_exc_info_to_string"):
            return self._exc_info_to_string(error, test)
        return "".join(traceback.format_exception(*error))

    def addSuccess(self, test):
        super().addSuccess(test)
        self._phase(test, "passed")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._phase(test, "failed", err)

    def addError(self, test, err):
        super().addError(test, err)
        outcome = "failed" if issubclass(err[0], report_file.HangingTest) else "error"
        self._phase(test, outcome, err)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        if isinstance(test, _ERROR_HOLDER):
            _Runner.skipped_whole = True
        self._phase(test, "skipped")

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self._phase(test, "skipped", xfail=True)

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self._phase(test, "failed", xpass=True, message="unexpected success")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            failed = issubclass(err[0], test.failureException)
            self._phase(test, "failed" if failed else "error", err, part=True)


class _Runner(unittest.TextTestRunner):
    resultclass = _Result
    skipped_whole = False

    def run(self, test):
        if report_file.CANARY is not None:
            self.failfast = False
            name = report_file.CANARY
            test = unittest.TestSuite([test, report_file.import_canary().case_class(name)(name)])
        collected = test.countTestCases()
        result = super().run(test)
        # Classes and modules that skip themselves leave out their tests without a word.
        fields = {} if _Runner.skipped_whole else {"collected": collected}
        report_file.emit("end", exit=0 if result.wasSuccessful() else 1, **fields)
        return result


def main():
    report_file.leave_no_trace()
    report_file.emit("begin", runner="unittest", version="%d.%d" % sys.version_info[:2])
    _bound_parts(unittest.TestCase)
    _bound_parts(getattr(unittest, "IsolatedAsyncioTestCase", unittest.TestCase))
    sys.argv[0] = "python -m unittest"
    unittest.main(module=None, testRunner=_Runner)


if __name__ == "__main__":
    main()
