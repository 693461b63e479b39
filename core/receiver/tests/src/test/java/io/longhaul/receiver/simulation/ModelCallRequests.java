// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.receiver.simulation.ModelCaller.Way;
import io.longhaul.receiver.simulation.ModelResult.Place;
import io.longhaul.receiver.simulation.ModelResult.Question;
import io.longhaul.receiver.simulation.ModelResult.Round;
import io.longhaul.server.Served;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The requests of a client that calls again for what comes next, in a session or each alone. */
final class ModelCallRequests {

    private static final String VERSION = "2025-06-18";
    private static final String TAKES_PARTS = "{\"elicitation\":{},\"experimental\":{\"resumeTokens\":{}}}";
    private static final Duration FIRST_WAIT = Duration.ofSeconds(3);
    private static final Duration WAIT = Duration.ofSeconds(10);

    private final ModelCaller client;
    private final ModelStateless stateless;
    private final Map<String, String> session = new HashMap<>();

    ModelCallRequests(ModelCaller client) {
        this.client = client;
        stateless = new ModelStateless(client.way == Way.ROUNDS ? "{\"elicitation\":{}}" : TAKES_PARTS);
        if (client.way == Way.PARTS) {
            begin();
        }
    }

    private void begin() {
        session.clear();
        var opening = client.world.server().post(Map.of(), Served.initialize(VERSION, TAKES_PARTS));
        client.world.rest();
        session.put("Mcp-Session-Id", opening.answered("Mcp-Session-Id").orElseThrow());
        session.put("MCP-Protocol-Version", VERSION);
        client.world.server().post(session, Served.notification("notifications/initialized", "{}"));
        client.world.rest();
    }

    /** Ends the session, or forgets it, and begins another one. */
    void beginAnew() {
        if (client.world.random.nextBoolean()) {
            client.world.server().delete(session);
        }
        begin();
    }

    /**
     * Calls for what comes behind a place.
     *
     * @param round    whose state the call brings, or null
     * @param isAnswer whether it also brings the answer
     */
    ModelCall call(ModelResult result, Place from, @Nullable Round round, boolean isAnswer) {
        var work = result.work;
        String call = Served.call(work.tool(), "{\"name\":\"" + work.name + "\"}");
        if (from.token() != null) {
            call = Served.and(call, "\"resumeToken\":\"" + from.token() + "\"");
        }
        if (round != null) {
            call = Served.and(call, "\"requestState\":\"" + round.state() + "\"");
        }
        if (round != null && isAnswer) {
            call = Served.and(call, "\"inputResponses\":{\"" + round.key() + "\":" + ModelClient.ADA + "}");
        }
        String meta = "\"progressToken\":\"" + work.name + "\""
                + (result.keyed ? ",\"io.longhaul/creation-key\":\"" + work.name + "\"" : "");
        var wire = client.way == Way.PARTS
                ? client.post(session, "tools/call", Served.and(call, "\"_meta\":{" + meta + "}"))
                : client.post(
                        ModelStateless.headers("tools/call", work.tool()),
                        "tools/call",
                        stateless.params(call, meta + ",\"io.modelcontextprotocol/logLevel\":\"info\""));
        var now = client.world.server().now();
        var until = client.way == Way.ROUNDS ? Instant.MAX : now.plus(from.token() == null ? FIRST_WAIT : WAIT);
        int answers = round != null && isAnswer ? round.number() : 0;
        var made = new ModelCall(result, from, answers, client.lastId(), wire, until);
        made.begun = now;
        return made;
    }

    /** Answers a question that was put by a request. */
    ModelWire answer(Question question) {
        return client.world
                .server()
                .post(session, "{\"jsonrpc\":\"2.0\",\"id\":" + question.id() + ",\"result\":" + ModelClient.ADA + "}");
    }

    /** Gives a call up, as sessions do. */
    void cancel(ModelCall call) {
        client.world.server().post(session, Served.cancelled(call.id));
    }
}
