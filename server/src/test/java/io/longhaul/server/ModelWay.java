package io.longhaul.server;

/** How a client calls the tool, and what its generation is told where. */
enum ModelWay {
    /** The tasks of 2025-11-25. */
    TASKS("2025-11-25"),
    /** A call that is answered in the end. */
    PLAIN("2025-06-18");

    final String version;

    ModelWay(String version) {
        this.version = version;
    }

    /** What the parameters of a call have besides the tool's name and its arguments. */
    String params(String name) {
        String token = "\"_meta\":{\"progressToken\":\"" + name + "\",\"io.longhaul/creation-key\":\"" + name + "\"}";
        return switch (this) {
            case TASKS -> "\"task\":{}," + token;
            case PLAIN -> token;
        };
    }

    /** Whether a call is answered with its task. */
    boolean isAnsweredAtOnce() {
        return this == TASKS;
    }

    /** Whether GET streams tell of tasks. */
    boolean isToldInSession() {
        return this == TASKS;
    }

    /** Whether requests wait for the outcome of a task. */
    boolean hasWaits() {
        return this == TASKS;
    }
}
