// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Subscription;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Reads and writes the filter of {@code subscriptions/listen}. */
public final class Listening {

    private Listening() {}

    public static Call.Listen read(Params params) {
        params.object("notifications");
        var wanted = params.inner("notifications");
        return new Call.Listen(new Subscription(
                wanted.flag("toolsListChanged"),
                wanted.flag("promptsListChanged"),
                wanted.flag("resourcesListChanged"),
                wanted.strings("resourceSubscriptions"),
                wanted.strings("taskIds")));
    }

    /** The filter that a server acknowledges, which a client does not trust. */
    public static Subscription honoured(JsonNode said) {
        return new Subscription(
                said.path("toolsListChanged").asBoolean(false),
                said.path("promptsListChanged").asBoolean(false),
                said.path("resourcesListChanged").asBoolean(false),
                texts(said.path("resourceSubscriptions")),
                texts(said.path("taskIds")));
    }

    /** The strings in an array of a peer. */
    static List<String> texts(JsonNode values) {
        return values.valueStream()
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue)
                .toList();
    }

    public static Json write(Subscription honoured) {
        var writer = JsonWriter.object();
        flag(writer, "toolsListChanged", honoured.toolsChanged());
        flag(writer, "promptsListChanged", honoured.promptsChanged());
        flag(writer, "resourcesListChanged", honoured.resourcesChanged());
        strings(writer, "resourceSubscriptions", honoured.resources());
        strings(writer, "taskIds", honoured.taskIds());
        return writer.end();
    }

    private static void flag(JsonWriter writer, String name, boolean value) {
        if (value) {
            writer.member(name, true);
        }
    }

    private static void strings(JsonWriter writer, String name, List<String> values) {
        if (!values.isEmpty()) {
            writer.name(name).beginArray();
            values.forEach(writer::string);
            writer.endArray();
        }
    }
}
