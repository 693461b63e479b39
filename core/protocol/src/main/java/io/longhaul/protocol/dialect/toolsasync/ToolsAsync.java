// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.toolsasync;

import io.longhaul.protocol.call.CallResponse.Riding;
import io.longhaul.protocol.call.CallResponse.ServerProfile;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.CallResponse.ToolInfo;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Overlay;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The overlay of the draft of asynchronous tool calls, which applies in sessions of every version. It has methods of
 * its own. A server announces the capability {@code async}, and marks the tools that "should ideally be called using
 * the async protocol as requests are expected to be long running".
 */
public final class ToolsAsync implements Overlay {

    static final String CALL = "tools/async/call";
    static final String GET = "tools/async/get";
    static final String JOIN = "tools/async/join";
    static final String CANCEL = "tools/async/cancel";

    private static final Json PREFERRED = Json.raw("{\"preferAsync\":true}");

    @Override
    public boolean claims(Envelope message) {
        return switch (message.method()) {
            case CALL, GET, JOIN, CANCEL -> true;
            default -> false;
        };
    }

    @Override
    public Dialect over(Dialect session, Revision version) {
        return new AsyncCalls(version);
    }

    /** "Present if the server offers async tool calls", with "the maximum keep alive time in seconds". */
    @Override
    public Riding announced(ServerProfile server, Revision version) {
        long longest = server.tasks().longestKeep().toSeconds();
        var async = JsonWriter.object().member("maxKeepAliveTime", longest).end();
        return server.offer().tasks() ? new Riding(Map.of("async", async), Map.of(), Map.of()) : Riding.NONE;
    }

    @Override
    public ToolInfo listed(ToolInfo tool) {
        return tool.taskMode() == TaskMode.NEVER ? tool : new ToolInfo(preferred(tool.definition()), tool.taskMode());
    }

    private static Json preferred(Json definition) {
        var members = JsonReader.members(definition);
        return JsonWriter.object(definition.size() + 32)
                .membersBut(Set.of("annotations"), members)
                .member("annotations", annotations(members.get("annotations")))
                .end();
    }

    private static Json annotations(@Nullable Json own) {
        return own == null
                ? PREFERRED
                : JsonWriter.object(own.size() + 32)
                        .membersBut(Set.of("preferAsync"), JsonReader.members(own))
                        .member("preferAsync", true)
                        .end();
    }
}
