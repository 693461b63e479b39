// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.call;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.Trace;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.tool.QuickCall;
import io.longhaul.receiver.tool.RpcException;
import io.longhaul.server.ForwardContext;
import io.longhaul.server.McpException;
import io.longhaul.server.internal.codec.ErrorCodec;
import io.longhaul.server.internal.schema.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The context of a quick call. */
public final class QuickContext extends CallContext implements ForwardContext {

    /** The most questions of one quick call, so that no loop with a model runs endlessly. */
    private static final int MOST_QUESTIONS = 100;

    private final QuickCall call;
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger questions = new AtomicInteger();

    public QuickContext(JsonNode arguments, QuickCall call) {
        super(arguments);
        this.call = call;
    }

    @Override
    public CallerInfo caller() {
        return call.caller();
    }

    @Override
    public Trace trace() {
        return call.trace();
    }

    @Override
    public boolean isCancelled() {
        return call.isCancelled() || Thread.currentThread().isInterrupted();
    }

    @Override
    void report(double done, @Nullable Double total, @Nullable String message) {
        call.progress(new ProgressView(done, total, message));
    }

    @Override
    void logLine(String level, Object data) {
        call.log(level, null, Values.json(data));
    }

    @Override
    public void log(String level, @Nullable String logger, Json data) {
        call.log(level, logger, data);
    }

    @Override
    public Json ask(String method, Json params) throws InterruptedException {
        return ask(Ask.forwarded(null, new CallResponse.Question(method, params)));
    }

    @Override
    public Map<String, Json> askAll(Map<String, CallResponse.Question> questions) throws InterruptedException {
        var asks = questions.entrySet().stream()
                .map(question -> Ask.forwarded(question.getKey(), question.getValue()))
                .toList();
        var given = ask(asks).iterator();
        Map<String, Json> answers = new LinkedHashMap<>();
        questions.keySet().forEach(key -> answers.put(key, Values.json(given.next())));
        return answers;
    }

    @Override
    public Capabilities askable() {
        return asking().capabilities();
    }

    @Override
    Asking asking() {
        return call.asking();
    }

    @Override
    List<JsonNode> put(List<? extends Ask<?>> asks) throws InterruptedException {
        Map<String, CallResponse.Question> put = new LinkedHashMap<>();
        List<String> keys = new ArrayList<>();
        if (questions.addAndGet(asks.size()) > MOST_QUESTIONS) {
            throw new McpException(
                    RpcError.INTERNAL_ERROR, "The tool asks more than " + MOST_QUESTIONS + " questions in one call");
        }
        for (Ask<?> ask : asks) {
            String key = ask.key() == null ? "input-" + asked.incrementAndGet() : ask.key();
            if (put.put(key, new CallResponse.Question(ask.method(), traced(ask))) != null) {
                throw new IllegalArgumentException("two questions have the key '" + key + "'");
            }
            keys.add(key);
        }
        try {
            Map<String, Json> answers = call.ask(put);
            return keys.stream().map(answers::get).map(Values::tree).toList();
        } catch (RpcException e) {
            throw ErrorCodec.ofClient(e.error());
        }
    }
}
