// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RequestId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes a client's messages that all generations spell alike. */
public final class ClientWriter {

    private ClientWriter() {}

    /** Name, arguments and {@code _meta} of a call of a tool. */
    public static ObjectNode callTool(Call.CallTool call) {
        var params = JsonTree.object().put("name", call.tool());
        params.set("arguments", JsonTree.read(call.arguments()));
        return extras(params, call.extras());
    }

    /** Adds the extras of a call to params, except those that each revision writes in a place of its own. */
    public static ObjectNode extras(ObjectNode params, Call.CallExtras extras) {
        var meta = JsonTree.object();
        if (extras.progressToken() != null) {
            meta.set("progressToken", JsonTree.read(extras.progressToken()));
        }
        if (extras.creationKey() != null) {
            meta.put(Meta.CREATION_KEY, extras.creationKey());
        }
        if (!meta.isEmpty()) {
            params.set("_meta", meta);
        }
        return params;
    }

    /** Params that ask for a page of a list. */
    public static ObjectNode cursor(@Nullable String cursor) {
        var params = JsonTree.object();
        return cursor == null ? params : params.put("cursor", cursor);
    }

    public static ObjectNode cancelRequest(Call.CancelRequest call) {
        var params = JsonTree.object();
        params.set("requestId", id(call.requestId()));
        if (call.reason() != null) {
            params.put("reason", call.reason());
        }
        return params;
    }

    public static JsonNode id(RequestId id) {
        var holder = JsonTree.object();
        return switch (id) {
            case RequestId.Text text -> holder.put("id", text.value()).path("id");
            case RequestId.Number number -> holder.put("id", number.value()).path("id");
        };
    }

    /**
     * Adds to the capabilities of a client the questions that it can run as tasks.
     *
     * @param verbs what a server can do with the tasks besides reading them
     */
    public static void hostingTasks(ObjectNode capabilities, Capabilities can, List<String> verbs) {
        var tasks = capabilities.putObject("tasks");
        verbs.forEach(tasks::putObject);
        var requests = tasks.putObject("requests");
        if (can.form() || can.url()) {
            requests.putObject("elicitation").putObject("create");
        }
        if (can.sampling()) {
            requests.putObject("sampling").putObject("createMessage");
        }
    }

    /** The capabilities of a client in a revision. */
    public static ObjectNode capabilities(Capabilities can, Revision revision) {
        var node = JsonTree.object();
        boolean modes = revision.has(Capability.ELICITATION_MODES);
        if (revision.has(Capability.ELICITATION) && (can.form() || (can.url() && modes))) {
            var modesNode = node.putObject("elicitation");
            if (modes && can.form()) {
                modesNode.putObject("form");
            }
            if (modes && can.url()) {
                modesNode.putObject("url");
            }
        }
        if (can.sampling()) {
            node.putObject("sampling");
        }
        if (can.roots()) {
            var roots = node.putObject("roots");
            if (revision.has(Capability.ROOTS_CHANGES)) {
                roots.put("listChanged", true);
            }
        }
        return node;
    }
}
