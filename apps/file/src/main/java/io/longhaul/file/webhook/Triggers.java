// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import io.longhaul.engine.secret.Secret;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Task;
import io.longhaul.file.operate.Pauses;
import io.longhaul.file.operate.Pauses.Kind;
import io.longhaul.file.webhook.TriggerEntry.Content;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.observe.Rule;
import io.longhaul.server.ServerTasks;
import io.longhaul.server.ServerTasks.Started;
import io.longhaul.transport.Site.Call;
import io.longhaul.transport.Site.Hook;
import io.longhaul.transport.Site.Page;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls the tools of triggers when other systems POST to their addresses. A message makes only one task, even when it
 * is delivered repeatedly or at several servers of a database: its id is the creation key of the call. Thread-safe.
 */
public final class Triggers implements Hook {

    /** The path before the names of triggers. */
    public static final String PATH = "/triggers/";

    private static final Logger log = LoggerFactory.getLogger(Triggers.class);
    private static final String JSON = "application/json";
    private static final String PING = "ping";
    private static final Json PASSED_OVER = Json.raw("{\"status\":\"ignored\"}");

    private static final int SOON = 10;
    private static final int LATER = 30;

    private record Trigger(TriggerEntry entry, List<Secret> secrets) {}

    private final Map<String, String> env;
    private final Trigger unknown;
    private final InstantSource clock;
    private volatile Map<String, Trigger> triggers = Map.of();
    private volatile @Nullable Served served;

    /** The tasks of the server, and what its operator has paused. */
    private record Served(ServerTasks tasks, Pauses pauses) {}

    /**
     * @param env   the environment, with secrets
     * @param clock by which the age of a delivery is checked
     */
    public Triggers(List<TriggerEntry> entries, Map<String, String> env, InstantSource clock) {
        this.clock = clock;
        this.env = env;
        set(entries);
        unknown = unknown();
    }

    /** Has these triggers from now on. */
    public void set(List<TriggerEntry> entries) {
        triggers = entries.stream()
                .map(entry -> new Trigger(entry, entry.secrets().apply(env)))
                .collect(Collectors.toUnmodifiableMap(trigger -> trigger.entry().name(), Function.identity()));
    }

    /** Stands for each unknown name, so that a stranger cannot tell an unknown name from one in the file. */
    private static Trigger unknown() {
        var secret = UUID.randomUUID().toString();
        var content = new Content(JsonTree.object(), Map.of());
        var entry = new TriggerEntry("", "", env -> List.of(), SignatureScheme.STANDARD, Set.of(), content);
        return new Trigger(entry, List.of(() -> secret));
    }

    /** Whether the file has triggers. */
    @Override
    public boolean isServed() {
        return !triggers.isEmpty();
    }

    /** Sets the tasks of the server, once it takes calls, and what its operator has paused. */
    public void served(ServerTasks tasks, Pauses pauses) {
        served = new Served(tasks, pauses);
    }

    @Override
    public Page take(Call call) throws IOException {
        var trigger = triggers.getOrDefault(call.rest(), unknown);
        // The body is read whatever the headers are: a connection that is closed without would tell a name from none.
        var body = call.body();
        if (body.isEmpty()) {
            return Page.refused(413, "The body is larger than this server takes.");
        }
        // One that is sent twice is refused whatever the trigger is, and whether there is one.
        SignedHeaders.ALL.forEach(call::header);
        var claim = SignedHeaders.of(trigger.entry().scheme(), call::header, clock.instant());
        if (claim.isEmpty()) {
            return notSigned();
        }
        var keys = keys(trigger);
        if (keys.isEmpty()) {
            return later(503, LATER, "The signature cannot be checked now.");
        }
        return claim.get().isSigned(keys, body.get())
                ? signed(trigger.entry(), call, claim.get().id(), body.get())
                : notSigned();
    }

    private static Page notSigned() {
        return Page.refused(401, "The signature is missing, too old or not good.")
                .with("WWW-Authenticate", "Webhook");
    }

    private static Page later(int status, int seconds, String why) {
        return Page.refused(status, why).with("Retry-After", Integer.toString(seconds));
    }

