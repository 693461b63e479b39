// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.receiver.simulation.ModelResult.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One request of a client that calls again for what comes next, and what it was told before its response. */
final class ModelCall {

    /** After how many seconds hosts give up. */
    private static final List<Integer> HOSTS = List.of(30, 60, 120, 300);

    /** What a server takes for such a figure, and for one that it has learned so, in seconds. */
    private static final int ABOUT = 4;

    final ModelResult result;
    final Place from;
    final int id;
    final ModelWire wire;

    /** The question that it answers, by its number; 0 for none. */
    final int answers;

    /** When it is answered at the latest, whatever the task does. */
    final Instant until;

    /** When it was sent. */
    Instant begun = Instant.MIN;

    /** The client does not read. */
    boolean slow;

    /** The client did not read until the present step of the simulation. */
    boolean wasSlow;

    /** Open and read since before the present step of the simulation. */
    boolean steady;

    boolean responded;

    /** The number of the question that it brought last. */
    int asked;

    private int step;
    private int line;

    ModelCall(ModelResult result, Place from, int answers, int id, ModelWire wire, Instant until) {
        this.result = result;
        this.from = from;
        this.answers = answers;
        this.id = id;
        this.wire = wire;
        this.until = until;
    }

    /** Whether a client that leaves now may be a host that has waited for as long as it does: its work goes on. */
    boolean isLikeAHost(Instant now) {
        long seconds = Duration.between(begun, now).toSeconds();
        return HOSTS.stream().anyMatch(host -> Math.abs(seconds - host) <= ABOUT);
    }

    /** A step of the simulation begins. */
    void next() {
        steady = !slow;
        wasSlow = false;
    }

    /** What is wrong with a notification that it has brought, or null. */
    @Nullable
    String takes(JsonNode message) {
        var params = message.path("params");
        switch (message.path("method").asString()) {
            case "notifications/progress" -> {
                double progress = params.path("progress").asDouble();
                // Steps are whole numbers; others are signs of life.
                if (progress % 1 != 0) {
                    return null;
                }
                int before = step;
                step = (int) progress;
                return isNext(result.uncertainSteps, step, before) ? null : "step " + step + " behind " + before;
            }
            case "notifications/message" -> {
                int before = line;
                line = Integer.parseInt(params.path("data").asString().split(" line ")[1]);
                boolean isFlood = line > ModelSession.PACE && line > before;
                return isFlood || isNext(result.uncertainLines, line, before)
                        ? null
                        : "line " + line + " behind " + before;
            }
            default -> {
                return message + " is nothing that a call brings";
            }
        }
    }

    /** A call that goes on behind a part begins in the middle. */
    private boolean isNext(ModelResult.Uncertain uncertain, int number, int before) {
        return before == 0 && from.token() != null || uncertain.isNext(number, before);
    }

    /** Whether it has told what its work has reported and logged. */
    boolean hasAll() {
        var work = result.work;
        boolean hasSteps = work.newSteps().allMatch(number -> number <= step || result.uncertainSteps.has(number));
        return hasSteps
                && work.newLines()
                        .filter(number -> number <= ModelSession.PACE)
                        .allMatch(number -> number <= line || result.uncertainLines.has(number));
    }

    @Override
    public String toString() {
        return "call " + id + " of " + result.work.name + " from " + from.pieces();
    }
}
