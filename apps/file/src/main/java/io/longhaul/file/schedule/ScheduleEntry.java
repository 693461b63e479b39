// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.schedule;

import io.longhaul.file.tool.ToolNames;
import io.longhaul.file.tree.Binder;
import io.longhaul.file.tree.YamlTree;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A tool that is called by a schedule.
 *
 * @param name      by which the file names the schedule
 * @param arguments of each call
 * @param missed    what to do about calls that were due while no server ran
 * @param overlap   what to do about a call that is due while the task of the last one runs
 */
public record ScheduleEntry(
        @Binder.Key String name, String tool, JsonNode arguments, DueTimes times, Missed missed, Overlap overlap) {

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

    /** Reads {@code schedules:} of a file. */
    public static List<ScheduleEntry> read(Binder in, ToolNames tools) {
        var entries = in.members("schedules", ScheduleEntry.class);
        entries.forEach((name, entry) -> {
            var at = YamlTree.below("/schedules", name);
            tools.checkCalled(at + "/tool");
            entry.times().check(in.file(), at);
        });
        return List.copyOf(entries.values());
    }
}
