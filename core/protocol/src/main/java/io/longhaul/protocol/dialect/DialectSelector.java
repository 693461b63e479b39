// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.dialect.Overlay.Envelope;
import io.longhaul.protocol.dialect.base.PlainHandshake;
import io.longhaul.protocol.dialect.tasks20260728.PlainStateless;
import io.longhaul.protocol.dialect.tasks20260728.StatelessTasks;
import io.longhaul.protocol.dialect.words.CallCodec;
import io.longhaul.protocol.dialect.words.KnownCapabilities;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.ProfileCodec;
import io.longhaul.protocol.dialect.words.StatelessResults;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonMembers;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.json.ParamsException;
import io.longhaul.protocol.rpc.RpcError;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the dialect of each message. The choice is pure: it depends only on the message, its headers and the
 * negotiated version and capabilities of its session. Thread-safe.
 */
public final class DialectSelector {

    private static final Generation STATELESS = Generation.V2026_07_28;
    private static final Generation LATEST_HANDSHAKE = Generation.V2025_11_25;

    private final SessionDialects stateless;
    private final Dialect statelessTasks;
    private final KnownCapabilities known = new KnownCapabilities();
    private final Map<Generation, SessionDialects> sessions = new EnumMap<>(Generation.class);
    private final Map<String, Dialect> byName = new LinkedHashMap<>();

    /**
     * The negotiated version and capabilities of a session.
     *
     * @param version of the protocol
     * @param client  the capabilities of its client
     */
    public record Settled(String version, Capabilities client) {}

    /** Dialects of the server with this name and version. */
    public DialectSelector(String serverName, String serverVersion) {
        this(MessageWriter.implementation(serverName, serverVersion));
    }

    /**
     * Dialects of one server.
     *
     * @param server the description of the server in every result of the stateless revision
     */
    public DialectSelector(Json server) {
        var results = new StatelessResults(server);
        var alone = Drafts.overlays().stream()
                .filter(overlay -> !overlay.needsSession())
                .toList();
        var plain = new PlainStateless(results);
        this.stateless = new SessionDialects(STATELESS.revision(), plain, plain, alone);
        this.statelessTasks = new AnnouncingDialect(new StatelessTasks(results), STATELESS.revision(), alone);
        Generation.versions().stream()
                .filter(version -> version != STATELESS)
                .forEach(version ->
                        ClientDialects.find(version).ifPresent(own -> sessions.put(version, dialects(version, own))));
        Stream.concat(
                        sessions.values().stream().flatMap(SessionDialects::all),
                        Stream.concat(Stream.of(stateless.own(), statelessTasks), stateless.all()))
                .forEach(dialect -> byName.putIfAbsent(dialect.name(), dialect));
    }

    private static SessionDialects dialects(Generation version, Dialect own) {
        // Only the revisions have words for calls that ask for no task.
        var plain = version.isPublished() ? new PlainHandshake(version.revision()) : own;
        return new SessionDialects(version.revision(), own, plain, Drafts.overlays());
    }

    /**
     * Chooses for one request or notification.
     *
     * @param session the negotiated values of the session, or null where the message has no session
     */
    public Selection select(@Nullable Settled session, RequestHeaders headers, String method, Json params) {
        var fields = JsonReader.members(params);
        var keys = fields.object(Meta.META);
        if (isStateless(headers, keys)) {
            return stateless(headers, method, params, fields, keys);
        }
        if (headers.repeated().apply(StandardHeaders.VERSION).isPresent()) {
            var problem = "The header " + StandardHeaders.VERSION + " was sent more than once: send it once";
            return new Selection.Refuse(new RpcError(RpcError.INVALID_REQUEST, problem), 400);
        }
        if (method.equals("initialize")) {
            return new Selection.Use(initializing(fields), null);
        }
        var version = headers.get(StandardHeaders.VERSION);
        if (version.isPresent() && agreed(version.get()).isEmpty()) {
            return unsupported(version.get());
        }
        if (session != null) {
            var spoken = agreed(session.version()).orElse(LATEST_HANDSHAKE);
            var seen = new Envelope(spoken.revision(), session.client(), method, fields, keys);
            return new Selection.Use(sessions(session.version()).of(seen), null);
        }
        return withoutSession(headers, method);
    }

    /**
     * The version of a new session: the version that the client asks for where we speak it, else our latest version
     * with sessions.
     */
    public String negotiate(String wanted) {
        return agreed(wanted).orElse(LATEST_HANDSHAKE).version();
    }

