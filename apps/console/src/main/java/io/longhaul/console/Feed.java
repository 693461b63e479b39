// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import io.longhaul.engine.task.Owner;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.transport.Site;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The stream of events of the pages, each a JSON object with a {@code type}:
 *
 * <ul>
 *   <li>{@code hello}, first: the {@code owner} of the reader's tasks, whether the reader is an {@code operator}, and
 *       whether it sees {@code messages};
 *   <li>{@code tasks}: the {@code ids} of changed tasks, and whether {@code any} other task may have changed. Pages
 *       read the tasks that they show by MCP, which checks who may see them;
 *   <li>{@code figures}, for operators: the new {@code samples};
 *   <li>{@code message}, for operators: a message between the server and a client, where they are logged.
 * </ul>
 *
 * @param messages gives null where messages are not logged
 */
record Feed(ChangedTasks news, Figures figures, Supplier<@Nullable MessageLog> messages) implements Site.Feed {

    @Override
    public void serve(Exchange reader) throws InterruptedException {
        long from = news.join();
        try (var out = reader.stream(Map.of())) {
            follow(reader, from, out);
        } catch (PeerGoneException e) {
            // The page was closed.
        } finally {
            news.leave();
        }
    }

    private void follow(Exchange reader, long from, EventStream out) throws InterruptedException {
        boolean isOperator = reader.permit().isOperator();
        var sees = visible(reader);
        var log = isOperator ? messages.get() : null;
        out.send(null, hello(reader.principal().name(), isOperator, log != null));
        long read = from;
        long seen = 0;
        long heard = 0;
        do {
            if (isOperator) {
                var samples = figures.after(seen);
                if (samples.last() > seen) {
                    out.send(null, samples(samples));
                    seen = samples.last();
                }
            }
            if (log != null) {
                for (var message : log.after(heard)) {
                    out.send(null, message.json());
                    heard = message.number();
                }
            }
            var beat = news.after(read);
            if (beat.isEmpty()) {
                return;
            }
            read = beat.get().number();
            tell(beat.get(), sees, out);
        } while (out.isOpen());
    }

    /**
     * The owners whose tasks a reader may see. Anonymous callers get no ids: the id is the only key to an anonymous
     * task.
     */
    private static Predicate<Owner> visible(Exchange reader) {
        var principal = reader.principal();
        return reader.permit().isOperator()
                ? owner -> true
                : owner -> principal.kind() != Principal.Kind.ANONYMOUS
                        && owner.value().equals(principal.name());
    }

    private static void tell(ChangedTasks.Beat beat, Predicate<Owner> sees, EventStream out) {
        var ids = beat.tasks().entrySet().stream()
                .filter(entry -> sees.test(entry.getValue()))
                .map(entry -> entry.getKey().value())
                .toList();
        if (beat.any() || !ids.isEmpty()) {
            var event = event("tasks").name("any").bool(beat.any()).name("ids").beginArray();
            ids.forEach(event::string);
            out.send(null, event.endArray().endObject().toJson());
        }
    }

    private static Json hello(String owner, boolean isOperator, boolean hasMessages) {
        return event("hello")
                .name("owner")
                .string(owner)
                .name("operator")
                .bool(isOperator)
                .name("messages")
                .bool(hasMessages)
                .endObject()
                .toJson();
    }

    private static Json samples(Figures.Samples samples) {
        var event = event("figures").name("samples").beginArray();
        samples.after().forEach(event::raw);
        return event.endArray().endObject().toJson();
    }

    private static JsonWriter event(String type) {
        return new JsonWriter().beginObject().name("type").string(type);
    }
}
