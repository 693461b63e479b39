// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import java.util.List;

/** The sequence of requests that the load generator repeats on each connection, and that counts as one. */
public enum Workload {
    BARE("bare HTTP echo", Era.STATELESS, Made.NONE, Step.call("echo")),
    CALL_SESSION("tools/call echo", Era.SESSION, Made.NONE, Step.call("echo")),
    CALL_STATELESS("tools/call echo", Era.STATELESS, Made.NONE, Step.call("echo")),
    /** The echo of a peer that has a second tool, for another kind of thread. */
    CALL_BLOCKING("tools/call echo", Era.SESSION, Made.NONE, Step.call("echo_blocking")),
    CREATE_SESSION("create a task", Era.SESSION, Made.NONE, Step.create("instant")),
    CREATE_STATELESS("create a task", Era.STATELESS, Made.NONE, Step.create("instant")),
    GET_LIVE_SESSION("tasks/get, live", Era.SESSION, Made.LIVE, Step.get()),
    GET_LIVE_STATELESS("tasks/get, live", Era.STATELESS, Made.LIVE, Step.get()),
    GET_FINISHED_SESSION("tasks/get, finished", Era.SESSION, Made.FINISHED, Step.get()),
    GET_FINISHED_STATELESS("tasks/get, finished", Era.STATELESS, Made.FINISHED, Step.get()),
    LIST("tasks/list of 50", Era.SESSION, Made.FIFTY, Step.list()),
    CYCLE("create, get, result", Era.SESSION, Made.NONE, Step.create("instant"), Step.get(), Step.result()),
    ANSWER_1("answer of 1 KB", Era.SESSION, Made.NONE, Step.text(1)),
    ANSWER_10("answer of 10 KB", Era.SESSION, Made.NONE, Step.text(10)),
    ANSWER_100("answer of 100 KB", Era.SESSION, Made.NONE, Step.text(100));

    /** The tasks that exist on the server before the load begins. */
    enum Made {
        NONE,
        /** One working task for each connection. */
        LIVE,
        /** One ended task for each connection. */
        FINISHED,
        FIFTY
    }

    private final String does;
    private final Era era;
    private final Made made;
    private final List<Step> steps;

    Workload(String does, Era era, Made made, Step... steps) {
        this.does = does;
        this.era = era;
        this.made = made;
        this.steps = List.of(steps);
    }

    public String title() {
        return this == BARE ? does : does + ", " + era.version();
    }

    Era era() {
        return era;
    }

    Made made() {
        return made;
    }

    /** The requests of one count, in their order. */
    List<Step> steps() {
        return steps;
    }

    /** Whether the workload is one of the few in the picture, and measured with other numbers of connections, too. */
    boolean isPictured() {
        return switch (this) {
            case BARE, CALL_SESSION, CALL_STATELESS, CALL_BLOCKING, CREATE_SESSION, GET_LIVE_SESSION -> true;
            default -> false;
        };
    }
}
