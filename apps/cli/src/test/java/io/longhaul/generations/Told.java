// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import tools.jackson.databind.JsonNode;

/**
 * How a client was told that a call had ended.
 *
 * @param status  in the words of its generation; empty where that has none
 * @param outcome what came in the end: see {@link #outcome}
 */
record Told(String status, String outcome) {

    static final String NO_RESPONSE = "no response";
    static final String NOT_FOUND = "-32602 \"Task not found: it does not exist, or its retention is over\"";
    static final String NOTHING = "nothing more";

    /** What a response says, in one line: its error, or the text of its result. */
    static String outcome(JsonNode response) {
        return response.has("error") ? error(response) : result(response.path("result"));
    }

    static String error(JsonNode response) {
        var error = response.path("error");
        return error.path("code").asInt() + " \"" + error.path("message").asString() + "\"";
    }

    static String result(JsonNode result) {
        String text = result.path("content").path(0).path("text").asString();
        return (result.path("isError").asBoolean(false) ? "`isError` " : "") + "\"" + text + "\"";
    }

    /** @param progress with its number, its total and its message */
    static String progress(JsonNode progress) {
        return progress.path("progress").asInt() + "/" + progress.path("total").asInt() + " \""
                + progress.path("message").asString() + "\"";
    }

    @Override
    public String toString() {
        return status.isEmpty() ? outcome : "`" + status + "`, " + outcome;
    }
}
