# SPDX-License-Identifier: Apache-2.0
"""What a command in Python 3.9+ can do as a task of Longhaul: lines of version 1, see docs/COMMANDS.md.

    from longhaul import task

    rows = task.step("load", lambda: load(task.arguments["folder"]))  # once, also across a crash
    if task.approve("Publish?"):
        task.result({"rows": rows})

Without Longhaul, a script runs dry: its arguments are the words key=value of the command line, the lines that it says
are shown, and each question takes a line of standard input: yes, no, or the fields of a form as a JSON object.
"""
import functools
import hashlib
import json
import os
import re
import signal
import sys
import threading
import time

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}")
_SUSPENDED = 75
_LONGEST = 1 << 20
_LONGEST_OF_OUTPUT = 1 << 17


class TaskError(Exception):
    """The server refused a line, nobody could be asked, or a child failed. ``task`` is the id of the child."""

    def __init__(self, message, task=None):
        super().__init__(message)
        self.task = task


class Cancelled(SystemExit):
    """The call was cancelled or took too long. Clean up, and let it through: the process is killed soon."""


class Child:
    """A call of another tool. Several run side by side, until each is asked for its result."""

    def __init__(self, wait):
        self._wait = wait

    def result(self):
        """Waits for the end: the structured content of the child, else its text. Raises TaskError where it failed."""
        found = self._wait()
        result = found["result"]
        text = "\n".join(item["text"] for item in result.get("content", []) if item.get("type") == "text")
        if result.get("isError"):
            raise TaskError(text, found.get("task"))
        return result.get("structuredContent", text)


