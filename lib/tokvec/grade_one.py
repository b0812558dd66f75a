"""Run one submission and test it: what `tokvec.grade` starts as a process of its own, once a submission.

``python -P grade_one.py JOB LOG`` reads a job (JSON: the submission's code cells, the tests, the time limit), runs the
cells in an IPython shell and the tests after the cells that ask for them, and appends what happens to the
log, one JSON object a line. Whatever becomes of this process, the lines written so far hold.

The student's code runs in here, as the same user. It is kept from common accidents (endless loops, too much
memory, floods of output, files written elsewhere), not from somebody who means harm.
"""

from __future__ import annotations

import json
import math
import os
import signal
import sys
import time

GIGABYTE = 1024**3
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Audit events whose arguments are paths that change, and how many of the arguments are paths.
CHANGES = {
    "os.remove": 1, "os.rmdir": 1, "os.mkdir": 1, "os.chmod": 1, "os.chown": 1, "os.truncate": 1, "os.utime": 1,
    "os.rename": 2, "os.link": 2, "os.symlink": 2, "shutil.rmtree": 1, "sqlite3.connect": 1,
}  # fmt: skip


class Log:
    """The one channel out: a file opened before the student's code runs, appended to line by line."""

    def __init__(self, path: str) -> None:
        self.fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def __call__(self, **record: object) -> None:
        os.write(self.fd, (json.dumps(record, default=str) + "\n").encode())


class CountedOutput:
    """Stands in for stdout and stderr: counts the characters and drops them."""

    encoding, errors = "utf-8", "replace"

    def __init__(self) -> None:
        self.characters = 0

    def write(self, text: str) -> int:
        self.characters += len(text)
        return len(text)

    def writelines(self, lines) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return 1


class Timer:
    """Raises TimeoutError in whatever runs, after so many seconds of processor time, and again after as many.

    Processor time, so that a busy machine does not cost anybody points; a little over three times as many seconds on
    the clock stop what only waits. It repeats because code can catch the first: ``while True: try: ... except
    Exception: pass``. What goes on after the fourth ends the process. The two timers can fall due at one moment, and
    the second would then raise in the handler of the first, where no student could catch it: of two rings in quick
    succession only the first counts. Only the main thread of a Unix process can have such timers; elsewhere the
    batch's own limit holds.
    """

    def __init__(self, seconds: float, log: Log) -> None:
        self.seconds, self.log = seconds, log
        self.rings = 0
        self.last = -math.inf

    def _ring(self, number: int, frame: object) -> None:
        now = time.monotonic()
        if now - self.last < self.seconds / 8:
            return
        self.last = now
        self.rings += 1
        if self.rings > 4:
            self.log(fatal="endless, and it catches every exception")
            os._exit(1)
        raise TimeoutError(f"stopped after {self.seconds:g} seconds")

    def start(self, share: float = 1) -> None:
        self.rings, self.last = 0, -math.inf
        if hasattr(signal, "setitimer"):
            for number, timer, seconds in (
                (signal.SIGPROF, signal.ITIMER_PROF, self.seconds * share),
                (signal.SIGALRM, signal.ITIMER_REAL, self.seconds * share * 3.37),
            ):
                signal.signal(number, self._ring)  # again, in case the student's code took it
                signal.setitimer(timer, seconds, seconds)

    def stop(self) -> None:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)


def fence(allowed: list[str], log: Log) -> None:
    """Refuse Python's writes outside the `allowed` folders, and log each.

    An audit hook cannot be taken out again. It sees what Python does, not what compiled code or another
    program does: a fence, not a wall.
    """
    roots = tuple(os.path.realpath(folder) + os.sep for folder in [*allowed, "/dev"])
    told: set[str] = set()

    def outside(path: object, folder: object) -> str | None:
        if isinstance(path, int) or path is None:
            return None
        name = os.fsdecode(path)
        if isinstance(folder, int) and folder >= 0 and not os.path.isabs(name):
            name = os.path.join(f"/proc/self/fd/{folder}", name)
        # The last part is not resolved: removing a link inside the folder does not touch what it points to.
        real = os.path.join(os.path.realpath(os.path.dirname(os.path.abspath(name))), os.path.basename(name))
        return None if (real + os.sep).startswith(roots) else real

    def hook(event: str, args: tuple) -> None:
        if event == "open":
            path, _, flags = args
            paths, folder = ([path] if flags and flags & WRITING else []), -1
            if paths and not isinstance(path, int) and os.path.islink(path):
                paths.append(os.path.realpath(path))  # writing follows a link
        elif event in CHANGES:
            paths, folder = list(args[: CHANGES[event]]), args[-1]
            if event == "os.symlink":
                paths = paths[1:]
            if event == "sqlite3.connect" and paths[0] == ":memory:":
                paths = []
        else:
            return
        for path in paths:
            if where := outside(path, folder):
                if where not in told:
                    told.add(where)
                    log(outside=where)
                raise PermissionError(f"a submission writes only in its own folder, not to {where}")

    sys.addaudithook(hook)


