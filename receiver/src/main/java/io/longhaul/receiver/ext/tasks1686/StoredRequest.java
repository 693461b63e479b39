package io.longhaul.receiver.ext.tasks1686;

import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.GetPrompt;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.Call.ReadResource;
import io.longhaul.protocol.call.Call.Retry;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.Params;
import io.longhaul.receiver.rounds.CallStates;
import io.longhaul.receiver.task.Origin;
import java.util.LinkedHashMap;
import java.util.Map;

/** How a task keeps a request that calls no long-running tool. */
final class StoredRequest {

    private static final String TOOL = "tool";
    private static final String RESOURCE = "resource";
    private static final String PROMPT = "prompt";
    private static final String ARGUMENTS = "arguments";

    private StoredRequest() {}

    static Payload of(Interactive call) {
        return Payload.of(CallStates.written(call).endObject().toJson().bytes());
    }

    /** The request of a task, with the trace that its sender gave it. */
    static Interactive read(Payload stored, Origin origin) {
        var in = Params.of("request", Json.raw(stored.bytes()));
        var extras = new CallExtras(null, null, null, origin.trace());
        if (in.has(TOOL)) {
            return new CallTool(in.string(TOOL), in.object(ARGUMENTS), new TaskWish.None(), extras, Retry.FIRST);
        }
        if (in.has(RESOURCE)) {
            return new ReadResource(in.string(RESOURCE), extras, Retry.FIRST);
        }
        Map<String, String> arguments = new LinkedHashMap<>();
        in.inner(ARGUMENTS).asMap().forEach((name, value) -> arguments.put(name, JsonReader.text(value)));
        return new GetPrompt(in.string(PROMPT), arguments, extras, Retry.FIRST);
    }
}
