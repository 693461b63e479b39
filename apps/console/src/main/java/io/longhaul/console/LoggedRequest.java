// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import org.jspecify.annotations.Nullable;

/**
 * A request and all messages that belong to it, or one message that belongs to none. Its texts come from strangers.
 * Thread-safe.
 */
public final class LoggedRequest {

    /**
     * The client of a message.
     *
     * @param name    as the client gives it
     * @param session the end of the id of its session, to tell clients of one name apart; empty where it has none
     */
    public record Client(String name, String session) {

        static Client of(String name, String session) {
            var last = session.substring(session.lastIndexOf('-') + 1);
            return new Client(name, last.substring(Math.max(0, last.length() - OF_SESSION)));
        }

        /** Name and session on one line. */
        @Override
        public String toString() {
            return session.isEmpty() ? name : name + " #" + session;
        }
    }

    /** A task as the client of a session names it. */
    record Alias(String session, String id) {}

    private static final int OF_SESSION = 4;

    final long number;
    final String method;
    final boolean isQuiet;

    final @Nullable Alias alias;

    private final Client client;
    private final @Nullable String tool;
    private volatile @Nullable String task;

    /** @param isQuiet whether its messages are not logged */
    LoggedRequest(
            long number, Client client, String method, @Nullable String tool, @Nullable Alias alias, boolean isQuiet) {
        this.number = number;
        this.client = client;
        this.method = method;
        this.tool = tool;
        this.alias = alias;
        this.isQuiet = isQuiet;
    }

    /** A question of the server within this request. */
    LoggedRequest asks(String question) {
        var asked = new LoggedRequest(number, client, question, tool, alias, isQuiet);
        asked.task = task;
        return asked;
    }

    void isAbout(String id) {
        task = id;
    }

    public Client client() {
        return client;
    }

    /** The name of the tool; null where the message is about none that is known. */
    public @Nullable String tool() {
        return tool;
    }

    /** The id of the task; null where the message is about none, or its task is not known yet. */
    public @Nullable String task() {
        return task;
    }
}
