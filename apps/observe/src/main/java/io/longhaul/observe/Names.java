// SPDX-License-Identifier: Apache-2.0
package io.longhaul.observe;

import java.time.Duration;
import java.util.stream.Stream;

/** The names of the meters. A registry adapts names to its own conventions: for Prometheus, dots become underscores. */
final class Names {
    static final String TASKS = "longhaul.tasks";
    static final String TASK_AGE = "longhaul.tasks.oldest.age";
    static final String TASK_QUEUE = "longhaul.tasks.queued";
    static final String TASK_CREATIONS = "longhaul.task.creations";
    static final String TASK_ATTEMPTS = "longhaul.task.attempts";
    static final String TASK_CLAIMS = "longhaul.task.claims";
    static final String TASK_DURATION = "longhaul.task.duration";
    static final String QUESTIONS = "longhaul.questions.open";
    static final String SLOTS = "longhaul.slots";
    static final String SLOTS_TAKEN = "longhaul.slots.taken";
    static final String STORE_COMMIT = "longhaul.store.commit";
    static final String SESSIONS = "longhaul.sessions";
    static final String CONNECTIONS = "longhaul.connections";
    static final String STREAMS = "longhaul.streams";
    static final String CALL_DURATION = "longhaul.call.duration";
    static final String REFUSALS = "longhaul.refusals";
    static final String DENIED = "longhaul.access.denied";
    static final String PATTERNS = "longhaul.patterns";
    static final String UNTOLD = "longhaul.untold";
    static final String UPSTREAM_UP = "longhaul.upstream.up";
    static final String UPSTREAM_TOOLS = "longhaul.upstream.tools";
    static final String UPSTREAM_UNDER_WAY = "longhaul.upstream.calls.under.way";
    static final String UPSTREAM_WAITING = "longhaul.upstream.calls.waiting";
    static final String UPSTREAM_CALLS = "longhaul.upstream.calls";
    static final String UPSTREAM_ERRORS = "longhaul.upstream.errors";
    static final String UPSTREAM_TIME = "longhaul.upstream.call.time";
    static final String TOOL = "tool";
    static final String UPSTREAM = "upstream";

    private Names() {}

    /** Upper bounds for a histogram, each about four times the one before. */
    static Duration[] buckets(Duration shortest, Duration longest) {
        return Stream.iterate(shortest, bound -> bound.compareTo(longest) <= 0, bound -> bound.multipliedBy(4))
                .toArray(Duration[]::new);
    }
}
