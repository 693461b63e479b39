package io.longhaul.server;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

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

    /**
     * One thing that it was told to do.
     *
     * @param place among all that it was told, from 0
     */
    private record Command(Does what, int number, int place) {}

    final String name;

    /** It may be run again after a crash; otherwise it has failed then. */
    final boolean restarts;

    private final List<Command> commands = new ArrayList<>();
    private LinkedBlockingQueue<Command> waiting = new LinkedBlockingQueue<>();
    private int done;
    private int lines;

    /** When it was told to report each of its steps, from the first one on. */
    private final List<Instant> reported = new ArrayList<>();

    /** How the client names the task in its requests; empty until it knows. */
    String id = "";

    /** How many steps it has reported, and how many of them before the present step of the simulation. */
    int progress;

    int before;

    /** How many questions it has asked, and how many of them were answered. */
    int asked;

    int answered;
    Instant askedAt = Instant.EPOCH;

    /** How many of its questions the server has acknowledged the answer to. */
    int acknowledged;

    boolean over;

    /** When the model knows it to have ended. */
    Instant overAt = Instant.MAX;

    /** Its client has given it up, and cannot know what it does last. */
    boolean cancelled;

    ModelWork(String name, boolean restarts) {
        this.name = name;
        this.restarts = restarts;
    }

    /** The name of its tool. */
    String tool() {
        return restarts ? "works" : "works_once";
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
        switch (what) {
            case PROGRESS -> {
                reported.add(now);
                add(what, ++progress);
            }
            case LOG, PARTIAL -> add(what, ++lines);
            case ASK -> {
                askedAt = now;
                add(what, ++asked);
            }
            case END -> {
                ends(now);
                add(what, 0);
            }
        }
        return true;
    }

    private void add(Does what, int number) {
        var command = new Command(what, number, commands.size());
        commands.add(command);
        waiting.add(command);
    }

    void ends(Instant now) {
        over = true;
        overAt = now;
    }

    /** When it was told to report a step. */
    Instant reportedAt(int step) {
        return reported.get(step - 1);
    }

    /**
     * The server was killed and has started again.
     *
     * @param stored the task of this work as the server has it now, or null where it has none
     */
    void recover(@Nullable Task stored, Instant now) {
        if (stored == null) {
            return;
        }
        answered = (int) stored.status().inputs().stream()
                .filter(input -> !input.isOutstanding())
                .count();
        askedAt = now;
        cancelled = cancelled && stored.state() == TaskState.CANCELLED;
        var ending = stored.ending();
        boolean willEnd = !commands.isEmpty() && commands.getLast().what() == Does.END;
        if (ending != null) {
            over = true;
            overAt = ending.at();
        } else if (over) {
            over = willEnd;
            overAt = willEnd ? now : Instant.MAX;
        }
    }

    /** The work itself, on the thread of its task; after a crash it asks again what it has asked, and goes on. */
    String run(TaskContext task) throws InterruptedException {
        var mine = new LinkedBlockingQueue<Command>();
        commands.stream()
                .filter(command -> command.place() >= done || command.what() == Does.ASK)
                .forEach(mine::add);
        waiting = mine;
        while (true) {
            var command = mine.take();
            switch (command.what()) {
                case PROGRESS -> task.progress(command.number(), "step");
                case LOG -> task.log("info", "line " + command.number());
                case PARTIAL -> task.partial("piece");
                case ASK -> task.elicit("Question " + command.number(), Tools.Name.class);
                case END -> {
                    return "done";
                }
            }
            done = Math.max(done, command.place() + 1);
        }
    }
}
