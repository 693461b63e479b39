package io.longhaul.bench.http;

import io.longhaul.protocol.dialect.Generation;
import java.util.List;

/** What the load generator does over and over on each connection, and what it is counted as. */
enum Scenario {
    BARE("bare HTTP echo", Era.STATELESS, Task.NONE, Step.call("echo")),
    CALL_SESSION("tools/call echo", Era.SESSION, Task.NONE, Step.call("echo")),
    CALL_STATELESS("tools/call echo", Era.STATELESS, Task.NONE, Step.call("echo")),
    CREATE_SESSION("create a task", Era.SESSION, Task.NONE, Step.create("instant")),
    CREATE_STATELESS("create a task", Era.STATELESS, Task.NONE, Step.create("instant")),
    GET_LIVE_SESSION("tasks/get, live", Era.SESSION, Task.LIVE, Step.get()),
    GET_LIVE_STATELESS("tasks/get, live", Era.STATELESS, Task.LIVE, Step.get()),
    GET_FINISHED_SESSION("tasks/get, finished", Era.SESSION, Task.FINISHED, Step.get()),
    GET_FINISHED_STATELESS("tasks/get, finished", Era.STATELESS, Task.FINISHED, Step.get()),
    LIST("tasks/list of 50", Era.SESSION, Task.FIFTY, new Step("tasks/list", "", "", "\"tasks\"")),
    CYCLE("create, get, result", Era.SESSION, Task.NONE, Step.create("instant"), Step.get(), Step.result());

    /** How requests of a time are framed. */
    enum Era {
        SESSION(Generation.V2025_11_25),
        STATELESS(Generation.V2026_07_28);

        private final Generation generation;

        Era(Generation generation) {
            this.generation = generation;
        }

        String version() {
            return generation.version();
        }
    }

    /** What is there on the server before the load begins. */
    enum Task {
        NONE,
        /** One task for each connection, which works. */
        LIVE,
        /** One task for each connection, which has ended. */
        FINISHED,
        /** Fifty tasks, which have ended. */
        FIFTY
    }

    /**
     * One request of a scenario.
     *
     * @param method   of it
     * @param name     what {@code Mcp-Name} repeats, or empty
     * @param params   the members of its params
     * @param expected what stands in each good answer
     */
    record Step(String method, String name, String params, String expected) {

        /** Stands for the id of the task. */
        static final String TASK = "{task}";

        static Step call(String tool) {
            return call(tool, "", "\"hello, world\"");
        }

        /** Calls a tool, and takes a task for it. */
        static Step create(String tool) {
            return call(tool, ",\"task\":{\"ttl\":600000}", "\"taskId\"");
        }

        private static Step call(String tool, String more, String expected) {
            var arguments = tool.equals("endless") ? "{}" : "{\"word\":\"hello, world\"}";
            return new Step(
                    "tools/call", tool, "\"name\":\"" + tool + "\",\"arguments\":" + arguments + more, expected);
        }

        static Step get() {
            return new Step("tasks/get", TASK, "\"taskId\":\"" + TASK + "\"", "\"status\"");
        }

        static Step result() {
            return new Step("tasks/result", TASK, "\"taskId\":\"" + TASK + "\"", "\"hello, world\"");
        }

        /** Whether a task comes of it, which the steps behind it are about. */
        boolean creates() {
            return expected.equals("\"taskId\"");
        }

        Step about(String task) {
            return new Step(method, name.replace(TASK, task), params.replace(TASK, task), expected);
        }
    }

    private final String does;
    private final Era era;
    private final Task task;
    private final List<Step> steps;

    Scenario(String does, Era era, Task task, Step... steps) {
        this.does = does;
        this.era = era;
        this.task = task;
        this.steps = List.of(steps);
    }

    /** What people read. */
    String title() {
        return this == BARE ? does : does + ", " + era.version();
    }

    Era era() {
        return era;
    }

    Task task() {
        return task;
    }

    /** What makes one count, in its order. */
    List<Step> steps() {
        return steps;
    }
}
