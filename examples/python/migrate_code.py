# SPDX-License-Identifier: Apache-2.0
"""Migrates each git repository of a folder: a branch with one commit, where the change compiles and its tests pass."""
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from longhaul import task

BRANCH = "longhaul/unittest-names"
RENAMED = {"assertEquals": "assertEqual", "assertNotEquals": "assertNotEqual", "assertRegexpMatches": "assertRegex",
           "assert_": "assertTrue", "failUnless": "assertTrue", "failIf": "assertFalse"}
# The same change is the same commit, however often it is made.
AUTHOR = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
          for what, value in (("NAME", "migration"), ("EMAIL", "migration@example.com"), ("DATE", "2026-01-01T00:00:00Z"))}


def run(*command, folder):
    ended = subprocess.run(command, cwd=folder, env=os.environ | AUTHOR, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if ended.returncode:
        raise RuntimeError(ended.stdout.strip().splitlines()[-1] if ended.stdout.strip() else command[0])
    return ended.stdout.strip()


def migrated(text):
    """The text with its calls renamed, and how many they are. The parser finds them, so no text or comment changes."""
    calls = sorted(((node.func.end_lineno, node.func.end_col_offset, node.func.attr) for node in ast.walk(ast.parse(text))
                    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in RENAMED),
                   reverse=True)
    lines = [line.encode() for line in text.splitlines(keepends=True)]
    for line, end, name in calls:
        before = lines[line - 1]
        lines[line - 1] = before[:end - len(name)] + RENAMED[name].encode() + before[end:]
    return b"".join(lines).decode(), len(calls)


def migrate(repository):
    """Works in a clone of its own: the files of the repository stay as they are."""
    clone = Path(tempfile.mkdtemp(prefix="migration-"))
    try:
        run("git", "clone", "-q", str(repository), ".", folder=clone)
        calls = 0
        for source in sorted(clone.rglob("*.py")):
            text, found = migrated(source.read_text())
            calls += found
            source.write_text(text)
        if not calls:
            return {"name": repository.name, "calls": 0, "outcome": "nothing to migrate"}
        run(sys.executable, "-m", "unittest", folder=clone)
        run("git", "commit", "-qam", "Use the names of unittest that Python 3.12 has", folder=clone)
        commit = run("git", "rev-parse", "HEAD", folder=clone)
        run("git", "push", "-qf", "origin", f"HEAD:refs/heads/{BRANCH}", folder=clone)
        return {"name": repository.name, "calls": calls, "outcome": commit}
    except (RuntimeError, SyntaxError) as problem:
        return {"name": repository.name, "calls": 0, "outcome": f"no branch: {problem}"}
    finally:
        shutil.rmtree(clone, ignore_errors=True)


def main():
    repositories = sorted(path.parent for path in Path(task.arguments["folder"]).resolve().glob("*/.git"))
    rows = []
    for done, repository in enumerate(repositories):
        task.progress(done, len(repositories), repository.name)
        rows.append(task.step(f"migrate-{repository.name}", lambda: migrate(repository)))
    task.result({"repositories": rows, "branches": sum(row["calls"] > 0 for row in rows)})


if __name__ == "__main__":
    main()
