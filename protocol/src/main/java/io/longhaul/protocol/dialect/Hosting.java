package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Answer.ServerProfile;
import io.longhaul.protocol.call.Answer.ToolInfo;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The dialect of a version, which announces the overlays of that version too. Thread-safe. */
record Hosting(Dialect words, Revision version, List<Overlay> overlays) implements Dialect {

    @Override
    public String name() {
        return words.name();
    }

    @Override
    public Traits traits() {
        return words.traits();
    }

    @Override
    public Decoded decode(String method, Json params) {
        return words.decode(method, params);
    }

    @Override
    public boolean shows(ToolInfo tool, Capabilities client) {
        return words.shows(tool, client);
    }

    @Override
    public Encoded encode(RequestId id, Call call, Answer answer) {
        return words.encode(
                id,
                call,
                switch (answer) {
                    case Answer.Opened opened -> new Answer.Opened(opened.version(), announce(opened.server()));
                    case Answer.Discovered discovered -> new Answer.Discovered(announce(discovered.server()));
                    case Answer.Tools tools ->
                        new Answer.Tools(
                                tools.tools().stream().map(this::listed).toList(), tools.nextCursor(), tools.fresh());
                    default -> answer;
                });
    }

    @Override
    public JsonRpcMessage.@Nullable Notification encode(Notice notice, @Nullable RequestId subscription) {
        return words.encode(notice, subscription);
    }

    @Override
    public JsonRpcMessage.@Nullable Request encode(RequestId id, Answer.Question question, @Nullable String taskId) {
        return words.encode(id, question, taskId);
    }

    private ServerProfile announce(ServerProfile server) {
        Map<String, Json> further = new LinkedHashMap<>();
        overlays.forEach(overlay -> further.putAll(overlay.capabilities(server, version)));
        Map<String, Json> experimental = new LinkedHashMap<>();
        overlays.forEach(overlay -> experimental.putAll(overlay.experimental(server)));
        return server.withFurther(further).withExperimental(experimental);
    }

    private ToolInfo listed(ToolInfo tool) {
        ToolInfo seen = tool;
        for (Overlay overlay : overlays) {
            seen = overlay.listed(seen);
        }
        return seen;
    }
}
