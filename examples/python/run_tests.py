# SPDX-License-Identifier: Apache-2.0
"""Runs the test modules of a project, each in a process of its own, and tells of each as it ends."""
import re
import subprocess
import sys
from pathlib import Path

from longhaul import task


def run(module, folder):
    ended = subprocess.run([sys.executable, "-m", "unittest", "-v", module], cwd=folder, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return {
        "module": module,
        "tests": sum(map(int, re.findall(r"^Ran (\d+) tests?", ended.stdout, re.M))),
        "failed": re.findall(r"^(?:FAIL|ERROR): (\S+)", ended.stdout, re.M),
        "passed": ended.returncode == 0,
    }


def main():
    folder = Path(task.arguments["folder"])
    modules = sorted(path.stem for path in folder.glob("test_*.py"))
    if not modules:
        task.fail(f"There are no modules test_*.py in {folder}.")
    results = []
    for done, module in enumerate(modules):
        task.progress(done, len(modules), module)
        result = task.step(f"run-{module}", lambda: run(module, folder))
        if result["failed"]:
            task.log(f"{module}: {', '.join(result['failed'])}", "error")
        results.append(result)
    task.result({"modules": results, "tests": sum(one["tests"] for one in results),
                 "failed": [f"{one['module']}.{name}" for one in results for name in one["failed"]]})


if __name__ == "__main__":
    main()
