// SPDX-License-Identifier: Apache-2.0
package io.longhaul.observe;

import io.longhaul.receiver.observe.CallStatus;
import io.longhaul.receiver.observe.Rule;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.observe.ServerEvent.Pattern;
import io.longhaul.receiver.observe.ServerObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Counts the calls that a server answers, and the requests that it refuses. Thread-safe. */
final class CallMeters implements ServerObserver {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(6);

    /** The tag for a tool that the server does not offer itself: a companion tool, or a name that a caller invented. */
    private static final String OTHER = "other";

    private static final String UNKNOWN = "unknown";
    private static final List<Integer> STATUSES = List.of(401, 403);

    private final MeterRegistry registry;
    private final Predicate<String> offered;
    private final Map<Ended, Timer> calls = new ConcurrentHashMap<>();
    private final Map<Rule, Counter> refusals = new EnumMap<>(Rule.class);
    private final Map<Pattern, Counter> patterns = new EnumMap<>(Pattern.class);

    private record Ended(String tool, String generation, CallStatus outcome) {}

    /** @param offered whether the server has or had a tool of that name */
    CallMeters(MeterRegistry registry, Predicate<String> offered) {
        this.registry = registry;
        this.offered = offered;
        for (var rule : Rule.values()) {
            refusals.put(rule, counter(Names.REFUSALS, "Messages that were refused", "rule", word(rule)));
        }
        for (var pattern : Pattern.values()) {
            patterns.put(
                    pattern,
                    counter(
                            Names.PATTERNS,
                            "Windows in which a caller behaved conspicuously",
                            "pattern",
                            word(pattern)));
        }
        STATUSES.forEach(this::denied);
    }

    @Override
    public void on(ServerEvent event) {
        switch (event) {
            case ServerEvent.CallEnded ended -> {
                var tool = offered.test(ended.tool()) ? ended.tool() : OTHER;
                var call = new Ended(tool, known(ended.caller().generation()), ended.outcome());
                var timer = calls.get(call);
                (timer == null ? calls.computeIfAbsent(call, this::timer) : timer).record(ended.took());
            }
            case ServerEvent.Refused refused -> count(refusals.get(refused.rule()));
            case ServerEvent.AccessDenied access -> denied(access.status()).increment();
            case ServerEvent.PatternSeen seen -> count(patterns.get(seen.pattern()));
            case ServerEvent.NoticeGivenUp given -> untold(given.recipient()).increment();
            default -> {
                // Tasks are counted where they are committed, and streams where they are open.
            }
        }
    }

    private static void count(@Nullable Counter counter) {
        if (counter != null) {
            counter.increment();
        }
    }

    private static String known(@Nullable String generation) {
        return generation == null ? UNKNOWN : generation;
    }

    private Timer timer(Ended call) {
        return Timer.builder(Names.CALL_DURATION)
                .description("Time of a call of a tool; of one that became a task, until the task has ended")
                .tag(Names.TOOL, call.tool())
                .tag("generation", call.generation())
                .tag("outcome", word(call.outcome()))
                .serviceLevelObjectives(Names.buckets(SHORTEST, LONGEST))
                .register(registry);
    }

    private Counter denied(int status) {
        return counter(Names.DENIED, "Requests without the authorization that they need", "status", "" + status);
    }

    private Counter untold(String recipient) {
        return counter(Names.UNTOLD, "Ends of tasks that a recipient was not told of", "recipient", recipient);
    }

    private Counter counter(String name, String description, String label, String value) {
        return Counter.builder(name).description(description).tag(label, value).register(registry);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
