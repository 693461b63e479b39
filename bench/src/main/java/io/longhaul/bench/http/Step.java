// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

/**
 * One request.
 *
 * @param method   of it
 * @param name     what {@code Mcp-Name} repeats, or empty
 * @param params   the members of its params
 * @param expected what stands in each good answer
 */
record Step(String method, String name, String params, String expected) {

    private static final String CLIENT = "{\"name\":\"bench\",\"version\":\"1\"}";
    private static final String WORD = "{\"word\":\"hello, world\"}";

    /** Stands for the id of the task. */
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

    /** Calls for a text of so many thousand characters. */
    static Step text(int thousands) {
        return call("text", "{\"size\":" + thousands * 1000 + "}", "", "\"xxxx");
    }

    /** Calls a tool, and takes a task for it. */
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

    /** Listens to a task. */
    static Step listen() {
        return new Step("subscriptions/listen", "", "\"notifications\":{\"taskIds\":[\"" + TASK + "\"]}", "");
    }

    /** Whether a task comes of it, which the steps behind it are about. */
    boolean creates() {
        return expected.equals("\"taskId\"");
    }

    Step about(String task) {
        return new Step(method, name.replace(TASK, task), params.replace(TASK, task), expected);
    }

    /** What is behind the id in the message. */
    String message(Era era) {
        var meta = ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" + era.version()
                + "\",\"io.modelcontextprotocol/clientInfo\":" + CLIENT
                + ",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{},\"extensions\":"
                + "{\"io.modelcontextprotocol/tasks\":{}}}}";
        var all = era == Era.SESSION ? params : params + meta;
        return "\"method\":\"" + method + "\",\"params\":{" + all + "}";
    }
}
