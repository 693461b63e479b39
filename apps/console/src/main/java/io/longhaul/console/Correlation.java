// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import io.longhaul.console.LoggedRequest.Alias;
import io.longhaul.console.LoggedRequest.Client;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.json.JsonMembers;
import io.longhaul.protocol.json.JsonReader;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the request to which a message belongs, and the client, the tool and the task of each, in the messages of every
 * generation. For one thread at a time.
 */
final class Correlation {

    private static final int KNOWN = 2_000;
    private static final String CONSOLE = "longhaul-console";

    /** What a person does in the console; the console itself only looks. */
    private static final Set<String> OF_PERSONS =
            Set.of("tools/call", "tasks/update", "tasks/cancel", "resources/read", "prompts/get");

    /** By the session, and the id or the progress token of the request. */
    private final Map<String, LoggedRequest> open = BoundedMap.byInsertion(KNOWN);

    private final Map<String, String> clients = BoundedMap.byUse(KNOWN);
    private final Map<String, String> tools = BoundedMap.byUse(KNOWN);

    /** The ids of tasks. */
    private final Map<Alias, String> tasks = BoundedMap.byUse(KNOWN);

    private long last;

    /** @param first greater than the numbers of any earlier log */
    Correlation(long first) {
        last = first;
    }

    long next() {
        return ++last;
    }

    /** The request of a message that a client has sent. */
    LoggedRequest received(String session, JsonMembers message) {
        var method = message.text("method");
        var params = message.object("params");
        var id = message.get("id");
        if (method == null) {
            var asked = open.get("question " + id);
            return asked == null ? alone(session, "response", params) : asked;
        }
        var client = client(session, params);
        var alias = alias(session, params);
        var task = task(alias);
        var named = method.startsWith("tools/") ? params.text("name") : null;
        var request = new LoggedRequest(
                next(),
                client,
                method,
                named == null && task != null ? tools.get(task) : named,
                alias,
                client.name().equals(CONSOLE) && !OF_PERSONS.contains(method));
        if (task != null) {
            request.isAbout(task);
        }
        if (id != null) {
            open.put(session + ' ' + id, request);
            var token = params.object("_meta").get("progressToken");
            if (token != null) {
                open.put(session + " progress " + token, request);
            }
        }
        return request;
    }

    /**
     * The request of a message that goes to a client.
     *
     * @param stream the request whose stream it is; null where the stream belongs to the session
     */
    LoggedRequest sent(String session, JsonMembers message, @Nullable LoggedRequest stream) {
        var method = message.text("method");
        var params = message.object("params");
        var id = message.get("id");
        if (method == null) {
            var request = stream == null ? open.get(session + ' ' + id) : stream;
            return request == null
                    ? alone(session, "request", params)
                    : answered(request, alias(session, message.object("result")));
        }
        var base = stream == null ? open.get(session + " progress " + params.get("progressToken")) : stream;
        var request = base == null ? alone(session, method, params) : base;
        if (id != null) {
            request = request.asks(method);
            open.put("question " + id, request);
        }
        return request;
    }

    /** The result may be the first message that names the task, or may name it by an alias. */
    private LoggedRequest answered(LoggedRequest request, @Nullable Alias alias) {
        var task = request.task() == null ? task(alias) : request.task();
        if (task != null) {
            isAbout(request, task, request.tool());
            learn(alias, task);
        }
        return request;
    }

    private LoggedRequest alone(String session, String method, JsonMembers params) {
        var task = task(alias(session, params));
        var tool = task == null ? null : tools.get(task);
        var request = new LoggedRequest(next(), client(session, params), method, tool, null, false);
        if (task != null) {
            request.isAbout(task);
        }
        return request;
    }

    /** The server has told the task of a request. */
    void isAbout(LoggedRequest request, String task, @Nullable String tool) {
        request.isAbout(task);
        learn(request.alias, task);
        if (tool != null) {
            tools.put(task, tool);
        }
    }

    private void learn(@Nullable Alias alias, String task) {
        if (alias != null) {
            tasks.put(alias, task);
        }
    }

    /** A session was opened by a request. */
    void opened(String session, LoggedRequest by) {
        clients.put(session, by.client().name());
    }

    private Client client(String session, JsonMembers params) {
        var told = Stream.of(params, params.object("_meta"))
                .flatMap(part -> part.names().stream()
                        .filter(name -> name.endsWith("clientInfo"))
                        .map(part::object))
                .map(info -> info.text("name"))
                .filter(Objects::nonNull)
                .findFirst();
        told.filter(name -> !session.isEmpty()).ifPresent(name -> clients.put(session, name));
        return Client.of(told.orElseGet(() -> clients.getOrDefault(session, "unknown")), session);
    }

    /** The task that a part of a message names; null for none. */
    private static @Nullable Alias alias(String session, JsonMembers part) {
        var meta = part.object("_meta");
        var places = Stream.of(part, part.object("task"), part.object("operation"), part.object("_operation"));
        var related =
                meta.names().stream().filter(name -> name.endsWith("task")).map(meta::object);
        return Stream.concat(places, related)
                .flatMap(place -> Stream.of("taskId", "token").map(place::get))
                .filter(Objects::nonNull)
                .findFirst()
                .map(id -> new Alias(session, JsonReader.shown(id)))
                .orElse(null);
    }

    private @Nullable String task(@Nullable Alias alias) {
        if (alias == null) {
            return null;
        }
        var known = tasks.get(alias);
        return known == null && TaskId.isWellFormed(alias.id()) ? alias.id() : known;
    }
}
