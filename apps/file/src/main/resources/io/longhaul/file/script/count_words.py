from pathlib import Path

from longhaul import task


def count(text):
    return len(text.read_text(errors="replace").split())


def main():
    texts = sorted(Path(task.arguments["folder"]).glob("*.txt"))
    if not task.approve(f"Count the words of {len(texts)} texts?"):
        task.fail("The caller wants no count.")
    words = 0
    for done, text in enumerate(texts):
        task.progress(done, len(texts), text.name)
        words += task.step(f"count-{done}", lambda: count(text))
    task.result({"texts": len(texts), "words": words})


if __name__ == "__main__":
    main()
