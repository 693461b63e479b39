# SPDX-License-Identifier: Apache-2.0
"""Ranks molecules by their likeness to a lead: LINGOs, the parts of four characters of their SMILES (Vidal, 2005)."""
import collections
import re
from pathlib import Path

from longhaul import task

MASSES = {"H": 1.008, "C": 12.011, "N": 14.007, "O": 15.999, "F": 18.998, "P": 30.974, "S": 32.06, "Cl": 35.45,
          "Br": 79.904, "I": 126.904}
HEAVIEST, BATCH = 500, 20


def mass(formula):
    """In daltons. A rule of Lipinski: what is heavier is seldom a drug that can be swallowed."""
    return sum(MASSES[element] * int(count or 1) for element, count in re.findall(r"([A-Z][a-z]?)(\d*)", formula))


def lingos(smiles):
    plain = re.sub(r"\d", "0", smiles.replace("Cl", "L").replace("Br", "R"))
    return collections.Counter(plain[at:at + 4] for at in range(len(plain) - 3))


def likeness(one, other):
    """The Tanimoto coefficient of two counts."""
    both = sum((one & other).values())
    return both / max(1, sum((one | other).values()))


def screen(batch, lead):
    """The likeness of each molecule that is light enough."""
    return [[name, round(likeness(lingos(smiles), lead), 4)] for smiles, name, formula in batch
            if mass(formula) <= HEAVIEST]


def main():
    lines = Path(task.arguments["library"]).read_text().splitlines()
    library = [line.split() for line in lines if len(line.split()) == 3]
    lead = next((lingos(smiles) for smiles, name, _ in library if name == task.arguments["lead"]), None)
    if lead is None:
        task.fail(f"The library has no {task.arguments['lead']}.")
    found = []
    for begin in range(0, len(library), BATCH):
        task.progress(begin, len(library), "molecules")
        found += task.step(f"screen-{begin}", lambda: screen(library[begin:begin + BATCH], lead))
    best = sorted((one for one in found if one[0] != task.arguments["lead"]), key=lambda one: (-one[1], one[0]))[:10]
    task.partial("most like " + task.arguments["lead"] + ": " + ", ".join(name for name, _ in best))
    task.result({"screened": len(library), "kept": len(found), "best": [{"name": name, "likeness": like}
                                                                        for name, like in best]})


if __name__ == "__main__":
    main()
