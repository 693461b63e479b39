// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import io.longhaul.cli.connect.CommandTarget;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientBuilder;
import io.longhaul.client.RemoteTasks;
import io.longhaul.client.TaskReference;
import java.util.List;
import java.util.Optional;

/**
 * The task that a command line names: by an address and an id, or by a reference, which has both.
 *
 * @param client of the server, not connected yet
 * @param id     of the task; empty for a verb that takes none
 * @param rest   the remaining words
 * @param named  the reference, where the task is named by one and the verb goes through its generation
 */
record NamedTask(McpClientBuilder client, String id, List<String> rest, Optional<TaskReference> named) {
    private NamedTask(McpClientBuilder client, String id, List<String> rest) {
        this(client, id, rest, Optional.empty());
    }

    /**
     * Reads the words after {@code verb}, at least one.
     *
     * @param hasId whether the verb is about one task
     */
    static NamedTask of(boolean hasId, String verb, List<String> words) {
        var first = words.getFirst();
        var rest = words.subList(1, words.size());
        boolean isReference = CommandTarget.isReference(first);
        if (!hasId) {
            return new NamedTask(
                    isReference
                            ? CommandTarget.clientOfServer(CommandTarget.reference(first))
                            : CommandTarget.client(first),
                    "",
                    rest);
        }
        if (isReference) {
            var reference = CommandTarget.reference(first);
            // Revisions cannot delete tasks, so the client must be free to choose another generation.
            return verb.equals("delete") && reference.generation().isPublished()
                    ? new NamedTask(CommandTarget.clientOfServer(reference), id(reference), rest)
                    : new NamedTask(CommandTarget.client(reference), id(reference), rest, Optional.of(reference));
        }
        if (rest.isEmpty()) {
            throw new UsageException("the id of the task is missing. See --help.");
        }
        var id = rest.getFirst();
        return new NamedTask(
                CommandTarget.client(first),
                CommandTarget.isReference(id) ? id(CommandTarget.reference(id)) : id,
                rest.subList(1, rest.size()));
    }

    /** The tasks of the server, through a connected client. */
    RemoteTasks tasks(McpClient connected) {
        return named.map(connected::tasks).orElseGet(connected::tasks);
    }

    private static String id(TaskReference reference) {
        return UsageException.expect("", reference::idForVerbs)
                .orElseThrow(() -> new UsageException("this reference is to a call that is answered in parts, and its"
                        + " server told no id. longhaul attach goes on with it."));
    }
}
