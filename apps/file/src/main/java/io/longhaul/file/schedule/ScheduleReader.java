// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.schedule;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.longhaul.file.schedule.ScheduleEntry.Missed;
import io.longhaul.file.schedule.ScheduleEntry.Overlap;
import io.longhaul.file.schedule.ScheduleEntry.Times;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.tool.ToolNames;
import io.longhaul.file.tree.FileFields;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;

/** Reads {@code schedules:} of a file. */
public final class ScheduleReader {
    private static final String AT = "/schedules";
    private static final String CRON = "Write minute, hour, day of the month, month and day of the week, such as"
            + " \"30 3 * * 1-5\", of which some time is to come";

    private final FileFields file;
    private final List<ToolEntry> tools;

    private ScheduleReader(FileFields file, List<ToolEntry> tools) {
        this.file = file;
        this.tools = tools;
    }

    /** @param tools of the file */
    public static List<ScheduleEntry> read(FileFields file, List<ToolEntry> tools) {
        var reader = new ScheduleReader(file, tools);
        return file.members(AT, reader::entry);
    }

    private Optional<ScheduleEntry> entry(String at, String name) {
        var tool = new ToolNames(file, tools).called(at);
        var times = times(at);
        return tool == null || times.isEmpty()
                ? Optional.empty()
                : Optional.of(new ScheduleEntry(
                        name,
                        tool,
                        file.node(at + "/arguments"),
                        times.get(),
                        file.choice(at + "/missed", Missed.ONCE),
                        file.choice(at + "/overlap", Overlap.SKIP)));
    }

    private Optional<Times> times(String at) {
        if (file.has(at + "/every") && file.has(at + "/cron")) {
            file.lacks(at, "says twice when it is due", "Leave out every: or cron:");
            return Optional.empty();
        }
        if (!file.has(at + "/every") && !file.has(at + "/cron")) {
            file.lacks(at, "does not say when it is due", "Add every: 15m, or cron: \"30 3 * * *\"");
            return Optional.empty();
        }
        if (file.has(at + "/every")) {
            if (file.has(at + "/zone")) {
                file.wrong(at + "/zone", "is for cron:", "Leave it out");
            }
            return Optional.ofNullable(file.duration(at + "/every")).map(Times::every);
        }
        var cron = file.parsed(at + "/cron", "times that are to come", ScheduleReader::cron, CRON);
        var zone = file.has(at + "/zone")
                ? file.parsed(
                        at + "/zone", "a time zone", ScheduleReader::zone, "Write one such as Europe/Berlin or UTC")
                : ZoneId.systemDefault();
        return cron == null || zone == null ? Optional.empty() : Optional.of(times(cron, zone));
    }

    private static Times times(Cron cron, ZoneId zone) {
        var times = ExecutionTime.forCron(cron);
        return new Times(
                time -> times.nextExecution(time.atZone(zone)).orElseThrow().toInstant(),
                time -> upTo(times, time.atZone(zone)).toInstant());
    }

    /** The last due time at or before {@code time}. */
    private static ZonedDateTime upTo(ExecutionTime times, ZonedDateTime time) {
        var before = times.lastExecution(time).orElseThrow();
        var next = times.nextExecution(before).orElseThrow();
        return next.isAfter(time) ? before : next;
    }

    /** A cron expression that is due repeatedly; the 30th of February never is. */
    private static Optional<Cron> cron(String text) {
        try {
            var words = CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX);
            var cron = new CronParser(words).parse(text);
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
