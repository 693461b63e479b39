// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.list;

import io.longhaul.client.ToolInfo;
import io.longhaul.client.request.ServerResponses;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.dialect.ClientDialect.ToolTerms;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.requestor.call.Requestor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** The tools of a server, with the terms for a call of each. Thread-safe. */
public final class Toolbox {

    private static final Logger log = LoggerFactory.getLogger(Toolbox.class);

    private final Requestor requestor;
    private final KeptList<CallResponse.ToolInfo> tools;
    private final AtomicInteger changes = new AtomicInteger();
    private volatile Read read = new Read(Map.of(), -1);

    /** What was read of a tool; {@code outputSchema} is missing where the tool has none. */
    private record Known(ToolTerms terms, JsonNode outputSchema) {}

    /** @param change the last change of the list before it was read */
    private record Read(Map<String, Known> tools, int change) {}

    public Toolbox(Requestor requestor) {
        this.requestor = requestor;
        tools = new KeptList<>(
                "tools",
                requestor.settings().time(),
                this::page,
                tool -> tool.definition().size());
    }

    /** All tools that can be called, read anew where the list may have changed. */
    public List<ToolInfo> list() {
        var callable = new ArrayList<ToolInfo>();
        var known = new HashMap<String, Known>();
        var before = read.tools();
        int change = changes.get();
        for (var tool : tools.items()) {
            var definition = JsonTree.read(tool.definition());
            var name = definition.path("name").asString("");
            var how = requestor.dialect().terms(tool.definition());
            known.putIfAbsent(name, new Known(how, definition.path("outputSchema")));
            if (!(how instanceof ToolTerms.Invalid(var why))) {
                callable.add(info(name, definition, tool));
            } else if (!how.equals(before.containsKey(name) ? before.get(name).terms() : null)) {
                log.warn("left out the tool {}: {}", name, why);
            }
        }
        read = new Read(Map.copyOf(known), change);
        return List.copyOf(callable);
    }

    private Pages.Page<CallResponse.ToolInfo> page(@Nullable String cursor) {
        var page = ServerResponses.require(
                CallResponse.Tools.class, requestor.ask(new Call.ListTools(cursor)), "its tools");
        return new Pages.Page<>(page.tools(), page.nextCursor(), page.fresh());
    }

    private ToolInfo info(String name, JsonNode definition, CallResponse.ToolInfo tool) {
        var schema = definition.path("inputSchema");
        var offered = requestor.hello().tasks().calls();
        return new ToolInfo(
                name,
                ClientReader.optionalText(definition, "description"),
                schema.isObject() ? JsonTree.write(schema) : Json.EMPTY_OBJECT,
                offered ? tool.taskMode() : TaskMode.NEVER,
                tool.definition());
    }

    /** The terms for a call of a tool; empty where the server lists no such tool. */
    public Optional<ToolTerms> terms(String tool) {
        if (read.change() != changes.get()) {
            list();
        }
        return Optional.ofNullable(read.tools().get(tool)).map(Known::terms);
    }

    /** The output schema of a tool, where the tool has one and the client has read it. */
    public Optional<JsonNode> outputSchema(String tool) {
        return Optional.ofNullable(read.tools().get(tool))
                .map(Known::outputSchema)
                .filter(JsonNode::isObject);
    }

    /** Reads the tools anew before the next call. */
    public void forget() {
        tools.forget();
        changes.incrementAndGet();
    }
}
