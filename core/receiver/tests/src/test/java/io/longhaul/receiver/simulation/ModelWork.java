// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tools;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A task that does what it is told, and what the model knows of it. */
final class ModelWork {

    /** What a task does next. */
    enum Does {
        PROGRESS,
        LOG,
        PARTIAL,
        ASK,
        END,
        /** More lines of the log at once than a client is told of. */
        FLOOD
    }

    /** Each so many pieces there is a large one. */
    private static final int LARGE = 4;

    private static final String FILL = " ".repeat(40 * 1024);

    /** How many lines a flood has. */
    private static final int FLOOD = 120;

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

    /** When it was told to report each of its steps, from the first one on. */
    private final List<Instant> reported = new ArrayList<>();

    /** How many of its steps it had reported before the present step of the simulation. */
    private int stepsBefore;

    /** How many lines it has logged, and how many of them before the present step of the simulation. */
    private int lines;

    private int linesBefore;
    private int pieces;

    /** How the client names the task in its requests; empty until it knows. */
    String id = "";

    /** The request that called it last, by the id of that. */
    int call;

    /** The server's own id of the task, where the server was killed since. */
    String stored = "";

    /** Whether it emits pieces of output. */
    boolean emits = true;

    /** Whether some of them are so large that few of them make a part. */
    boolean emitsMuch;

    /** How often its handler was run. */
    int runs;

    /** How often the server was killed since it was created. */
    int crashes;

    private int suspensions;

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
        stepsBefore = steps();
        linesBefore = lines;
    }

    /** How many steps it has reported. */
    int steps() {
        return reported.size();
    }

    /** How many lines it has logged. */
    int lines() {
        return lines;
    }

    /** What it has reported in the present step of the simulation. */
    IntStream newSteps() {
        return IntStream.rangeClosed(stepsBefore + 1, steps());
    }

    /** What it has logged in the present step of the simulation. */
    IntStream newLines() {
        return IntStream.rangeClosed(linesBefore + 1, lines);
    }

    /** How many pieces of output it has emitted. */
    int pieces() {
        return pieces;
    }

    /** The numbers of what it was told to do and may not have stored. */
    IntStream undone(Does what) {
        return commands.subList(done, commands.size()).stream()
                .filter(command -> command.what() == what)
                .mapToInt(Command::number);
    }

    /** Whether the task could be told; it reports one step at a time, and waits while it asks. */
    boolean tell(Does what, Instant now) {
        if (asks() || over || what == Does.PARTIAL && !emits || what == Does.PROGRESS && steps() > stepsBefore) {
            return false;
        }
        switch (what) {
            case PROGRESS -> {
                reported.add(now);
                add(what, steps());
            }
            case LOG -> add(what, ++lines);
            case PARTIAL -> add(what, ++pieces);
            case FLOOD -> IntStream.range(0, FLOOD).forEach(line -> add(Does.LOG, ++lines));
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
        this.stored = stored.id().value();
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
        runs++;
        while (true) {
            var command = mine.take();
            switch (command.what()) {
                case PROGRESS -> task.progress(command.number(), "step");
                case LOG -> task.log("info", name + " line " + command.number());
                case PARTIAL -> task.partial("piece " + command.number() + more(command.number()));
                case ASK -> ask(task, name + " question " + command.number());
                case FLOOD -> throw new IllegalStateException("a flood is made of lines");
                case END -> {
                    return outcome();
                }
            }
            done = Math.max(done, command.place() + 1);
        }
    }

    private void ask(TaskContext task, String question) throws InterruptedException {
        try {
            task.elicit(question, Tools.Name.class);
        } catch (InterruptedException e) {
            suspensions++;
            throw e;
        }
    }

    /** What it ends with. */
    String outcome() {
        return name + " is done";
    }

    private String more(int piece) {
        return emitsMuch && piece % LARGE == 0 ? FILL : "";
    }

    /** Whether it was run more often than its tool lets it. */
    boolean ranTooOften() {
        return runs > 1 + (restarts ? crashes + suspensions : 0);
    }
}