    private static List<byte[]> keys(Trigger trigger) {
        var keys = new ArrayList<byte[]>();
        for (var secret : trigger.secrets()) {
            try {
                keys.add(Signatures.key(secret.read()));
            } catch (IOException e) {
                log.warn(
                        "a secret of the trigger {} cannot be used: {}",
                        trigger.entry().name(),
                        e.getMessage());
            }
        }
        return keys;
    }

    private Page signed(TriggerEntry trigger, Call call, String id, byte[] body) {
        if (isPassedOver(trigger, call)) {
            return Page.json(200, PASSED_OVER);
        }
        if (body.length > 0
                && !call.header("Content-Type").filter(Triggers::isJson).isPresent()) {
            return Page.refused(415, "The body must be sent as Content-Type: application/json.");
        }
        JsonNode read;
        try {
            read = body.length == 0 ? JsonTree.object() : JsonTree.read(body);
        } catch (IllegalArgumentException e) {
            return Page.refused(400, "The body is no JSON, or is too deep, or has a name twice.");
        }
        return arguments(trigger.content(), read)
                .map(arguments -> start(trigger, id, arguments))
                .orElseGet(() -> Page.refused(400, "The body must be a JSON object with the arguments."));
    }

    /** Whether the trigger ignores the event of GitHub. Its header is unsigned, so it serves only to ignore a call. */
    private static boolean isPassedOver(TriggerEntry trigger, Call call) {
        if (trigger.scheme() != SignatureScheme.GITHUB) {
            return false;
        }
        var event = call.header(SignedHeaders.GITHUB_EVENT).orElse("");
        return trigger.events().isEmpty()
                ? event.equals(PING)
                : !trigger.events().contains(event);
    }

    private static boolean isJson(String type) {
        return type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(JSON);
    }

    private static Optional<JsonNode> arguments(Content content, JsonNode body) {
        ObjectNode arguments = JsonTree.object();
        if (content.taken().isEmpty()) {
            if (!body.isObject()) {
                return Optional.empty();
            }
            arguments.setAll((ObjectNode) body);
        }
        content.taken().forEach((name, pointer) -> {
            var value = body.at(pointer);
            if (!value.isMissingNode()) {
                arguments.set(name, value);
            }
        });
        content.fixed().properties().forEach(fixed -> arguments.set(fixed.getKey(), fixed.getValue()));
        return Optional.of(arguments);
    }

    private Page start(TriggerEntry trigger, String id, JsonNode arguments) {
        var own = served;
        if (own == null) {
            return later(503, 1, "The server is starting.");
        }
        try {
            if (own.pauses().has(Kind.TRIGGER, trigger.name(), clock.instant())) {
                return later(503, LATER, "The trigger is paused.");
            }
            var key = "trigger " + trigger.name() + " " + id;
            return switch (own.tasks().start(trigger.tool(), JsonTree.write(arguments), key)) {
                case Started.New(var task) -> {
                    log.info("the trigger {} has made task {}", trigger.name(), task.id());
                    yield accepted(task);
                }
                case Started.Same(var task) -> accepted(task);
                case Started.Refused(var rule, var problem) -> refused(trigger, rule, problem);
                case Started.NotFound none -> throw new IllegalStateException("a start looks for no task");
            };
        } catch (StoreException e) {
            log.warn("a call of the trigger {} was not stored: {}", trigger.name(), e.getMessage());
            return later(503, SOON, "The call could not be stored.");
        }
    }

    /** The answer, the same for each delivery, whatever has happened to the task meanwhile. */
    private static Page accepted(Task task) {
        var said = new JsonWriter()
                .beginObject()
                .name("taskId")
                .string(task.id().value())
                .endObject();
        return Page.json(202, said.toJson());
    }

    private static Page refused(TriggerEntry trigger, Rule rule, String problem) {
        log.info("a call of the trigger {} is refused: {}", trigger.name(), rule);
        return switch (rule) {
            case BAD_PARAMS -> Page.refused(400, problem);
            case KEY_REUSED -> Page.refused(409, "The message was delivered before with another content.");
            case LIMIT -> later(429, LATER, problem);
            default -> later(503, LATER, "The tool of this trigger is not served now.");
        };
    }
}
