from longhaul import task


def ledger(*words):
    with open("ledger", "a") as file:
        file.write(" ".join(words) + "\n")


def step(name, value):
    def work():
        ledger("doing", name)
        return value

    recorded = task.step(name, work)
    ledger("recorded", name)
    return recorded


rows = step("load", 7)
greeting = task.call("greet", "greet", {"name": "Ada"})
who = task.ask("who", "Who?", {"name": "string"})["name"]
task.partial("half")
pages = step("write", 2)
with open("page.txt", "w") as page:
    page.write("page")
task.approve("Publish?")
copies = step("publish", 1)
task.file("page.txt")
task.result({"rows": rows, "who": who, "greeting": greeting.result().strip(), "sum": pages + copies})
