// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.tasks1686;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.GetPrompt;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.Call.ReadResource;
import io.longhaul.protocol.call.Call.Round;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.receiver.call.FeatureCalls;
import io.longhaul.receiver.feature.Features;
import io.longhaul.receiver.rounds.CallStates;
import io.longhaul.receiver.task.Origin;
import io.longhaul.receiver.task.TaskViews;
import io.longhaul.receiver.tool.RpcException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The work of tasks whose requests call no long-running tool. The handler runs once, as it would while its caller
 * waits. A handler that runs when the server dies has failed, because the server does not know what the handler had
 * done.
 */
record RequestWork(FeatureCalls offers) implements Backend {

    /** The name of this work, which no tool can have. */
    static final String NAME = "request:any";

    private static final String TOOL = "tool";
    private static final String RESOURCE = "resource";
    private static final String PROMPT = "prompt";
    private static final String ARGUMENTS = "arguments";

    static Work of(Features features) {
        return new Work(
                NAME,
                new RequestWork(new FeatureCalls(features, Freshness.NONE)),
                CrashPolicy.FAIL,
                null,
                Integer.MAX_VALUE);
    }

    @Override
    public Outcome run(Run run) throws Exception {
        var origin = Origin.of(run.spec());
        var call = read(run.spec().request(), origin);
        // The server may have changed what it offers since the task was created.
        var handler = offers.handler(call).orElse(way -> new CallResponse.Refused(offers.refusal(call)));
        try {
            return outcome(handler.answer(new RunCall(run, origin)));
        } catch (RpcException e) {
            return TaskViews.error(e.error());
        }
    }

    /** The form in which a task keeps such a request. */
    static Payload stored(Interactive call) {
        return Payload.of(CallStates.written(call).end().bytes());
    }

    /** The request of a task, with the trace that its sender gave it. */
    private static Interactive read(Payload stored, Origin origin) {
        var in = Params.of("request", Json.raw(stored.bytes()));
        var extras = new CallExtras(null, null, null, origin.trace());
        if (in.has(TOOL)) {
            return new CallTool(in.string(TOOL), in.object(ARGUMENTS), extras);
        }
        if (in.has(RESOURCE)) {
            return new ReadResource(in.string(RESOURCE), extras, Round.FIRST);
        }
        Map<String, String> arguments = new LinkedHashMap<>();
        in.members(ARGUMENTS).forEach((name, value) -> arguments.put(name, JsonReader.text(value)));
        return new GetPrompt(in.string(PROMPT), arguments, extras, Round.FIRST);
    }

    private static Outcome outcome(CallResponse answer) {
        return switch (answer) {
            case CallResponse.ToolResult tool -> result(tool.result(), tool.isError());
            case CallResponse.PromptResult prompt -> result(prompt.result(), false);
            case CallResponse.ResourceRead read -> {
                var out = JsonWriter.object(read.contents().size() + 32);
                out.member("contents", read.contents()).endObject();
                yield result(out.toJson(), false);
            }
            case CallResponse.Refused refused -> TaskViews.error(Refusals.error(refused.why()));
            default -> throw new IllegalStateException("no answer of a handler: " + answer);
        };
    }

    private static Outcome result(Json body, boolean isError) {
        return new Outcome.Result(Payload.of(body.bytes()), isError);
    }
}
