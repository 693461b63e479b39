import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path


class CountWordsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        Path(self.folder, "a.txt").write_text("one two")
        Path(self.folder, "b.txt").write_text("three\n")

    def run_dry(self, answer):
        """Runs the script without a server. A line of standard input answers its question."""
        line = [sys.executable, "count_words.py", f"folder={self.folder}"]
        return subprocess.run(line, input=answer + "\n", capture_output=True, text=True)

    def test_a_yes_counts_the_words_of_all_texts(self):
        run = self.run_dry("yes")
        self.assertEqual(json.loads(run.stdout), {"result": {"texts": 2, "words": 3}}, run.stderr)

    def test_a_no_counts_nothing(self):
        run = self.run_dry("no")
        self.assertEqual(run.returncode, 1)
        self.assertNotIn("step", run.stderr)


if __name__ == "__main__":
    unittest.main()
