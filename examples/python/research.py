# SPDX-License-Identifier: Apache-2.0
"""Answers questions from texts: ranks paragraphs by BM25, searches again with words that it has found, and asks."""
import collections
import math
import re
from pathlib import Path

from longhaul import TaskError, task

COMMON = set("a an and are as at be by for from has have how in is it its of on or that the this to was were what when where"
             " which who why with".split())


def words(text):
    return [word for word in re.findall(r"[a-z]+", text.lower()) if word not in COMMON]


class Texts:
    def __init__(self, folder):
        self.paragraphs = [(text.stem, part.strip()) for text in sorted(Path(folder).glob("*.txt"))
                           for part in text.read_text().split("\n\n") if part.strip()]
        self.counts = [collections.Counter(words(part)) for _, part in self.paragraphs]
        self.length = sum(map(len, self.counts)) / max(1, len(self.counts))
        self.rows = collections.Counter(word for count in self.counts for word in count)

    def score(self, count, wanted):
        return sum(math.log(1 + len(self.counts) / self.rows[word]) * count[word] * 2.2
                   / (count[word] + 1.2 * (0.25 + 0.75 * len(count) / self.length))
                   for word in wanted if count[word])

    def search(self, wanted, most):
        ranked = sorted(range(len(self.counts)), key=lambda at: (-self.score(self.counts[at], wanted), at))
        return [at for at in ranked[:most] if self.score(self.counts[at], wanted) > 0]


def find(texts, question, rounds):
    """The best paragraphs; each round adds the rarest words of the best one before."""
    wanted = words(question)
    for _ in range(rounds):
        best = texts.search(wanted, 1)
        rare = sorted(texts.counts[best[0]] if best else [], key=lambda word: (texts.rows[word], word))
        wanted += [word for word in rare if word not in wanted][:3]
    return texts.search(wanted, 3)


def answer(at, question, passages):
    """The answer of the caller's model, or, where it has none, the sentences that share most words with the question."""
    prompt = f"Answer from these passages: {question}\n\n" + "\n\n".join(passages)
    try:
        found = task.sample(f"answer-{at}", {"maxTokens": 300, "messages": [
            {"role": "user", "content": {"type": "text", "text": prompt}}]})
        return found["content"]["text"]
    except TaskError:
        sentences = [line for part in passages for line in re.split(r"(?<=[.!?])\s+", part)]
        wanted = set(words(question))
        return " ".join(sorted(sentences, key=lambda line: -len(wanted & set(words(line))))[:2])


def main():
    depth = task.ask("depth", "How thorough shall the report be?", {"rounds": [1, 2, 3]})
    if depth is None:
        task.fail("The caller wants no report.")
    questions = [question.strip() for question in task.arguments["questions"].split(";") if question.strip()]
    texts = Texts(task.arguments["folder"])
    sections = []
    for at, question in enumerate(questions):
        task.progress(at, len(questions), question)
        found = task.step(f"search-{at}", lambda: find(texts, question, int(depth["rounds"])))
        passages = [texts.paragraphs[one] for one in found]
        text = answer(at, question, [part for _, part in passages])
        sections.append({"question": question, "answer": text, "from": sorted({name for name, _ in passages})})
        task.step(f"section-{at}", lambda: task.partial(f"## {question}\n{text}"))
    task.result({"sections": sections})


if __name__ == "__main__":
    main()