    /** The dialect of messages that a server sends by itself in a session of this version. */
    public Dialect ofSession(String version) {
        return sessions(version).own();
    }

    /**
     * The dialect for tools that always answer in parts; empty where this build does not have it.
     *
     * @param session the version of the session of a message, or null where the message stands alone
     */
    public Optional<Dialect> inParts(@Nullable String session) {
        return Optional.ofNullable(Drafts.OVERLAYS.get(Generation.SEP_1003))
                .flatMap(overlay -> (session == null ? stateless : sessions(session)).of(overlay));
    }

    /** The tasks that the answer of a client names, in the words of a version and of its overlays. */
    public List<String> answeredTasks(String session, Json result) {
        return sessions(session)
                .all()
                .flatMap(words -> words.relatedTask(result).stream())
                .distinct()
                .toList();
    }

    /**
     * The dialect in which a server asks the client of a session to run questions as tasks; empty where the version has
     * no such tasks, or the client runs no question as a task.
     */
    public static Optional<ClientDialect> hosting(Settled session) {
        if (session.client().takes().asked().isEmpty()) {
            return Optional.empty();
        }
        var version = Generation.of(session.version()).orElse(LATEST_HANDSHAKE);
        return version.revision().has(Revision.Capability.CORE_TASKS)
                ? Optional.of(ClientDialects.of(version))
                : ClientDialects.find(Generation.SEP_1686);
    }

    private SessionDialects sessions(String version) {
        return Objects.requireNonNull(sessions.get(agreed(version).orElse(LATEST_HANDSHAKE)));
    }

    /** The generation of a version that sessions can negotiate. */
    private Optional<Generation> agreed(String version) {
        return Generation.of(version).filter(sessions::containsKey);
    }

    /** All dialects. */
    public Collection<Dialect> all() {
        return Collections.unmodifiableCollection(byName.values());
    }

    /** The spaces of the task ids that requestors choose. */
    public List<String> aliases() {
        return all().stream()
                .map(dialect -> dialect.traits().making().aliases())
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    /** The dialect with this {@linkplain Dialect#name name}; empty where this build does not have it. */
    public Optional<Dialect> named(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    private static boolean isStateless(RequestHeaders headers, JsonMembers meta) {
        return meta.has(Meta.PROTOCOL_VERSION)
                || meta.has(Meta.CLIENT_CAPABILITIES)
                || headers.get(StandardHeaders.VERSION).equals(Optional.of(STATELESS.version()));
    }

    private Selection stateless(
            RequestHeaders headers, String method, Json params, JsonMembers fields, JsonMembers keys) {
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
            CallCodec.level(meta, Meta.LOG_LEVEL);
            var mismatch = StandardHeaders.check(headers, method, params);
            if (mismatch != null) {
                return new Selection.Refuse(mismatch, 400);
            }
            return use(ProfileCodec.onRequest(version, meta, known), method, fields, keys);
        } catch (ParamsException e) {
            return method.startsWith("notifications/")
                    ? new Selection.Use(stateless.own(), null)
                    : new Selection.Refuse(new RpcError(RpcError.INVALID_PARAMS, e.getMessage()), 400);
        }
    }

    private Selection use(ClientProfile client, String method, JsonMembers fields, JsonMembers keys) {
        var can = client.capabilities();
        var dialect = stateless
                .claimed(new Envelope(STATELESS.revision(), can, method, fields, keys))
                .orElse(can.tasks() ? statelessTasks : stateless.own());
        return new Selection.Use(dialect, client);
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
        var wanted = params.text("protocolVersion");
        return ofSession(wanted == null ? LATEST_HANDSHAKE.version() : negotiate(wanted));
    }

    /**
     * A client may ping before it initializes a connection, and cancellations of a stateless client carry no version.
     */
    private Selection withoutSession(RequestHeaders headers, String method) {
        if (headers.http()) {
            return new Selection.NeedsSession();
        }
        return switch (method) {
            case "ping" -> new Selection.Use(ofSession(LATEST_HANDSHAKE.version()), null);
            case "notifications/cancelled" -> new Selection.Use(stateless.own(), null);
            default -> new Selection.NeedsSession();
        };
    }

    private static Selection unsupported(String requested) {
        var data = JsonWriter.object().name("supported").beginArray();
        PlainStateless.supported().forEach(data::string);
        data.endArray().member("requested", requested).endObject();
        return new Selection.Refuse(
                new RpcError(RpcError.UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", data.toJson()),
                400);
    }
}
