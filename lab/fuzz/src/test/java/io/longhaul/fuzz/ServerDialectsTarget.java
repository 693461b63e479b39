// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fuzz;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.ClientProfile.SamplingExtras;
import io.longhaul.protocol.call.ClientProfile.Takes;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Dialect.Decoded;
import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.dialect.DialectSelector.Settled;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.RequestHeaders;
import io.longhaul.protocol.dialect.Selection;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.Parsed;
import io.longhaul.protocol.rpc.RequestId;
import java.util.List;
import java.util.Set;

/**
 * Input: a request or notification of a client. The server finds a dialect for it in a session of each version and
 * without, or refuses it; and each dialect reads it as a call, which it can answer, or says what is wrong.
 */
final class ServerDialectsTarget implements Target {

    private static final RequestId ID = new RequestId.Number(7);
    private static final Capabilities ALL = new Capabilities(
            true, true, true, true, new Takes(true, true, true, Set.of()), new SamplingExtras(true, true));
    private static final List<Refusal> REFUSALS = List.of(
            new Refusal.InvalidParams("no"),
            new Refusal.UnknownTask("t"),
            new Refusal.InvalidArguments("tool", "no"),
            new Refusal.LimitReached("tasks", 1),
            new Refusal.Internal());

    private final JsonRpcCodec codec = new JsonRpcCodec(WireLimits.DEFAULT);
    private final DialectSelector dialects = new DialectSelector("fuzzed", "1.0");

    @Override
    public void feed(byte[] input) {
        if (codec.parse(input) instanceof Parsed.Message(JsonRpcMessage message)) {
            switch (message) {
                case JsonRpcMessage.Request request -> read(request.method(), request.params());
                case JsonRpcMessage.Notification note -> read(note.method(), note.params());
                default -> {
                    // Answers are read by those who have asked.
                }
            }
        }
    }

    private void read(String method, Json params) {
        select(dialects.select(null, RequestHeaders.NONE, method, params));
        for (var version : Generation.versions()) {
            for (var can : List.of(Capabilities.NONE, ALL)) {
                select(dialects.select(new Settled(version.version(), can), RequestHeaders.NONE, method, params));
            }
        }
        dialects.all().forEach(dialect -> check(dialect, dialect.decode(method, params)));
    }

    private static void select(Selection selection) {
        if (selection instanceof Selection.Refuse(var error, var status)) {
            Target.require(!error.message().isBlank() && status >= 400 && status < 500, "%s", selection);
        }
    }

    private void check(Dialect dialect, Decoded decoded) {
        switch (decoded) {
            case Decoded.Good(Call call) ->
                REFUSALS.forEach(
                        why -> checkAnswer(dialect, call, dialect.encode(ID, call, new CallResponse.Refused(why))));
            case Decoded.Bad(var error, var status) ->
                Target.require(!error.message().isBlank() && status < 500, "%s: %s", dialect.name(), decoded);
        }
    }

    private void checkAnswer(Dialect dialect, Call call, Dialect.Encoded answer) {
        var again = codec.parse(JsonRpcCodec.encode(answer.response()).bytes());
        Target.require(
                again.equals(new Parsed.Message(answer.response())),
                "%s answers %s with %s",
                dialect.name(),
                call,
                again);
    }
}
