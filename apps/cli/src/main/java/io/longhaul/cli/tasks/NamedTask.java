// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.tasks;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.call.TaskName;
import io.longhaul.cli.connect.CommandTarget;
import io.longhaul.cli.connect.Credentials;
import io.longhaul.cli.connect.NamedServer;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientBuilder;
import io.longhaul.client.RemoteTasks;
import io.longhaul.client.TaskReference;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The task that a command line names: by an address and an id, or by a reference, which has both.
 *
 * @param client of the server, not connected yet
 * @param id     of the task; empty for a verb that takes none
 * @param rest   the remaining words
 * @param named  the reference, where the task is named by one and the verb goes through its generation
 */
record NamedTask(McpClientBuilder client, String id, List<String> rest, Optional<TaskReference> named) {
    /** The verbs that are never about one task alone. */
    static final Set<String> WITHOUT_ID = Set.of("list", "purge");

    private NamedTask(McpClientBuilder client, String id, List<String> rest) {
        this(client, id, rest, Optional.empty());
    }

    /**
     * Reads the words of a command line, of which the first is a verb.
     *
     * @param hasId whether the verb is about one task
     */
    static NamedTask of(boolean hasId, Arguments arguments, Terminal terminal) {
        var verb = arguments.words().getFirst();
        var words = arguments.words().subList(1, arguments.words().size());
        if (!words.isEmpty() && CommandTarget.isReference(words.getFirst())) {
            var meant = of(hasId, verb, CommandTarget.reference(words.getFirst()), words.subList(1, words.size()));
            return meant.with(Credentials.give(meant.client, arguments, terminal));
        }
        // The words of an answer, and an id beside filters, may be more than are needed.
        boolean isCounted = WITHOUT_ID.contains(verb) || hasId && !verb.equals("answer");
        int needed = !isCounted ? Integer.MAX_VALUE : hasId ? 1 : 0;
        var server = NamedServer.of(words, needed, terminal);
        var client = Credentials.client(server, arguments, terminal);
        if (!hasId) {
            return new NamedTask(client, "", server.rest());
        }
        var id = server.word(0, "the id of the task");
        return new NamedTask(
                client,
                CommandTarget.isReference(id) ? id(CommandTarget.reference(id)) : id,
                server.rest().subList(1, server.rest().size()));
    }

    private static NamedTask of(boolean hasId, String verb, TaskReference reference, List<String> rest) {
        if (!hasId) {
            return new NamedTask(CommandTarget.clientOfServer(reference), "", rest);
        }
        // Revisions cannot delete tasks, so the client must be free to choose another generation.
        return verb.equals("delete") && reference.generation().isPublished()
                ? new NamedTask(CommandTarget.clientOfServer(reference), id(reference), rest)
                : new NamedTask(CommandTarget.client(reference), id(reference), rest, Optional.of(reference));
    }

    private NamedTask with(McpClientBuilder given) {
        return new NamedTask(given, id, rest, named);
    }

    /** The tasks of the server, through a connected client. */
    RemoteTasks tasks(McpClient connected) {
        return named.map(connected::tasks).orElseGet(connected::tasks);
    }

    /** Another task of the same server, with the same words. */
    NamedTask at(String other) {
        return new NamedTask(client, other, rest);
    }

    /** The same task by its whole id, among the tasks of the server. */
    NamedTask whole(RemoteTasks tasks) {
        return id.isEmpty() || named.isPresent() ? this : new NamedTask(client, TaskName.whole(id, tasks), rest, named);
    }

    private static String id(TaskReference reference) {
        return UsageException.expect("", reference::idForVerbs)
                .orElseThrow(() -> new UsageException("this reference is to a call that is answered in parts, and its"
                        + " server told no id. longhaul attach goes on with it."));
    }
}
