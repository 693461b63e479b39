// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import io.longhaul.console.LoggedMessage.Body;
import io.longhaul.protocol.Guard;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonException;
import io.longhaul.protocol.json.JsonMembers;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.observe.ServerObserver;
import io.longhaul.server.ServerMonitor;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the newest messages between a server and its clients in memory, in both directions and without secrets, for the
 * developer of its tools: at most {@value #MOST} messages of at most {@value #LONGEST} bytes each, and
 * {@value #MOST_CHARACTERS} characters in all. Give the log to {@link io.longhaul.server.McpServerBuilder#monitor} and
 * to {@link Console#messages}, which shows it to operators. The messages contain the data of all callers. Thread-safe.
 */
public final class MessageLog implements ServerMonitor {

    static final int MOST = 1_000;
    static final int LONGEST = 32 << 10;
    static final int MOST_CHARACTERS = 4 << 20;

    private static final int DEPTH = 1_000;
    private static final JsonReader READER = new JsonReader(Integer.MAX_VALUE, DEPTH);
    private static final int IN_MILLISECOND = 1_000;

    private final InstantSource clock;
    private final MessageMask mask;
    private final Consumer<LoggedMessage> told;
    private final Correlation correlation;
    private final Guard lock = new Guard();
    private final ArrayDeque<LoggedMessage> kept = new ArrayDeque<>();
    private long characters;

    /** The request that this thread answers. */
    private final ThreadLocal<@Nullable LoggedRequest> current = new ThreadLocal<>();

    /**
     * Makes a log.
     *
     * @param isSecret whether values of members with this name are secrets, beside those whose names say so
     * @param told     receives each message on the thread that serves it, and must not block
     */
    public MessageLog(InstantSource clock, Predicate<String> isSecret, Consumer<LoggedMessage> told) {
        this.clock = clock;
        this.told = told;
        mask = new MessageMask(isSecret, LONGEST);
        // Readers continue by the number of the last message, also after a restart.
        correlation = new Correlation(clock.millis() * IN_MILLISECOND);
    }

    @Override
    public Endpoint around(Endpoint endpoint) {
        return new MessageTap(endpoint, this);
    }

    /** Learns the task of a request where no message names it. */
    @Override
    public Optional<ServerObserver> observer() {
        return Optional.of(event -> {
            switch (event) {
                case ServerEvent.TaskCreated(var caller, var task, var tool, var way) -> isAbout(task, tool);
                case ServerEvent.ResultRead(var caller, var task, var tool) -> isAbout(task, tool);
                case ServerEvent.AnswerTaken(var caller, var task, var tool) -> isAbout(task, tool);
                case ServerEvent.TaskCancelled(var caller, var task, var tool) -> isAbout(task, tool);
                default -> {}
            }
        });
    }

    private void isAbout(String task, String tool) {
        var request = current.get();
        if (request != null) {
            lock.run(() -> correlation.isAbout(request, task, tool));
        }
    }

    /** Runs the part of the server that answers a request. */
    void during(@Nullable LoggedRequest request, Runnable answering) {
        current.set(request);
        try {
            answering.run();
        } finally {
            current.remove();
        }
    }

    /** Logs what a client has sent; gives its request, and null for an array of messages. */
    @Nullable
    LoggedRequest received(byte[] sent, String session) {
        return lock.get(() -> {
            try {
                var json = READER.value(sent);
                if (json.kind() != Json.Kind.ARRAY) {
                    return received(json, session);
                }
                JsonReader.elements(json).forEach(message -> received(message, session));
                return null;
            } catch (JsonException e) {
                return broken(sent.length, session);
            }
        });
    }

    private LoggedRequest received(Json message, String session) {
        var members = members(message);
        var request = correlation.received(session, members);
        add(true, what(members, request), request, message);
        return request;
    }

    /** A text without JSON is not shown, because its secrets cannot be found. */
    private LoggedRequest broken(int bytes, String session) {
        var request = correlation.received(session, JsonMembers.NONE);
        add(new LoggedMessage(
                correlation.next(), clock.instant(), true, "no JSON", request, new Body("", bytes, true)));
        return request;
    }

    /**
     * Logs what goes to a client.
     *
     * @param stream the request whose stream it is; null where the stream belongs to the session
     */
    void sent(Json sent, String session, @Nullable LoggedRequest stream) {
        lock.run(() -> {
            var messages = sent.kind() == Json.Kind.ARRAY ? JsonReader.elements(sent) : List.of(sent);
            for (var message : messages) {
                var members = members(message);
                var request = correlation.sent(session, members, stream);
                add(false, what(members, request), request, message);
            }
        });
    }

    void opened(String session, LoggedRequest by) {
        lock.run(() -> correlation.opened(session, by));
    }

    private static JsonMembers members(Json message) {
        return message.kind() == Json.Kind.OBJECT ? JsonReader.members(message) : JsonMembers.NONE;
    }

    private static String what(JsonMembers message, LoggedRequest request) {
        var method = message.text("method");
        return method != null ? method : (message.has("error") ? "error of " : "result of ") + request.method;
    }

    private void add(boolean isIncoming, String what, LoggedRequest request, Json message) {
        if (!request.isQuiet) {
            add(new LoggedMessage(correlation.next(), clock.instant(), isIncoming, what, request, mask.body(message)));
        }
    }

    private void add(LoggedMessage message) {
        kept.add(message);
        characters += message.body().text().length();
        while (kept.size() > MOST || characters > MOST_CHARACTERS) {
            characters -= kept.remove().body().text().length();
        }
        told.accept(message);
    }

    /** The messages after a number that are still kept, oldest first. */
    List<LoggedMessage> after(long number) {
        return lock.get(() -> kept.stream().filter(one -> one.number() > number).toList());
    }
}
