// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

/**
 * One request.
 *
 * @param method   the method of the request
 * @param name     the value of {@code Mcp-Name}, or empty
 * @param params   the members of its params
 * @param expected the text that each valid answer contains
 */
record Step(String method, String name, String params, String expected) {

    private static final String CLIENT = "{\"name\":\"bench\",\"version\":\"1\"}";
    private static final String WORD = "{\"word\":\"hello, world\"}";

    /** The placeholder for the id of the task. */
    private static final String TASK = "{task}";

    static Step initialize() {
        return new Step(
                "initialize",
                "",
                "\"protocolVersion\":\"" + Era.SESSION.version() + "\",\"capabilities\":{\"elicitation\":{}},"
                        + "\"clientInfo\":" + CLIENT,
                "\"serverInfo\"");
    }

    static Step call(String tool) {
        return call(tool, WORD, "", "\"hello, world\"");
    }

    /** Calls for a text of a number of thousand characters. */
    static Step text(int thousands) {
        return call("text", "{\"size\":" + thousands * 1000 + "}", "", "\"xxxx");
    }

    /** Calls a tool, and asks for a task. */
    static Step create(String tool) {
        return call(tool, tool.equals("instant") ? WORD : "{}", ",\"task\":{\"ttl\":600000}", "\"taskId\"");
    }

    private static Step call(String tool, String arguments, String more, String expected) {
        return new Step("tools/call", tool, "\"name\":\"" + tool + "\",\"arguments\":" + arguments + more, expected);
    }

    static Step get() {
        return new Step("tasks/get", TASK, "\"taskId\":\"" + TASK + "\"", "\"status\"");
    }

    static Step result() {
        return new Step("tasks/result", TASK, "\"taskId\":\"" + TASK + "\"", "\"hello, world\"");
    }

    static Step list() {
        return new Step("tasks/list", "", "", "\"tasks\"");
    }

    static Step listen() {
        return new Step("subscriptions/listen", "", "\"notifications\":{\"taskIds\":[\"" + TASK + "\"]}", "");
    }

    /** Whether this step creates a task, which later steps refer to. */
    boolean creates() {
        return expected.equals("\"taskId\"");
    }

    Step about(String task) {
        return new Step(method, name.replace(TASK, task), params.replace(TASK, task), expected);
    }

    /** The part of the message after its id. */
    String message(Era era) {
        var meta = ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" + era.version()
                + "\",\"io.modelcontextprotocol/clientInfo\":" + CLIENT
                + ",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{},\"extensions\":"
                + "{\"io.modelcontextprotocol/tasks\":{}}}}";
        var all = era == Era.SESSION ? params : params + meta;
        return "\"method\":\"" + method + "\",\"params\":{" + all + "}";
    }
}
