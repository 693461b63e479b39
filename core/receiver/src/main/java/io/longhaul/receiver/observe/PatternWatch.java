// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.observe;

import io.longhaul.protocol.BoundedMap;
import io.longhaul.receiver.observe.ServerEvent.Pattern;
import io.longhaul.receiver.observe.ServerEvent.PatternSeen;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Counts the refusals of each caller in windows of five minutes, and reports a high count once in a window. Where there
 * are too many callers, the watch forgets the caller that was silent for the longest time. Thread-safe.
 */
final class PatternWatch {

    /** The most callers that are counted separately. */
    static final int CALLERS = 10_000;

    static final Duration WINDOW = Duration.ofMinutes(5);

    private static final Map<Pattern, Integer> MANY =
            Map.of(Pattern.UNKNOWN_IDS, 50, Pattern.REFUSALS, 200, Pattern.DENIED_ACCESSES, 50);

    private final Map<String, Window> windows = BoundedMap.byUse(CALLERS);

    /** The refusals of one caller since a time. */
    private record Window(Instant since, Map<Pattern, Integer> counts) {}

    static int many(Pattern pattern) {
        return MANY.getOrDefault(pattern, Integer.MAX_VALUE);
    }

    static String words(Pattern pattern) {
        return switch (pattern) {
            case UNKNOWN_IDS -> "many unknown ids";
            case REFUSALS -> "many refusals";
            case DENIED_ACCESSES -> "many denied accesses";
        };
    }

    Optional<PatternSeen> note(ServerEvent event, Instant now) {
        return switch (event) {
            case ServerEvent.Refused refused
            when refused.rule() == Rule.UNKNOWN_ID ->
                count(event, Pattern.UNKNOWN_IDS, now).or(() -> count(event, Pattern.REFUSALS, now));
            case ServerEvent.Refused refused -> count(event, Pattern.REFUSALS, now);
            case ServerEvent.AccessDenied denied -> count(event, Pattern.DENIED_ACCESSES, now);
            default -> Optional.empty();
        };
    }

    private synchronized Optional<PatternSeen> count(ServerEvent event, Pattern pattern, Instant now) {
        var caller = event.caller();
        var key = pattern == Pattern.DENIED_ACCESSES ? "address " + caller.address() : caller.key();
        var window = windows.get(key);
        if (window == null || !now.isBefore(window.since().plus(WINDOW))) {
            window = new Window(now, new EnumMap<>(Pattern.class));
            windows.put(key, window);
        }
        int count = window.counts().merge(pattern, 1, Integer::sum);
        return count == many(pattern) ? Optional.of(new PatternSeen(caller, pattern, count, WINDOW)) : Optional.empty();
    }

    synchronized int callers() {
        return windows.size();
    }
}