def limit(seconds: float, memory: int) -> None:
    """Set the process's own limits: processor time, memory, size of a file (Unix only)."""
    try:
        import resource
    except ImportError:
        return
    for kind, most in (
        (resource.RLIMIT_CPU, int(8 * seconds) + 60),  # all threads together; the batch's limit comes before it
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, GIGABYTE // 4),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        resource.setrlimit(kind, (most, most))


class Tests:
    """The assignment's own tests, read into memory before the student's code runs."""

    def __init__(self, sources: dict[str, str], names: dict, timer: Timer, log: Log) -> None:
        from otter.test_files import ExceptionTestFile

        self.files = {
            question: ExceptionTestFile.from_string(source, f"{question}.py") for question, source in sources.items()
        }
        self.names, self.timer, self.log = names, timer, log
        self.checked: set[str] = set()

    def check(self, question: str):
        """Run the tests of one question against the names as they are now, and log the points."""
        from otter.test_files.abstract_test import TestCaseResult

        if question not in self.files:
            raise FileNotFoundError(f"This assignment has no question {question!r}")
        test = self.files[question]
        test.test_case_results = []
        failures: list[str] = []
        share = 1.0
        for case in test.test_cases:
            self.timer.start(share)
            try:
                case.body.call_func(self.names)
                message, passed = "passed", True
            except BaseException as error:  # sys.exit() in a student's function, too
                message, passed = f"{type(error).__name__}: {error}"[:300], False
                failures.append(message)
            finally:
                self.timer.stop()
            if self.timer.rings:
                share = 0.25  # one endless function should not wait out the limit in every test
            test.test_case_results.append(TestCaseResult(case, message, passed))
        wanted = {name for case in test.test_cases for name in case.body._get_func_params()} - {"env"}
        self.checked.add(question)
        self.log(
            question=question,
            score=round(float(test.score), 6),
            possible=round(float(test.possible), 6),
            failures=failures[:3],
            missing=sorted(name for name in wanted if name not in self.names),
        )
        return test


def run(job: dict, log: Log) -> None:
    """Run every cell, test every question, and log it all."""
    import otter
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    for module in job["imports"]:
        try:
            __import__(module)
        except Exception as error:
            log(fatal=f"cannot import {module} ({type(error).__name__}: {error})")
            return
    if not job["cells"] and not job["tests"]:
        log(done=True)
        return
    shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    timer = Timer(job["cell_seconds"], log)
    tests = Tests(job["tests"], shell.user_ns, timer, log)
    # Whatever folder of tests the notebook names, these are the tests that count.
    otter.Notebook.check = lambda self, question, global_env=None: tests.check(question)
    output = sys.stdout = sys.stderr = CountedOutput()
    limit(job["seconds"], job["memory"])
    fence(job["allowed"], log)
    sys.path.insert(0, os.getcwd())

    for number, source in job["cells"]:
        log(cell=number)
        timer.start()
        try:
            result = shell.run_cell(source, store_history=False)
            error = result.error_before_exec or result.error_in_exec
        except BaseException as unexpected:
            error = unexpected
        finally:
            timer.stop()
        if error is not None:
            log(cell=number, error=f"{type(error).__name__}: {error}"[:300], stopped=timer.rings > 0)
    log(cell=None)
    for question in job["tests"]:
        if question not in tests.checked:
            tests.check(question)
            log(unasked=question)
    log(done=True, characters=output.characters)


def main() -> int:
    """Read the job, run it, and leave without waiting for threads that the student's code started."""
    with open(sys.argv[1], encoding="utf-8") as stream:
        job = json.load(stream)
    log = Log(sys.argv[2])
    try:
        run(job, log)
    except BaseException as error:
        log(fatal=f"{type(error).__name__}: {error}"[:300])
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
