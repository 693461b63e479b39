package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.dialect.plain.PlainHandshake;
import io.longhaul.protocol.dialect.plain.PlainStateless;
import io.longhaul.protocol.dialect.tasks20251125.HandshakeTasks;
import io.longhaul.protocol.dialect.tasks20260728.StatelessTasks;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.ProfileReader;
import io.longhaul.protocol.dialect.words.StatelessResults;
import io.longhaul.protocol.dialect.words.Words;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonMembers;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.json.ParamsException;
import io.longhaul.protocol.rpc.RpcError;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses, message by message, the dialect in which it is read. Pure: it sees the message, its headers and the
 * version of its session, and nothing else. Thread-safe.
 */
public final class DialectSelector {

    private static final Generation STATELESS = Generation.V2026_07_28;
    private static final Generation LATEST_HANDSHAKE = Generation.V2025_11_25;
    private static final String[] PROFILE = {Meta.CLIENT_CAPABILITIES, Meta.CLIENT_INFO};

    private final PlainStateless stateless;
    private final StatelessTasks statelessTasks;
    private final HandshakeTasks handshakeTasks = new HandshakeTasks();
    private final Map<Generation, Dialect> handshakes = new EnumMap<>(Generation.class);

    /** Dialects of the server with this name and version. */
    public DialectSelector(String serverName, String serverVersion) {
        this(Words.implementation(serverName, serverVersion));
    }

    /**
     * Dialects of one server.
     *
     * @param server what every result of the stateless revision says of it
     */
    public DialectSelector(Json server) {
        var results = new StatelessResults(server);
        this.stateless = new PlainStateless(results);
        this.statelessTasks = new StatelessTasks(results);
        Arrays.stream(Generation.values())
                .filter(generation -> generation != STATELESS)
                .forEach(generation -> handshakes.put(generation, new PlainHandshake(generation)));
    }

    /**
     * Chooses for one request or notification.
     *
     * @param sessionVersion what the message's session has agreed on, or null where it has none
     */
    public Selection select(@Nullable String sessionVersion, RequestHeaders headers, String method, Json params) {
        var fields = JsonReader.members(params);
        var meta = fields.get(Meta.META);
        var keys = meta == null || meta.kind() != Json.Kind.OBJECT ? JsonMembers.NONE : JsonReader.members(meta);
        if (isStateless(headers, keys)) {
            return stateless(headers, method, params, keys);
        }
        if (method.equals("initialize")) {
            return new Selection.Use(initializing(fields), null);
        }
        var version = headers.get(StandardHeaders.VERSION);
        if (version.isPresent() && Generation.of(version.get()).isEmpty()) {
            return unsupported(version.get());
        }
        if (sessionVersion != null) {
            return new Selection.Use(inSession(sessionVersion, method, fields), null);
        }
        return withoutSession(headers, method);
    }

    /**
     * The version of the session that a client asks for: its own where we speak it, else our latest with a handshake.
     */
    public String negotiate(String wanted) {
        return Generation.of(wanted)
                .filter(generation -> generation != STATELESS)
                .orElse(LATEST_HANDSHAKE)
                .version();
    }

    /** The dialect of what a server sends by itself in a session of this version. */
    public Dialect ofSession(String version) {
        var generation = Generation.of(version).orElse(LATEST_HANDSHAKE);
        return generation == LATEST_HANDSHAKE ? handshakeTasks : handshakes.getOrDefault(generation, handshakeTasks);
    }

    /** The dialect with the name that it has given itself; empty for one that this version does not have. */
    public Optional<Dialect> named(String name) {
        return Stream.concat(handshakes.values().stream(), Stream.of(handshakeTasks, stateless, statelessTasks))
                .filter(dialect -> dialect.name().equals(name))
                .findFirst();
    }

    private static boolean isStateless(RequestHeaders headers, JsonMembers meta) {
        return meta.has(Meta.PROTOCOL_VERSION)
                || meta.has(Meta.CLIENT_CAPABILITIES)
                || headers.get(StandardHeaders.VERSION).equals(Optional.of(STATELESS.version()));
    }

    private Selection stateless(RequestHeaders headers, String method, Json params, JsonMembers keys) {
        try {
            var meta = Params.of("params._meta", keys);
            var version = meta.string(Meta.PROTOCOL_VERSION);
            var error = version(headers, version);
            if (error != null) {
                return new Selection.Refuse(error, 400);
            }
            if (!version.equals(STATELESS.version())) {
                return unsupported(version);
            }
            meta.object(Meta.CLIENT_CAPABILITIES);
            var mismatch = StandardHeaders.check(headers, method, params);
            if (mismatch != null) {
                return new Selection.Refuse(mismatch, 400);
            }
            return use(ProfileReader.read(version, meta, PROFILE, true));
        } catch (ParamsException e) {
            return method.startsWith("notifications/")
                    ? new Selection.Use(stateless, null)
                    : new Selection.Refuse(new RpcError(RpcError.INVALID_PARAMS, e.getMessage()), 400);
        }
    }

    private Selection use(ClientProfile client) {
        return new Selection.Use(client.capabilities().tasks() ? statelessTasks : stateless, client);
    }

    private static @Nullable RpcError version(RequestHeaders headers, String version) {
        if (!headers.http()) {
            return null;
        }
        var header = headers.get(StandardHeaders.VERSION);
        if (header.isEmpty()) {
            return StandardHeaders.mismatch(StandardHeaders.VERSION, "is missing");
        }
        return header.get().equals(version)
                ? null
                : StandardHeaders.mismatch(StandardHeaders.VERSION, "is not the version of the body");
    }

    private Dialect initializing(JsonMembers params) {
        var wanted = params.get("protocolVersion");
        return ofSession(
                wanted == null || wanted.kind() != Json.Kind.STRING
                        ? LATEST_HANDSHAKE.version()
                        : negotiate(JsonReader.text(wanted)));
    }

    /** A call without a wish for a task is plain, so that what is kept of it says in which words it was asked. */
    private Dialect inSession(String version, String method, JsonMembers params) {
        var generation = Generation.of(version).orElse(LATEST_HANDSHAKE);
        var plainCall = method.equals("tools/call") && !params.has("task");
        return generation == LATEST_HANDSHAKE && plainCall ? handshakes.get(LATEST_HANDSHAKE) : ofSession(version);
    }

    /** A connection may be pinged before it is initialized, and what a stateless client cancels carries nothing. */
    private Selection withoutSession(RequestHeaders headers, String method) {
        if (headers.http()) {
            return new Selection.NeedsSession();
        }
        return switch (method) {
            case "ping" -> new Selection.Use(handshakeTasks, null);
            case "notifications/cancelled" -> new Selection.Use(stateless, null);
            default -> new Selection.NeedsSession();
        };
    }

    private static Selection unsupported(String requested) {
        var data = new JsonWriter().beginObject().name("supported").beginArray();
        PlainStateless.supported().forEach(data::string);
        data.endArray().name("requested").string(requested).endObject();
        return new Selection.Refuse(
                new RpcError(RpcError.UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", data.toJson()),
                400);
    }
}
