# SPDX-License-Identifier: Apache-2.0
"""Runs without Temporal: python3 -m unittest"""
import asyncio
import sys
import types
import unittest

HANDLERS = {}
WORKFLOW = types.SimpleNamespace(set_query_handler=HANDLERS.__setitem__, set_signal_handler=HANDLERS.__setitem__)


class ApplicationError(Exception):
    def __init__(self, message, *, type, non_retryable):
        super().__init__(message)


async def wait_condition(holds):
    while not holds():
        await asyncio.sleep(0)


WORKFLOW.wait_condition = wait_condition
sys.modules["temporalio"] = types.SimpleNamespace(workflow=WORKFLOW)
sys.modules["temporalio.exceptions"] = types.SimpleNamespace(ApplicationError=ApplicationError)

from longhaul_workflow import Longhaul  # noqa: E402


class LonghaulTest(unittest.TestCase):
    def setUp(self):
        self.task = Longhaul()

    def look(self, **known):
        return HANDLERS["longhaul_look"](known)

    def test_what_is_known_is_not_told_again(self):
        self.task.progress(1, 2, "half")
        self.task.log("one")
        self.task.log("two", "warning")
        self.task.partial("piece")
        told = self.look(logs=1, parts=0)
        self.assertEqual(told["progress"], {"current": 1, "total": 2, "message": "half"})
        self.assertEqual(told["logs"], [{"n": 2, "level": "warning", "text": "two"}])
        self.assertEqual(told["parts"], [{"n": 1, "text": "piece"}])
        self.assertFalse(told["more"])

    def test_more_lines_than_one_look_has_room_for_come_with_the_next(self):
        for _ in range(5):
            self.task.log("x" * 100_000)
        self.assertEqual((len(self.look()["logs"]), self.look()["more"]), (3, True))
        self.assertEqual((len(self.look(logs=3)["logs"]), self.look(logs=3)["more"]), (2, False))

    def answered(self, question, **given):
        """What the question gives where the caller answers so."""
        async def both():
            asking = asyncio.ensure_future(question)
            await asyncio.sleep(0)
            asked = self.look()["questions"][0]
            HANDLERS["longhaul_answer"]({"id": asked["id"], **given})
            HANDLERS["longhaul_answer"]({"id": asked["id"], "error": "a second answer"})
            return asked, await asking

        return asyncio.run(both())

    def test_a_question_waits_for_its_first_answer(self):
        asked, answer = self.answered(self.task.ask("who", "Who?", {"name": {"type": "string"}}),
                                      answer={"action": "accept", "content": {"name": "Eve"}})
        self.assertEqual(asked["schema"], {"type": "object", "properties": {"name": {"type": "string"}}})
        self.assertEqual(answer, {"name": "Eve"})
        self.assertEqual(self.look()["questions"], [])

    def test_a_no_and_nobody_to_ask(self):
        self.assertFalse(self.answered(self.task.approve("Publish?"), answer={"action": "decline"})[1])
        with self.assertRaisesRegex(ApplicationError, "nobody"):
            self.answered(self.task.approve("Publish?"), error="nobody")


if __name__ == "__main__":
    unittest.main()
