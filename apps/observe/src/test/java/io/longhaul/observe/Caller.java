// SPDX-License-Identifier: Apache-2.0
package io.longhaul.observe;

import io.longhaul.fakes.MemoryConnection;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.transport.Principal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of 2025-11-25 in memory, which calls tools as tasks. */
final class Caller {
    private final MemoryTransport transport = new MemoryTransport();
    private @Nullable MemoryConnection connection;
    private @Nullable String answer;
    private int ids;

    MemoryTransport transport() {
        return transport;
    }

    /** The response to a request. */
    JsonNode ask(String method, String params) {
        var open = connection;
        if (open == null) {
            open = transport.connect(Principal.LOCAL);
            connection = open;
            ask(
                    "initialize",
                    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":{}},"
                            + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}");
        }
        ids++;
        open.send("{\"jsonrpc\":\"2.0\",\"id\":" + ids + ",\"method\":\"" + method + "\",\"params\":" + params + "}");
        while (true) {
            var next = JsonMapper.shared().readTree(open.next());
            if (next.path("id").asLong() == ids && !next.has("method")) {
                return next;
            }
            if (answer != null && next.has("method") && next.has("id")) {
                open.send("{\"jsonrpc\":\"2.0\",\"id\":" + next.path("id") + ",\"result\":" + answer + "}");
            }
        }
    }

    /** Answers each question like this from now on, while it waits for a response. */
    void answering(String result) {
        answer = result;
    }

    /** Calls a tool, with more members of the params, and gives the response. */
    JsonNode call(String tool, String more) {
        return ask("tools/call", "{\"name\":\"" + tool + "\",\"arguments\":{}" + more + "}");
    }

    /** The id of a new task. */
    String task(String tool) {
        return task(tool, "");
    }

    String task(String tool, String more) {
        return call(tool, ",\"task\":{}" + more).at("/result/task/taskId").asString();
    }

    /** Waits until a task has come to its end, and gives the response with its result. */
    JsonNode result(String task) {
        return ask("tasks/result", "{\"taskId\":\"" + task + "\"}");
    }
}
