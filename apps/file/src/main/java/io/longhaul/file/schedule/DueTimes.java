// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.schedule;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.FileFields;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The times at which calls are due. They are the same at every server, whenever the server was started.
 *
 * @param every a period, of which the whole multiples are due, counted from 1970 in UTC; null for {@code cron}
 * @param cron  an expression; null for {@code every}
 * @param zone  of the expression; null for that of the machine
 */
public record DueTimes(
        @Nullable Duration every,
        @Nullable String cron,
        @Nullable ZoneId zone) {

    /** The kind of time zones. */
    public static final Binder.Kind<ZoneId> ZONE =
            Binder.Kind.ofText("a time zone", DueTimes::zone, "Write one such as Europe/Berlin or UTC");

    private static final String CRON = "Write minute, hour, day of the month, month and day of the week, such as"
            + " \"30 3 * * 1-5\", of which some time is to come";

    /** Reports what no schedule can be, of the schedule at a place. */
    void check(FileFields file, String at) {
        boolean isPeriod = file.has(at + "/every");
        if (isPeriod && file.has(at + "/cron")) {
            file.lacks(at, "says twice when it is due", "Leave out every: or cron:");
        } else if (!isPeriod && !file.has(at + "/cron")) {
            file.lacks(at, "does not say when it is due", "Add every: 15m, or cron: \"30 3 * * *\"");
        } else if (isPeriod && file.has(at + "/zone")) {
            file.wrong(at + "/zone", "is for cron:", "Leave it out");
        } else if (!isPeriod) {
            file.parsed(at + "/cron", "times that are to come", DueTimes::repeated, CRON);
        }
    }

    /** The first due time after a time. */
    public Instant after(Instant time) {
        return every != null
                ? upTo(time).plus(every)
                : times().nextExecution(zoned(time)).orElseThrow().toInstant();
    }

    /** The last due time at or before a time. */
    public Instant upTo(Instant time) {
        if (every != null) {
            long millis = every.toMillis();
            return Instant.ofEpochMilli(Math.floorDiv(time.toEpochMilli(), millis) * millis);
        }
        var before = times().lastExecution(zoned(time)).orElseThrow();
        var next = times().nextExecution(before).orElseThrow().toInstant();
        return next.isAfter(time) ? before.toInstant() : next;
    }

    private ZonedDateTime zoned(Instant time) {
        return time.atZone(zone == null ? ZoneId.systemDefault() : zone);
    }

    private ExecutionTime times() {
        return ExecutionTime.forCron(parsed(String.valueOf(cron)));
    }

    private static Cron parsed(String text) {
        return new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX)).parse(text);
    }

    /** A cron expression that is due repeatedly; the 30th of February never is. */
    private static Optional<Cron> repeated(String text) {
        try {
            var cron = parsed(text);
            return ExecutionTime.forCron(cron)
                    .nextExecution(ZonedDateTime.now(ZoneOffset.UTC))
                    .map(next -> cron);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<ZoneId> zone(String text) {
        try {
            return Optional.of(ZoneId.of(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
