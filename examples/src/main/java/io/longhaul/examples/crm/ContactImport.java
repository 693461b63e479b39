// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.crm;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolException;
import io.longhaul.server.annotation.McpParam;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Imports contacts from a CSV file into a SQLite database, a number of rows in each step. Each row of the database
 * names its import, which makes a step safe to repeat: a step that was killed before its record runs again, and gives
 * the same counts.
 */
public final class ContactImport {

    private ContactImport() {}

    record Request(
            @McpParam(description = "A CSV file with the columns email, name, company, country, since, revenue")
            String file,

            @McpParam(description = "The SQLite database; it is made where there is none")
            String database,

            @McpParam(
                    description = "How many rows are written at once",
                    minimum = 1,
                    maximum = 10_000,
                    defaultValue = "25")
            int batch) {}

    record Rejected(int row, String reason, String line) {}

    /** The result of one step. */
    record Written(int added, int updated, List<Rejected> rejected) {
        Written and(Written more) {
            var both = new ArrayList<>(rejected);
            both.addAll(more.rejected);
            return new Written(added + more.added, updated + more.updated, both);
        }
    }

    record Imported(int rows, int added, int updated, int rejected, String rejectedFile) {}

    public static List<Tool> tools() {
        return List.of(Tool.define("import_contacts")
                .description("Imports contacts from a CSV file, and gives out each row that it rejects.")
                .input(Request.class)
                .output(Imported.class)
                .longRunning(t -> t.onCrash(CrashPolicy.RESTART))
                .handler(ContactImport::imported));
    }

    private static Imported imported(Request request, TaskContext task) throws Exception {
        var lines = lines(Path.of(request.file()));
        var contacts = Contacts.at(Path.of(request.database()));
        var all = new Written(0, 0, List.of());
        for (int from = 1; from < lines.size(); from += request.batch()) {
            int first = from;
            int last = Math.min(from + request.batch(), lines.size()) - 1;
            var written = task.step("rows " + first + " to " + last, Written.class, () -> {
                var rows = lines.subList(first, last + 1);
                return contacts.write(
                        task.id(), first, rows, row -> task.progress(row, lines.size() - 1, "row " + row));
            });
            all = all.and(written);
            // Each rejected row is one piece of partial output. An earlier attempt may have emitted some, which are not
            // emitted again.
            for (int i = task.partialCount(); i < all.rejected().size(); i++) {
                var rejected = all.rejected().get(i);
                task.partial("row " + rejected.row() + ": " + rejected.reason());
            }
        }
        var target = Path.of(request.database() + ".rejected.csv");
        writeRejected(target, lines.getFirst(), all.rejected());
        return new Imported(
                lines.size() - 1, all.added(), all.updated(), all.rejected().size(), target.toString());
    }

    private static List<String> lines(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new ToolException("There is no file " + file + ".");
        }
        var lines = Files.readAllLines(file);
        if (lines.isEmpty() || !lines.getFirst().equals(ContactRow.HEADER)) {
            throw new ToolException("The first line of " + file + " is not: " + ContactRow.HEADER);
        }
        return lines;
    }

    /** Writes the file atomically. */
    private static void writeRejected(Path target, String header, List<Rejected> rejected) throws IOException {
        var text = rejected.stream()
                .map(row -> row.line() + "," + row.reason())
                .collect(Collectors.joining("\n", header + ",reason\n", "\n"));
        var part = Files.writeString(Path.of(target + ".part"), text);
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
