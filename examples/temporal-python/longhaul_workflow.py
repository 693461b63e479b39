# SPDX-License-Identifier: Apache-2.0
"""Tells the task of a workflow what goes on, and asks its caller: see docs/TEMPORAL.md."""
from temporalio import workflow
from temporalio.exceptions import ApplicationError

MOST_LINES = 1_000
LOOK_LENGTH = 256 * 1024


class Longhaul:
    """Create one before all other code of a workflow, in its @workflow.init or its run method."""

    def __init__(self):
        self._lines, self._parts = [], []
        self._questions, self._answers, self._used = {}, {}, set()
        self._progress = self._message = None
        self._logged = 0
        workflow.set_query_handler("longhaul_look", self._look)
        workflow.set_signal_handler("longhaul_answer", self._answer)

    def progress(self, current, total, message):
        self._progress = {"current": current, "total": total, "message": message}

    def status(self, text):
        self._message = text

    def log(self, text, level="info"):
        """The last 1,000 lines are kept until the task has them."""
        self._logged += 1
        self._lines = [*self._lines, {"n": self._logged, "level": level, "text": text}][-MOST_LINES:]

    def partial(self, text):
        """Gives the caller a piece of the output now."""
        self._parts.append({"n": len(self._parts) + 1, "text": text})

    async def ask(self, name, message, properties=None):
        """Waits for the answer: its fields, or None where the caller declines. Raises where nobody can be asked."""
        key, number = name, 2
        while key in self._used:
            key, number = f"{name}-{number}", number + 1
        self._used.add(key)
        schema = {"type": "object", "properties": properties or {}}
        self._questions[key] = {"id": key, "message": message, "schema": schema}
        try:
            await workflow.wait_condition(lambda: key in self._answers)
        finally:
            del self._questions[key]
        given = self._answers[key]
        if given.get("error") is not None:
            raise ApplicationError(given["error"], type="longhaul", non_retryable=True)
        answer = given.get("answer") or {}
        return answer.get("content") or {} if answer.get("action") == "accept" else None

    async def approve(self, message, name="approve"):
        return await self.ask(name, message) is not None

    def _answer(self, given: dict) -> None:
        self._answers.setdefault(given["id"], given)

    def _look(self, known: dict) -> dict:
        room = LOOK_LENGTH

        def unknown(every, last):
            nonlocal room
            taken = []
            for one in every:
                if one["n"] > last and room > 0:
                    room -= len(one["text"]) + 1
                    taken.append(one)
            return taken

        told = {"logs": unknown(self._lines, known.get("logs", 0)), "parts": unknown(self._parts, known.get("parts", 0)),
                "questions": list(self._questions.values())}
        told["more"] = room <= 0
        if self._progress is not None:
            told["progress"] = self._progress
        if self._message is not None:
            told["message"] = self._message
        return told
