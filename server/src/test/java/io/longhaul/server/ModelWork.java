package io.longhaul.server;

import java.time.Instant;
import java.util.concurrent.LinkedBlockingQueue;

/** A task that does what it is told, and what the model knows of it. */
final class ModelWork {

    /** What a task does next. */
    enum Does {
        PROGRESS,
        LOG,
        PARTIAL,
        ASK,
        END
    }

    /** What a call is given. */
    record Named(String name) {}

    private record Command(Does what, int number) {}

    final String name;
    private final LinkedBlockingQueue<Command> commands = new LinkedBlockingQueue<>();
    private int lines;

    /** How the client names the task in its requests; empty until it knows. */
    String id = "";

    /** How many steps it has reported, and how many of them before the present step of the simulation. */
    int progress;

    int before;

    /** How many questions it has asked, and how many of them were answered. */
    int asked;

    int answered;
    Instant askedAt = Instant.EPOCH;
    boolean over;

    /** Its client has given it up, and cannot know what it does last. */
    boolean cancelled;

    ModelWork(String name) {
        this.name = name;
    }

    boolean asks() {
        return asked > answered && !over;
    }

    /** A step of the simulation begins. */
    void next() {
        before = progress;
    }

    /** Whether the task could be told; it reports one step at a time, and waits while it asks. */
    boolean tell(Does what, Instant now) {
        if (asks() || over || what == Does.PROGRESS && progress > before) {
            return false;
        }
        commands.add(
                switch (what) {
                    case PROGRESS -> new Command(what, ++progress);
                    case LOG, PARTIAL -> new Command(what, ++lines);
                    case ASK -> {
                        askedAt = now;
                        yield new Command(what, ++asked);
                    }
                    case END -> {
                        over = true;
                        yield new Command(what, 0);
                    }
                });
        return true;
    }

    /** The work itself, on the thread of its task. */
    String run(TaskContext task) throws InterruptedException {
        while (true) {
            var command = commands.take();
            switch (command.what()) {
                case PROGRESS -> task.progress(command.number(), "step");
                case LOG -> task.log("info", "line " + command.number());
                case PARTIAL -> task.partial("piece");
                case ASK -> task.elicit("Question " + command.number(), Tools.Name.class);
                case END -> {
                    return "done";
                }
            }
        }
    }
}
