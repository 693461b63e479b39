package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Answer.ServerProfile;
import io.longhaul.protocol.call.Answer.ToolInfo;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.Rider.Sighting;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What can be spoken in the sessions of one version: its own words, its plain ones, and those that ride on it. */
final class SessionDialects {

    private final Dialect own;
    private final Dialect plain;
    private final Map<Rider, Dialect> ridden = new LinkedHashMap<>();

    /**
     * Dialects of one version.
     *
     * @param own    says and reads what is of the version itself
     * @param plain  reads calls without a wish for a task
     * @param riders in the order in which they are looked at
     */
    SessionDialects(Generation version, Dialect own, Dialect plain, List<Rider> riders) {
        this.own = new Hosting(own, version, riders);
        this.plain = plain;
        riders.forEach(rider -> ridden.put(rider, rider.over(this.own, version)));
    }

    /** The dialect of what a server sends by itself. */
    Dialect own() {
        return own;
    }

    Dialect of(Sighting message) {
        for (var one : ridden.entrySet()) {
            if (one.getKey().claims(message)) {
                return one.getValue();
            }
        }
        // So that what is kept of the call says in which words it was asked.
        boolean plainCall =
                message.method().equals("tools/call") && !message.params().has("task");
        return plainCall ? plain : own;
    }

    /** The dialect of one that rides here. */
    Dialect of(Rider rider) {
        return Objects.requireNonNull(ridden.get(rider));
    }

    Stream<Dialect> all() {
        return Stream.concat(Stream.of(plain, own), ridden.values().stream());
    }

    /** The words of a version, which announce what rides on them. */
    private record Hosting(Dialect words, Generation version, List<Rider> riders) implements Dialect {

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
                        case Answer.Tools tools ->
                            new Answer.Tools(
                                    tools.tools().stream().map(this::listed).toList(),
                                    tools.nextCursor(),
                                    tools.fresh());
                        default -> answer;
                    });
        }

        @Override
        public JsonRpcMessage.@Nullable Notification encode(Notice notice, @Nullable RequestId subscription) {
            return words.encode(notice, subscription);
        }

        @Override
        public JsonRpcMessage.@Nullable Request encode(
                RequestId id, Answer.Question question, @Nullable String taskId) {
            return words.encode(id, question, taskId);
        }

        private ServerProfile announce(ServerProfile server) {
            Map<String, Json> further = new LinkedHashMap<>();
            riders.forEach(rider -> further.putAll(rider.capabilities(server, version)));
            Map<String, Json> experimental = new LinkedHashMap<>();
            riders.forEach(rider -> experimental.putAll(rider.experimental(server)));
            return server.withFurther(further).withExperimental(experimental);
        }

        private ToolInfo listed(ToolInfo tool) {
            ToolInfo seen = tool;
            for (Rider rider : riders) {
                seen = rider.listed(seen);
            }
            return seen;
        }
    }
}
