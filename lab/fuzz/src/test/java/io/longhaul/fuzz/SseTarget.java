// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fuzz;

import io.longhaul.protocol.transport.client.StreamEvent;
import io.longhaul.transport.reply.SseReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Input: a stream of server-sent events. The events are the same whether the bytes come at once or one by one, and the
 * same events when they are written anew.
 */
final class SseTarget implements Target {

    private static final int LIMIT = 2_000;

    @Override
    public void feed(byte[] input) throws IOException {
        var events = read(input, input.length + 1);
        Target.require(sameEvents(events, read(input, 1)), "other events where the bytes come one by one");
        if (events != null) {
            var again = read(written(events), LIMIT);
            Target.require(sameEvents(events, again), "%s are read again as %s", events, again);
        }
    }

    /** The events; null where one is too large. */
    private static @Nullable List<StreamEvent> read(byte[] bytes, int atOnce) throws IOException {
        var in = new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] target, int from, int most) {
                return super.read(target, from, Math.min(most, atOnce));
            }
        };
        var reader = new SseReader(in, LIMIT);
        var events = new ArrayList<StreamEvent>();
        try {
            for (var event = reader.next(); event.isPresent(); event = reader.next()) {
                events.add(event.get());
            }
            return events;
        } catch (SseReader.TooLargeException e) {
            return null;
        }
    }

    private static byte[] written(List<StreamEvent> events) {
        var out = new ByteArrayOutputStream();
        for (var event : events) {
            if (event.id() != null) {
                out.writeBytes(("id: " + event.id() + "\n").getBytes(StandardCharsets.UTF_8));
            }
            if (event.retry() != null) {
                out.writeBytes(("retry: " + event.retry().toMillis() + "\n").getBytes(StandardCharsets.UTF_8));
            }
            for (var line : new String(event.data(), StandardCharsets.ISO_8859_1).split("\n", -1)) {
                out.writeBytes(("data: " + line + "\n").getBytes(StandardCharsets.ISO_8859_1));
            }
            out.write('\n');
        }
        return out.toByteArray();
    }

    private static boolean sameEvents(@Nullable List<StreamEvent> some, @Nullable List<StreamEvent> others) {
        return Objects.equals(told(some), told(others));
    }

    private static @Nullable List<String> told(@Nullable List<StreamEvent> events) {
        return events == null
                ? null
                : events.stream()
                        .map(event -> event.id() + " " + event.retry() + " "
                                + new String(event.data(), StandardCharsets.ISO_8859_1))
                        .toList();
    }
}
