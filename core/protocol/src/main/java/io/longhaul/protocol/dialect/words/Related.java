// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The place where the messages of a generation name the task to which they belong, for both sides.
 *
 * @param inMeta whether the place is in {@code _meta}, rather than in the params or the result
 * @param key    the name of the place
 * @param field  has the id of the task, in the object of that name
 */
public record Related(boolean inMeta, String key, String field) {

    /** The object that names a task, by its key; none where there is no task. */
    public Map<String, Json> naming(@Nullable String task) {
        return task == null ? Map.of() : Map.of(key, MessageWriter.object(field, task));
    }

    /** Params or a result that name a task; as they are where there is none. */
    public Json to(@Nullable String task, Json object) {
        if (task == null || object.kind() != Json.Kind.OBJECT) {
            return object;
        }
        return inMeta ? Splice.into(object, Map.of(), naming(task)) : Splice.into(object, naming(task), Map.of());
    }

    /** A result that names no task in its {@code _meta}. */
    public Json without(Json result) {
        return result.kind() == Json.Kind.OBJECT ? Splice.without(result, Set.of(), Set.of(key)) : result;
    }

    /** The task that params or a result name. */
    public Optional<String> task(Json object) {
        if (object.kind() != Json.Kind.OBJECT) {
            return Optional.empty();
        }
        var members = JsonReader.members(object);
        var place = inMeta ? members.object(Meta.META) : members;
        return Optional.ofNullable(place.object(key).text(field));
    }
}
