// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.toolsasync;

import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A session that has joined a task by a call or by its id, and has not left.
 *
 * @param dialect       name of the dialect in which the session is told of the task
 * @param requests      the latest requests of the session that called or joined, oldest first
 * @param progressToken under which the session wants progress, or null
 */
record Member(String dialect, List<Json> requests, @Nullable Json progressToken) {

    /** How many requests of one session are remembered for one task. */
    static final int REQUESTS = 8;

    Member {
        requests = List.copyOf(requests);
    }

    Member again(Member later) {
        var all = Stream.concat(requests.stream(), later.requests().stream()).toList();
        var last = all.subList(Math.max(0, all.size() - REQUESTS), all.size());
        return new Member(later.dialect(), last, later.progressToken() == null ? progressToken : later.progressToken());
    }

    Payload toPayload() {
        var out = JsonWriter.object().member("dialect", dialect);
        out.name("requests").beginArray();
        requests.forEach(out::raw);
        out.endArray().optional("progressToken", progressToken);
        return Payload.of(out.end().bytes());
    }

    static Member of(Payload stored) {
        var in = Params.of("member", Json.raw(stored.bytes()));
        return new Member(
                in.string("dialect"),
                JsonReader.elements(Objects.requireNonNull(in.get("requests"))),
                in.get("progressToken"));
    }
}
