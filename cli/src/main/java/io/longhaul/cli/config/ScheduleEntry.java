// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/**
 * A tool that is called by the clock.
 *
 * @param name      by which the file names it
 * @param arguments of each call
 * @param missed    what becomes of calls that were due while no server was there
 */
public record ScheduleEntry(String name, String tool, JsonNode arguments, Times times, Missed missed) {

    /** What becomes of calls that were due while no server was there. */
    public enum Missed {
        /** One call is made for all of them, as soon as a server is there. */
        ONCE,
        /** None is made. */
        SKIP
    }

    /**
     * The times at which calls are due. They are the same at every server, whenever it was started.
     *
     * @param after gives the first one after a time
     * @param upTo  gives the last one that is not after a time
     */
    public record Times(UnaryOperator<Instant> after, UnaryOperator<Instant> upTo) {

        /** The whole multiples of a period, counted from 1970 in UTC. */
        static Times every(Duration period) {
            long millis = period.toMillis();
            UnaryOperator<Instant> upTo =
                    time -> Instant.ofEpochMilli(Math.floorDiv(time.toEpochMilli(), millis) * millis);
            return new Times(time -> upTo.apply(time).plus(period), upTo);
        }

        public Instant after(Instant time) {
            return after.apply(time);
        }

        public Instant upTo(Instant time) {
            return upTo.apply(time);
        }
    }
}
