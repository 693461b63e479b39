// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fuzz;

import io.longhaul.fakes.MemoryConnection;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.transport.Principal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Input: a line with what a client brings back to a server, and the text that it brings: {@code requestState},
 * {@code resumeToken}, or {@code cursor} of a method. Two numbers behind the first two keep of what the server gave as
 * many characters from its beginning and from its end, around the text. Whatever the server did not give is refused by
 * name.
 */
final class TokensTarget implements Target {

    private static final Pattern INPUT = Pattern.compile(
            "(?s)(?<kind>requestState|resumeToken|cursor) (?:(?<method>[a-z/]+)|(?<from>\\d{1,3}) (?<to>\\d{1,3}))\n"
                    + "(?<text>.*)");
    private static final int INVALID_PARAMS = -32602;
    private static final String META = ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"c\",\"version\":\"1\"},"
            + "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}";

    private final MemoryTransport transport = new MemoryTransport();
    private final MemoryConnection sessionless;
    private final MemoryConnection session;
    private final Map<String, String> given;
    private int requests;

    TokensTarget() {
        Faults.watch();
        FuzzedServer.serve(transport);
        sessionless = transport.connect(Principal.LOCAL);
        session = transport.connect(Principal.LOCAL);
        ask(
                session,
                "initialize",
                "{\"protocolVersion\":\"2025-06-18\",\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"},"
                        + "\"capabilities\":{\"experimental\":{\"resumeTokens\":{}}}}");
        given = Map.of(
                "requestState",
                call("requestState", "").at("/result/requestState").asString(),
                "resumeToken",
                call("resumeToken", "").at("/result/nextResumeToken").asString());
        given.forEach((name, token) -> Target.require(!token.isEmpty(), "no %s", name));
    }

    @Override
    public void feed(byte[] input) {
        var parts = INPUT.matcher(new String(input, StandardCharsets.UTF_8));
        if (!parts.matches()) {
            return;
        }
        var kind = parts.group("kind");
        var text = parts.group("text");
        if (kind.equals("cursor") && parts.group("method") != null) {
            brings(parts.group("method"), text);
        } else if (given.containsKey(kind)) {
            bringsBack(kind, parts.group("from") == null ? text : mixed(given.get(kind), parts, text));
        }
        Faults.check();
    }

    private static String mixed(String token, MatchResult parts, String text) {
        int from = Math.min(token.length(), Integer.parseInt(parts.group("from")));
        int to = Math.min(token.length(), Integer.parseInt(parts.group("to")));
        return token.substring(0, from) + text + token.substring(token.length() - to);
    }

    private void bringsBack(String kind, String token) {
        if (token.isEmpty()) {
            return;
        }
        var answer = call(kind, ",\"" + kind + "\":" + JsonWriter.quote(token));
        var error = answer.path("error");
        var refused = error.path("code").asInt() == INVALID_PARAMS
                && error.path("message").asString().contains(kind);
        Target.require(refused || token.equals(given.get(kind)), "%s is answered with %s", token, answer);
        Target.require(!error.path("message").asString().contains("Exception"), "%s", answer);
    }

    private void brings(String method, String cursor) {
        if (!List.of("tools/list", "resources/list", "prompts/list", "resources/templates/list")
                .contains(method)) {
            return;
        }
        var answer = ask(session, method, "{\"cursor\":" + JsonWriter.quote(cursor) + "}");
        Target.require(answer.has("result") || answer.at("/error/code").asInt() == INVALID_PARAMS, "%s", answer);
    }

    private JsonNode call(String kind, String member) {
        return kind.equals("requestState")
                ? ask(sessionless, "tools/call", "{\"name\":\"ask\",\"arguments\":{}" + member + META + "}")
                : ask(session, "tools/call", "{\"name\":\"report\",\"arguments\":{\"name\":\"Ada\"}" + member + "}");
    }

    private JsonNode ask(MemoryConnection client, String method, String params) {
        client.send("{\"jsonrpc\":\"2.0\",\"id\":" + requests++ + ",\"method\":\"" + method + "\",\"params\":" + params
                + "}");
        return JsonMapper.shared().readTree(client.next());
    }
}
