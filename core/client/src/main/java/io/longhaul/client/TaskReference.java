// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.client.value.ResumePoint;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.transport.ClientHttp;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names a task, so that any process finds it again: {@code longhaul-task/1/GENERATION/ID/http://127.0.0.1:8080/mcp}.
 * The reference prints as one line that no shell changes. A task that was made in a session has the id of the session
 * after its own: {@code longhaul-task/2/GENERATION/ID/SESSION/http://127.0.0.1:8080/mcp}.
 *
 * <p>Keep a reference as you keep a password. At a server without authorization, the reference alone may let its holder
 * read the task, or act in the session. The reference holds no other secret: a user and password in the address are
 * left out.
 *
 * @param server     where the task runs
 * @param generation in which the task was created
 * @param taskId     the id that the server gave the task
 * @param session    in which the task was created, and outside of which some servers do not show the task; empty where
 *     there is none
 */
public record TaskReference(ServerAddress server, Generation generation, String taskId, Optional<String> session) {

    private static final String SHAPE = "longhaul-task/1/GENERATION/ID/ADDRESS";
    private static final String HEAD = "longhaul-task";
    private static final String FORMAT = "1";
    private static final String WITH_SESSION = "2";
    private static final String COMMAND = "command:";
    private static final String PLAIN = "-_.~";

    public TaskReference {
        if (server instanceof ServerAddress.Http http) {
            server = new ServerAddress.Http(withoutUser(http.uri()));
        }
    }

    /** A reference to a task that was made without a session. */
    public TaskReference(ServerAddress server, Generation generation, String taskId) {
        this(server, generation, taskId, Optional.empty());
    }

    /**
     * Reads what {@link #toString} wrote.
     *
     * @throws IllegalArgumentException with one sentence for the user when the text is no reference
     */
    public static TaskReference parse(String text) {
        var head = text.strip().split("/", 3);
        if (head.length < 2 || !head[0].equals(HEAD)) {
            throw new IllegalArgumentException("This is no task reference; one looks like " + SHAPE + ".");
        }
        boolean inSession = head[1].equals(WITH_SESSION);
        if (!inSession && !head[1].equals(FORMAT)) {
            throw new IllegalArgumentException(
                    "This task reference has the format " + head[1] + ", which only a newer Longhaul reads.");
        }
        int count = inSession ? 4 : 3;
        var parts = head.length < 3 ? List.<String>of() : List.of(head[2].split("/", count));
        if (parts.size() < count || parts.contains("")) {
            throw new IllegalArgumentException("This task reference is cut off; a whole one looks like " + SHAPE + ".");
        }
        var generation = Generation.named(parts.getFirst())
                .orElseThrow(() -> new IllegalArgumentException("This task reference names the generation "
                        + parts.getFirst() + ", which only a newer Longhaul speaks."));
        return new TaskReference(
                address(parts.getLast()),
                generation,
                decode(parts.get(1)),
                inSession ? Optional.of(decode(parts.get(2))) : Optional.empty());
    }

    /**
     * The id by which the verbs of {@link RemoteTasks} know the task; empty for a call that is answered in parts by a
     * server that tells no id.
     *
     * @throws IllegalArgumentException with one sentence for the user when the reference is damaged
     */
    public Optional<String> idForVerbs() {
        var point = ResumePoint.of(generation, taskId);
        return point.isPresent() ? Optional.ofNullable(point.get().next().task()) : Optional.of(taskId);
    }

    /** The reference on one line. */
    @Override
    public String toString() {
        var id = encode(taskId, PLAIN);
        return session.map(own -> String.join(
                        "/", HEAD, WITH_SESSION, generation.label(), id, encode(own, PLAIN), printed(server)))
                .orElseGet(() -> String.join("/", HEAD, FORMAT, generation.label(), id, printed(server)));
    }

    /** The address of a server as a reference prints it, without a user and password. */
    static String printed(ServerAddress server) {
        return switch (server) {
            case ServerAddress.Http http -> encode(withoutUser(http.uri()).toString(), PLAIN + ":/");
            case ServerAddress.Command command ->
                COMMAND
                        + command.command().stream()
                                .map(part -> encode(part, PLAIN + "/"))
                                .collect(Collectors.joining(","));
        };
    }

    private static ServerAddress address(String text) {
        if (text.startsWith(COMMAND)) {
            var parts = Stream.of(text.substring(COMMAND.length()).split(",", -1));
            return new ServerAddress.Command(
                    List.copyOf(parts.map(TaskReference::decode).toList()));
        }
        try {
            var uri = URI.create(decode(text));
            if (ClientHttp.isOfServer(uri)) {
                return new ServerAddress.Http(uri);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("The address in this task reference cannot be read: " + text + ".", e);
        }
        throw new IllegalArgumentException(
                "The address in this task reference is neither http nor a command: " + text + ".");
    }

    private static URI withoutUser(URI uri) {
        var user = uri.getRawUserInfo();
        return user == null
                ? uri
                : URI.create(uri.toString().replaceFirst(java.util.regex.Pattern.quote(user + "@"), ""));
    }

    private static String encode(String text, String kept) {
        var out = new StringBuilder();
        for (var b : text.getBytes(StandardCharsets.UTF_8)) {
            var c = (char) (b & 0xFF);
            if (c < 0x80 && (Character.isLetterOrDigit(c) || kept.indexOf(c) >= 0)) {
                out.append(c);
            } else {
                out.append('%').append(String.format(Locale.ROOT, "%02X", b & 0xFF));
            }
        }
        return out.toString();
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("This task reference is damaged near " + text + ".", e);
        }
    }
}
