"""The helper for Python, against a server that answers as ScriptLanguageTest says."""
import unittest

from longhaul import TaskError, task


class HelperTest(unittest.TestCase):
    def test_arguments(self):
        self.assertEqual(task.arguments, {"folder": 'a "b"\\\nü 😀', "count": 3, "kinds": ["txt"]})
        self.assertEqual(task.id, "task-1")

    def test_what_is_told(self):
        task.progress(1, 3, 'one "of"\nthree, ü')
        task.progress(2)
        task.status("reads\tthe texts")
        task.log("a line")
        task.log("careful \\", "warning")
        task.partial("x" * 5000)
        with self.assertRaisesRegex(ValueError, "1024 KiB"):
            task.partial("x" * (1 << 20))

    def test_steps(self):
        self.assertEqual(task.step("load", lambda: "three\nrows"), "three\nrows")
        self.assertEqual(task.step("load", lambda: self.fail("runs again")), "three\nrows")
        self.assertEqual(task.step("known", lambda: self.fail("runs again")), "of an earlier attempt")
        self.assertEqual(task.step("raced", lambda: "mine"), "of another")
        self.assertEqual(task.step("json", lambda: {"rows": [1, None]}), {"rows": [1, None]})
        with self.assertRaisesRegex(TaskError, "too large"):
            task.step("large", lambda: "large")

    def test_a_step_that_fails_is_not_recorded(self):
        with self.assertRaises(ZeroDivisionError):
            task.step("broken", lambda: 1 / 0)
        self.assertIsNone(task._found("steps", "broken"))

    def test_questions(self):
        self.assertEqual(task.ask("place", "Where?", {"city": "string"}), {"city": "Graz"})
        self.assertEqual(task.ask("place", "Where?", {"city": "string"}), {"city": "Graz"})
        self.assertIsNone(task.ask("other", "Where else?", {"city": "string"}))
        self.assertIs(task.approve("Publish?"), True)
        self.assertIs(task.approve("Delete?"), False)
        self.assertIs(task.approve("Delete?", key="delete-it"), False)
        self.assertIs(task.ask_url("login", "Log in", "https://example.com/login"), True)
        self.assertEqual(task.sample("title", {"messages": [], "maxTokens": 9})["content"]["text"], "Words")
        self.assertEqual(task.roots(), [{"uri": "file:///texts"}])
        with self.assertRaisesRegex(TaskError, "cannot be asked"):
            task.ask("nobody", "Who?", {"name": "string"})

    def test_children_run_side_by_side(self):
        first = task.call("first", "run_tests", {"commit": "ab12"})
        second = task.call("second", "run_tests")
        self.assertEqual(first.result(), {"passed": 3})
        self.assertEqual(second.result(), "3 passed")
        self.assertEqual(task.call("first", "run_tests").result(), {"passed": 3})
        with self.assertRaisesRegex(TaskError, "no tests") as broken:
            task.call("broken", "run_tests").result()
        self.assertEqual(broken.exception.task, "child-broken")
        with self.assertRaisesRegex(TaskError, "was cancelled"):
            task.call("gone", "run_tests").result()

    def test_no_line_has_an_illegal_name(self):
        for name in ("", ".a", "a/b", "two words", "ü", "x" * 65, "a\n"):
            with self.assertRaises(ValueError):
                task.step(name, lambda: "value")
            with self.assertRaises(ValueError):
                task.ask(name, "Where?", {})
            with self.assertRaises(ValueError):
                task.call(name, "run_tests")

    def test_the_result_grows(self):
        task.file("a.txt")
        task.result({"words": "3"})
        task.file("out/*.png")
        with self.assertRaises(TypeError):
            task.result("3")


if __name__ == "__main__":
    unittest.main()
