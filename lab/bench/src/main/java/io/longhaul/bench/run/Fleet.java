// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Programs in processes of their own that do the same concurrently. For one thread. */
public final class Fleet implements AutoCloseable {

    /** The interval at which the warm-up checks the used CPU. */
    private static final String SLICE_MILLIS = "200";

    private final List<ChildProcess> members = new ArrayList<>();

    @FunctionalInterface
    public interface Start {
        ChildProcess of(int number) throws Exception;
    }

    /** Starts a number of programs, one after the other. */
    public static Fleet of(int count, Start start) throws Exception {
        var fleet = new Fleet();
        try {
            for (var number = 0; number < count; number++) {
                fleet.members.add(start.of(number));
            }
            return fleet;
        } catch (Exception e) {
            fleet.close();
            throw e;
        }
    }

    public List<ChildProcess> members() {
        return List.copyOf(members);
    }

    /** The next line of each program. */
    public List<String> lines() throws IOException {
        var lines = new ArrayList<String>();
        for (var member : members) {
            lines.add(member.line());
        }
        return lines;
    }

    /** Sends a line to all programs, then waits for the answer of each. */
    public List<String> ask(String line) throws IOException {
        for (var member : members) {
            member.tell(line);
        }
        return lines();
    }

    /** Has all programs work until the measured ones have used this CPU time each. */
    public void warmUp(Fleet measured, Duration each) throws IOException {
        do {
            ask(SLICE_MILLIS);
        } while (measured.leastCpu().compareTo(each) < 0);
    }

    /** The total CPU time of all programs so far. */
    public Duration cpu() {
        return members.stream().map(ChildProcess::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    private Duration leastCpu() {
        return members.stream()
                .map(ChildProcess::cpu)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    @Override
    public void close() {
        members.forEach(ChildProcess::close);
    }
}