class Task:
    """The task that runs this process. Each name and key is unique in the task, and the same in each attempt."""

    def __init__(self, environ=os.environ):
        self.id = environ.get("LONGHAUL_TASK")
        self._folder = environ.get("LONGHAUL_TASK_DIR")
        self._file = environ.get("LONGHAUL_SAY")
        self._prefix = environ.get("LONGHAUL_SAY_PREFIX")
        self._is_dry = not (self._file or self._prefix)
        self._patience = float(environ.get("LONGHAUL_SUSPEND_AFTER") or "inf")
        self._dry = {}
        self._steps = []
        self._result = {}

    @functools.cached_property
    def arguments(self):
        """The arguments of the call, by their names."""
        if not self._is_dry:
            with open(os.path.join(self._folder, "arguments.json"), encoding="utf-8") as file:
                return json.load(file)
        return {key: _value(text) for key, equals, text in (word.partition("=") for word in sys.argv[1:]) if equals}

    def progress(self, done, total=None, message=None):
        self._say(_without_none(progress=done, total=total, message=message))

    def status(self, text):
        """Says in a sentence what goes on now."""
        self._say({"status": text})

    def log(self, text, level="info"):
        """Adds to the log of the task: debug, info, notice, warning, error, critical, alert or emergency."""
        self._say({"log": text, "level": level})

    def partial(self, value):
        """Gives a piece of the output to the caller now: a text, or any JSON."""
        self._say({"partial": value})

    def step(self, name, function):
        """The value of the function, as JSON. A later attempt takes the recorded value and does not run it again."""
        found = self._found("steps", name)
        if found is None:
            self._steps.append(name)
            try:
                value = function()
            finally:
                self._steps.remove(name)
            found = self._get("steps", name, {"step": name, "value": value})
        return _unless_error(found)["value"]

    def ask(self, key, message, fields):
        """The fields that the caller filled in; None where the caller declines. Fields are written as in the file."""
        return self._accepted({"ask": key, "message": message, "fields": fields})

    def approve(self, message, key=None):
        """Whether the caller says yes. The same message is one question, unless the keys differ."""
        key = key or "approve-" + hashlib.sha256(message.encode()).hexdigest()[:16]
        return self._accepted({"ask": key, "message": message}) is not None

    def ask_url(self, key, message, url):
        """Whether the caller agrees to open the address."""
        return self._accepted({"ask": key, "url": url, "message": message}) is not None

    def sample(self, key, params):
        """Has the caller's model answer: the result of sampling/createMessage with these params."""
        return self._answer({"ask": key, "sample": params})

    def roots(self, key="roots"):
        """The folders of the caller, each with its uri."""
        return self._answer({"ask": key, "roots": True})["roots"]

    def call(self, name, tool, arguments=None):
        """Starts a tool of this server as a child of this task."""
        line = {"call": name, "tool": tool, "arguments": arguments or {}}
        if self._found("children", name) is None:
            self._say(line)
        return Child(lambda: _unless_error(self._wait("children", name)))

    def result(self, value=None, content=None, files=None):
        """The result, where the command ends with success: a dict, items of content, paths below the working folder."""
        if value is not None and not isinstance(value, dict):
            raise TypeError("a result is a dict")
        every = self._result.get("files", []) + list(files or []) or None
        self._result.update(_without_none(result=value, content=content, files=every))
        self._say(self._result)

    def file(self, path):
        """Adds a file to the result."""
        self.result(files=[os.fspath(path)])

    def fail(self, text):
        """Ends the process; the caller's model reads the text."""
        self._say({"fail": text})
        sys.exit(1)

    def _accepted(self, line):
        answer = self._answer(line)
        return answer.get("content") or {} if answer["action"] == "accept" else None

    def _answer(self, line):
        return _unless_error(self._get("answers", line["ask"], line, self._patience))

    def _get(self, folder, name, line, patience=float("inf")):
        found = self._found(folder, name)
        if found is not None:
            return found
        self._say(line)
        return self._wait(folder, name, patience)

    def _wait(self, folder, name, patience=float("inf")):
        pause, end = 0.005, time.monotonic() + patience
        while True:
            found = self._found(folder, name)
            if found is not None:
                return found
            in_main = threading.current_thread() is threading.main_thread()
            if time.monotonic() >= end and in_main and not self._steps:
                sys.exit(_SUSPENDED)  # The server starts the command again when the answer has come.
            time.sleep(pause)
            pause = min(pause * 1.5, 0.2)

    def _found(self, folder, name):
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name: use up to 64 letters, digits, dots, _ and -")
        if self._is_dry:
            return self._dry.get((folder, name))
        try:
            with open(os.path.join(self._folder, folder, name + ".json"), encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return None

    def _say(self, line):
        text = json.dumps(line, allow_nan=False) + "\n"
        said = f"{self._prefix} {text}".encode() if self._prefix else text.encode()
        longest = _LONGEST_OF_OUTPUT if self._prefix else _LONGEST
        if len(said) > longest:
            raise ValueError(f"a line has {longest >> 10} KiB at most: keep large values in files")
        if self._is_dry:
            return self._run_dry(json.loads(text), text)
        if self._prefix:
            sys.__stdout__.flush()
        file = os.dup(1) if self._prefix else os.open(self._file, os.O_WRONLY | os.O_APPEND)
        try:
            if os.write(file, said) < len(said):
                raise OSError("only a part of a line was written")
        finally:
            os.close(file)

    def _run_dry(self, line, text):
        """Shows a line, and answers it in place of a server."""
        kind, name = next(iter(line.items()))
        is_result = kind in ("result", "content", "files")
        print(text, end="", file=sys.stdout if is_result else sys.stderr, flush=True)
        if kind == "step":
            self._dry["steps", name] = {"value": line["value"]}
        elif kind == "ask" and "message" in line:
            typed = _value(sys.stdin.readline().strip())
            is_yes = typed in ("yes", "y") or isinstance(typed, dict)
            content = typed if isinstance(typed, dict) else {}
            self._dry["answers", name] = {"action": "accept" if is_yes else "decline", "content": content}
        elif kind in ("ask", "call"):
            folder = "answers" if kind == "ask" else "children"
            self._dry[folder, name] = {"error": {"message": f"there is no server to {kind}; see longhaul serve"}}


def _unless_error(found):
    if "error" in found:
        raise TaskError(found["error"]["message"], found.get("task"))
    return found


def _without_none(**members):
    return {name: value for name, value in members.items() if value is not None}


def _value(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def _tell(kind, error, trace, others=sys.excepthook):
    """Tells a TaskError that nothing has caught in a line: it is of the call, not of the script."""
    if issubclass(kind, TaskError):
        print(f"longhaul.py: {error}", file=sys.stderr)
    else:
        others(kind, error, trace)


def _cancel(number, frame):
    signal.signal(number, lambda *again: None)
    raise Cancelled(128 + number)


sys.excepthook = _tell
task = Task()
if not task._is_dry and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGTERM, _cancel)
