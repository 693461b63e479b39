// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import io.longhaul.backend.shell.said.Said.Reply;
import io.longhaul.backend.shell.said.TaskFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a task is killed.
 *
 * @param text  as the user wrote it
 * @param reply the file that is waited for; null where the command is killed as soon as it runs
 */
record CrashPoint(String text, @Nullable Reply reply) {

    private static final Map<String, Reply.Kind> KINDS =
            Map.of("step", Reply.Kind.STEPS, "ask", Reply.Kind.ANSWERS, "call", Reply.Kind.CHILDREN);

    static Optional<CrashPoint> parse(String text) {
        if (text.equals("start")) {
            return Optional.of(new CrashPoint(text, null));
        }
        var parts = text.split(":", 2);
        return parts.length == 2 && KINDS.containsKey(parts[0]) && Reply.isName(parts[1])
                ? Optional.of(new CrashPoint(text, new Reply(KINDS.get(parts[0]), parts[1])))
                : Optional.empty();
    }

    /** Whether a task is there: the step is recorded, the question is asked, the tool is called. */
    boolean isReached(Path job) {
        var folder = folder(job);
        return reply == null
                ? Files.exists(job.resolve("claim"))
                : folder.has(reply) || reply.kind() != Reply.Kind.STEPS && folder.isOpen(reply);
    }

    static TaskFolder folder(Path job) {
        return new TaskFolder(job.resolve("task"));
    }

    /** What the folder of a task has for the next start of its command: all of a kind, as a clause. */
    static String recorded(Path job) {
        return Stream.of("step", "ask", "call")
                .flatMap(kind -> folder(job).names(KINDS.get(kind)).stream().map(name -> kind + ":" + name))
                .collect(Collectors.joining(", "));
    }
}
