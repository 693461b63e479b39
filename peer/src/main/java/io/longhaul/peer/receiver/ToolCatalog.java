package io.longhaul.peer.receiver;

import io.longhaul.peer.tool.ServedTool;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.dialect.ParamHeaders;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.rpc.RpcError;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tools of a server in the order in which they are listed. */
final class ToolCatalog {

    private static final int PAGE = 100;
    private static final String CURSOR = "tool:";

    private final List<ServedTool> tools;
    private final Map<String, ServedTool> byName = new LinkedHashMap<>();
    private final Map<String, Json> marked = new HashMap<>();

    ToolCatalog(List<ServedTool> tools) {
        this.tools = List.copyOf(tools);
        for (ServedTool tool : tools) {
            byName.put(tool.name(), tool);
            Json schema = JsonReader.members(tool.definition()).get("inputSchema");
            if (schema != null && schema.toString().contains("x-mcp-header")) {
                marked.put(tool.name(), schema);
            }
        }
    }

    Optional<ServedTool> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /**
     * What is wrong with headers that say again what stands in the arguments; null where all agree or none is needed.
     */
    @Nullable
    RpcError mismatch(ServedTool tool, Json arguments, Visit visit) {
        Json schema = marked.get(tool.name());
        return schema == null || visit.dialect().traits().sessions()
                ? null
                : ParamHeaders.check(schema, arguments, visit.reply().requestHeaders());
    }

    /** The page that begins after the tool that {@code cursor} names. */
    Answer page(@Nullable String cursor) {
        int from = 0;
        if (cursor != null) {
            var last = Cursors.open(CURSOR, cursor).flatMap(this::find);
            if (last.isEmpty()) {
                return new Answer.Refused(new Refusal.InvalidCursor());
            }
            from = tools.indexOf(last.get()) + 1;
        }
        int to = Math.min(tools.size(), from + PAGE);
        String next = to < tools.size() ? Cursors.seal(CURSOR, tools.get(to - 1).name()) : null;
        var page = tools.subList(from, to).stream()
                .map(tool -> new Answer.ToolInfo(tool.definition(), tool.mode()))
                .toList();
        return new Answer.Tools(page, next);
    }

    /** Places in lists, as clients get them. */
    static final class Cursors {

        private Cursors() {}

        static String seal(String kind, String place) {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString((kind + place).getBytes(StandardCharsets.UTF_8));
        }

        static Optional<String> open(String kind, String cursor) {
            try {
                String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
                return text.startsWith(kind) ? Optional.of(text.substring(kind.length())) : Optional.empty();
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }
    }
}
