// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/**
 * A tool that is called by a schedule.
 *
 * @param name      by which the file names the schedule
 * @param arguments of each call
 * @param missed    what to do about calls that were due while no server ran
 * @param overlap   what to do about a call that is due while the task of the last one runs
 */
public record ScheduleEntry(String name, String tool, JsonNode arguments, Times times, Missed missed, Overlap overlap) {

    /** What to do about a call that is due while the task of the last one runs. */
    public enum Overlap {
        /** Leave it out. */
        SKIP,
        /** Make it when that task has ended; further calls that are due until then are left out. */
        QUEUE,
        /** Cancel that task, and make the call. */
        REPLACE,
        /** Make each call. */
        ALL
    }

    /** What to do about calls that were due while no server ran. */
    public enum Missed {
        /** Make one call for all of them, as soon as a server runs. */
        ONCE,
        /** Make none. */
        SKIP
    }

    /**
     * The times at which calls are due. They are the same at every server, whenever the server was started.
     *
     * @param after gives the first due time after a time
     * @param upTo  gives the last due time at or before a time
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
