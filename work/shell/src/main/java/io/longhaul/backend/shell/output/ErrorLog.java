// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.output;

import io.longhaul.backend.shell.folder.JobFolder;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Payload;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/**
 * Writes the standard error of a job to the log of its task: lines that come together are one entry. The position is
 * saved after each entry, so that a server that is killed between the two repeats one entry. Not thread-safe.
 */
public final class ErrorLog {

    /** The bytes of standard error that are logged. The rest is in the result of a command that fails. */
    static final int LONGEST = 1024 * 1024;

    private static final int ENTRY = 8 * 1024;
    private static final String LEVEL = "info";

    private final Run run;
    private final Function<String, Payload> partial;
    private final JobFolder folder;
    private long loggedTo;

    ErrorLog(Run run, Function<String, Payload> partial, JobFolder folder) throws IOException {
        this.run = run;
        this.partial = partial;
        this.folder = folder;
        loggedTo = folder.logged();
    }

    /** The position of the first byte that is not logged yet. */
    long loggedTo() {
        return loggedTo;
    }

    void add(List<OutputFollower.Line> lines) throws IOException {
        var entry = new StringBuilder();
        long end = loggedTo;
        for (var line : lines) {
            if (entry.length() + line.text().length() > ENTRY) {
                write(entry.toString(), end);
                entry.setLength(0);
            }
            if (line.isLast() && !line.text().isBlank()) {
                entry.append(entry.isEmpty() ? "" : "\n").append(line.text().stripTrailing());
            }
            end = line.end();
        }
        if (end > loggedTo) {
            write(entry.toString(), end);
        }
    }

    private void write(String entry, long end) throws IOException {
        if (loggedTo < LONGEST && !entry.isEmpty()) {
            run.log(LEVEL, null, partial.apply(entry));
            if (end >= LONGEST) {
                run.log(
                        "warning",
                        null,
                        partial.apply("The log of standard error ends here: it has reached its limit."));
            }
        }
        loggedTo = end;
        folder.saveLogged(end);
    }
}
