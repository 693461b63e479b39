// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.observe.ServerEvent.Pattern;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PatternWatchTest {

    private static final Instant START = Instant.parse("2026-11-23T10:00:00Z");

    private final PatternWatch watch = new PatternWatch();

    private static ObservedCaller caller(String name) {
        return new ObservedCaller(new Principal(name, Principal.Kind.AUTHORIZED), "192.0.2.1", "2026-07-28");
    }

    private List<Pattern> seen(ServerEvent event, int times, Instant at) {
        var seen = new ArrayList<Pattern>();
        for (int i = 0; i < times; i++) {
            watch.note(event, at).ifPresent(pattern -> seen.add(pattern.pattern()));
        }
        return seen;
    }

    private static ServerEvent refused(String name, Rule rule) {
        return new ServerEvent.Refused(caller(name), rule, "x", null);
    }

    @Test
    void each_pattern_is_told_when_it_is_many_and_once_in_a_window() {
        assertThat(seen(refused("a", Rule.UNKNOWN_ID), 49, START)).isEmpty();
        assertThat(seen(refused("a", Rule.UNKNOWN_ID), 100, START)).containsExactly(Pattern.UNKNOWN_IDS);
        assertThat(seen(refused("b", Rule.LIMIT), 199, START)).isEmpty();
        assertThat(seen(refused("b", Rule.LIMIT), 100, START)).containsExactly(Pattern.REFUSALS);
        assertThat(seen(refused("a", Rule.UNKNOWN_ID), 50, START.plus(PatternWatch.WINDOW)))
                .containsExactly(Pattern.UNKNOWN_IDS);
    }

    @Test
    void what_is_spread_over_windows_and_callers_is_no_pattern() {
        assertThat(seen(refused("a", Rule.UNKNOWN_ID), 30, START)).isEmpty();
        assertThat(seen(refused("a", Rule.UNKNOWN_ID), 30, START.plus(Duration.ofMinutes(5))))
                .isEmpty();
        assertThat(seen(refused("b", Rule.UNKNOWN_ID), 30, START)).isEmpty();
    }

    @Test
    void denied_accesses_are_counted_by_address_whoever_the_caller_was() {
        var unknown = new ServerEvent.AccessDenied(new ObservedCaller(null, "192.0.2.1", null), 401);
        var known = new ServerEvent.AccessDenied(caller("a"), 403);
        assertThat(seen(unknown, 25, START)).isEmpty();
        assertThat(seen(known, 25, START)).containsExactly(Pattern.DENIED_ACCESSES);
    }

    @Test
    void anonymous_callers_are_told_apart_by_their_addresses() {
        var here = new ServerEvent.Refused(
                new ObservedCaller(Principal.ANONYMOUS, "192.0.2.1", "2026-07-28"), Rule.UNKNOWN_ID, "x", null);
        var there = new ServerEvent.Refused(
                new ObservedCaller(Principal.ANONYMOUS, "192.0.2.2", "2026-07-28"), Rule.UNKNOWN_ID, "x", null);
        assertThat(seen(here, 30, START)).isEmpty();
        assertThat(seen(there, 30, START)).isEmpty();
    }

    @Test
    void so_many_callers_are_remembered_and_no_more() {
        for (int i = 0; i < PatternWatch.CALLERS + 100; i++) {
            seen(refused("caller " + i, Rule.UNKNOWN_ID), 1, START);
        }
        assertThat(watch.callers()).isEqualTo(PatternWatch.CALLERS);
    }
}
