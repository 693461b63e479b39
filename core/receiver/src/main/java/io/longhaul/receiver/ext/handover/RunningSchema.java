// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import io.longhaul.protocol.call.CallResponse.ToolInfo;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The output schema of a tool whose calls may be handed over: "Servers MUST provide structured results that conform to
 * this schema", so the listed schema also allows the answer that names the task, and that answer has structured
 * content.
 */
final class RunningSchema {

    private static final String NAME = "outputSchema";

    private static final Json RUNNING = Json.raw("{\"type\":\"object\",\"description\":\"The work goes on: this is not"
            + " the result yet.\",\"properties\":{\"task\":{\"type\":\"string\"},\"status\":{\"type\":\"string\"},"
            + "\"message\":{\"type\":\"string\"}},\"required\":[\"task\",\"status\"]}");

    /** The members that stay at the root of a schema, because references find definitions from there. */
    private static final String[] DEFINITIONS = {"$schema", "$defs", "definitions"};

    /** References and anchors that depend on a schema's place, and break when it becomes part of another schema. */
    private static final Pattern PLACED =
            Pattern.compile("\"\\$(id|anchor|dynamicRef|dynamicAnchor|recursiveRef)\"|\"#(?!/(\\$defs|definitions)/)");

    private RunningSchema() {}

    /** The tool as listed to a client whose call may be handed over. */
    static ToolInfo listed(ToolInfo tool) {
        var members = JsonReader.members(tool.definition());
        Json schema = members.get(NAME);
        if (schema == null) {
            return tool;
        }
        var out = JsonWriter.object(tool.definition().size() + 512).membersBut(Set.of(NAME), members);
        return new ToolInfo(out.optional(NAME, widened(schema)).end(), tool.taskMode());
    }

    /** A schema that allows either answer; null, which promises nothing, where the tool's cannot be part of another. */
    private static @Nullable Json widened(Json schema) {
        if (PLACED.matcher(schema.toString()).find()) {
            return null;
        }
        var own = JsonReader.members(schema);
        var out = JsonWriter.object(schema.size() + 512);
        for (String name : DEFINITIONS) {
            out.optional(name, own.get(name));
        }
        out.member("type", "object").name("anyOf").beginArray();
        return out.raw(schema).raw(RUNNING).endArray().end();
    }

    /** The structured content of an answer that names the task. */
    static Json content(TaskView task, String status, @Nullable String message) {
        return JsonWriter.object()
                .member("task", task.id())
                .member("status", status)
                .optional("message", message)
                .end();
    }
}
