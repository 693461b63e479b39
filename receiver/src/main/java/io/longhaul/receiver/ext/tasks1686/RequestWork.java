package io.longhaul.receiver.ext.tasks1686;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.GetPrompt;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.Call.ReadResource;
import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.call.FeatureCalls;
import io.longhaul.receiver.call.RunCall;
import io.longhaul.receiver.feature.Features;
import io.longhaul.receiver.task.Origin;
import io.longhaul.receiver.tool.QuickHandler;
import io.longhaul.receiver.tool.RpcException;
import io.longhaul.receiver.tool.ServedTool.Kind;

/**
 * The work of tasks whose requests call no long-running tool: their handlers run once, as they would while their caller
 * waits. A handler that runs when the server dies has failed, since the server does not know what it had done.
 */
final class RequestWork implements Backend {

    /** No name that a tool can have. */
    static final String NAME = "request:any";

    private final Features features;
    private final FeatureCalls offers;

    private RequestWork(Features features) {
        this.features = features;
        offers = new FeatureCalls(features, Freshness.NONE);
    }

    static Work of(Features features) {
        return new Work(NAME, new RequestWork(features), CrashPolicy.FAIL, null, Integer.MAX_VALUE);
    }

    @Override
    public Outcome run(Run run) throws Exception {
        var origin = Origin.of(run.spec().origin());
        var call = StoredRequest.read(run.spec().request(), origin);
        try {
            return outcome(handling(call).answer(new RunCall(run, origin)));
        } catch (RpcException e) {
            return failed(e.error());
        }
    }

    /** What answers the request; the server may offer something else since the task was created. */
    private QuickHandler handling(Interactive call) {
        return switch (call) {
            case CallTool tool ->
                features.tools()
                        .find(tool.tool())
                        .filter(found -> found.kind() instanceof Kind.Quick)
                        .map(found -> ((Kind.Quick) found.kind()).tool().handler(tool.arguments()))
                        .orElse(way -> new Answer.Refused(new Refusal.UnknownTool(tool.tool())));
            case ReadResource read ->
                offers.read(read).orElse(way -> new Answer.Refused(new Refusal.UnknownResource(read.uri())));
            case GetPrompt get ->
                offers.prompt(get.prompt())
                        .map(prompt -> FeatureCalls.get(prompt, get))
                        .orElse(way -> new Answer.Refused(new Refusal.UnknownPrompt(get.prompt())));
        };
    }

    private static Outcome outcome(Answer answer) {
        return switch (answer) {
            case Answer.ToolResult tool -> result(tool.result(), isError(tool.result()));
            case Answer.PromptResult prompt -> result(prompt.result(), false);
            case Answer.ResourceRead read -> {
                var out = new JsonWriter(read.contents().size() + 32).beginObject();
                out.name("contents").raw(read.contents()).endObject();
                yield result(out.toJson(), false);
            }
            case Answer.Refused refused -> failed(Refusals.error(refused.why()));
            default -> throw new IllegalStateException("no answer of a handler: " + answer);
        };
    }

    private static boolean isError(Json result) {
        Json flag = JsonReader.members(result).get("isError");
        return flag != null && flag.toString().equals("true");
    }

    private static Outcome result(Json body, boolean isError) {
        return new Outcome.Result(Payload.of(body.bytes()), isError);
    }

    private static Outcome failed(RpcError error) {
        Json data = error.data();
        return new Outcome.Error(error.code(), error.message(), data == null ? null : Payload.of(data.bytes()));
    }
}
