// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.Splice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the stored result of a task has beside what clients are sent: contents under {@link Meta#KEPT}, to which the
 * result links, and which are read as resources of the task.
 */
final class KeptContents {

    private KeptContents() {}

    /** The result as clients get it. */
    static Json given(Json result) {
        boolean keeps = JsonReader.members(result).object(Meta.META).has(Meta.KEPT);
        return keeps ? Splice.without(result, Set.of(), Set.of(Meta.KEPT)) : result;
    }

    /** The contents of a resource that the result of the task keeps, or has in its content. */
    static Optional<Json> of(Task task, String uri) {
        Ending ending = task.ending();
        if (ending == null || !(ending.outcome() instanceof Outcome.Result result)) {
            return Optional.empty();
        }
        var members = JsonReader.members(Json.raw(result.body().bytes()));
        var embedded = elements(members.get("content"))
                .map(item -> JsonReader.members(item).get("resource"))
                .filter(Objects::nonNull);
        return Stream.concat(elements(members.object(Meta.META).get(Meta.KEPT)), embedded)
                .filter(content -> uri.equals(JsonReader.members(content).text("uri")))
                .findFirst()
                .map(content -> new JsonWriter(content.size() + 2)
                        .beginArray()
                        .raw(content)
                        .endArray()
                        .toJson());
    }

    private static Stream<Json> elements(@Nullable Json array) {
        return array == null ? Stream.empty() : JsonReader.elements(array).stream();
    }
}
