// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.rounds;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.GetPrompt;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.ReadResource;
import io.longhaul.protocol.json.JsonDigest;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.request.InboundRequest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The states that clients carry between the rounds of their calls. A state is sealed, and valid only for the same
 * caller and the same call. Thread-safe.
 */
public final class CallStates {

    private static final Duration ROUND = Duration.ofDays(1);
    private static final String PART = "part\n";

    private final Context context;
    private final SealedState sealed;

    public CallStates(Context context) {
        this.context = context;
        var engine = context.engine();
        var rotation = context.rounds().keyRotation();
        var keys = new SealKeys(engine.rows(), context.random(), rotation);
        sealed = new SealedState(keys, context.random(), engine.time());
    }

    String seal(InboundRequest request, Interactive call, CarriedState state, Duration life) {
        return sealed.seal(state, binding(request, call), context.now().plus(life));
    }

    /** Opens a state; empty for a state of another caller or another call, and for an expired state. */
    public Optional<CarriedState> open(InboundRequest request, Interactive call, String text) {
        return sealed.open(text, binding(request, call), context.now());
    }

    /** Seals the place where the output of a call continues. {@link #open} does not take such a state. */
    public String sealPart(InboundRequest request, CallTool call, CarriedState state, Duration life) {
        return sealed.seal(state, PART + binding(request, call), context.now().plus(life));
    }

    public Optional<CarriedState> openPart(InboundRequest request, CallTool call, String text) {
        return sealed.open(text, PART + binding(request, call), context.now());
    }

    /** The state for the round of a call that brings answers; null for a client that gets questions as requests. */
    public @Nullable Supplier<String> nextRound(InboundRequest request, Interactive call, Task task) {
        return request.asking().byRequest()
                ? null
                : () -> seal(request, call, CarriedState.ofTask(task.id().value(), 0), ROUND);
    }

    private static String binding(InboundRequest request, Interactive call) {
        return request.principal().name() + "\n" + digest(call);
    }

    /** The digest of a call and its arguments, the same for every caller. */
    public static String digest(Interactive call) {
        var asked = written(call);
        Keep keep = call instanceof CallTool tool ? tool.keep() : null;
        if (keep != null && keep.from() != Keep.From.LEAVING) {
            asked.member("ttl", keep.time().toMillis());
        }
        return HexFormat.of().formatHex(JsonDigest.sha256(asked.end()));
    }

    /**
     * Begins a JSON object with the call and its arguments; the caller of this method ends the object. Requests that
     * are stored with their tasks have these members, too.
     */
    public static JsonWriter written(Interactive call) {
        var asked = JsonWriter.object();
        switch (call) {
            case CallTool tool -> asked.member("tool", tool.tool()).member("arguments", tool.arguments());
            case ReadResource read -> asked.member("resource", read.uri());
            case GetPrompt get -> {
                asked.member("prompt", get.prompt()).name("arguments").beginObject();
                get.arguments().forEach((name, value) -> asked.member(name, value));
                asked.endObject();
            }
        }
        return asked;
    }
}
