// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.question;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/**
 * Checks requests for sampling: a server must not use tools, since the client does not declare {@code sampling.tools}.
 */
final class SamplingRequestCheck {

    private SamplingRequestCheck() {}

    /** Why the request is refused, in words for the server; empty where the request is valid. */
    static Optional<String> problem(JsonNode params) {
        if (params.has("tools") || params.has("toolChoice")) {
            return Optional.of("This client did not declare sampling.tools.");
        }
        Set<String> open = Set.of();
        for (var message : params.path("messages")) {
            var content = content(message);
            var results = ids(content, "tool_result", "toolUseId");
            if (!results.isEmpty()
                    && content.stream().anyMatch(item -> !type(item).equals("tool_result"))) {
                return Optional.of("Tool results mixed with other content");
            }
            if (!results.equals(open)) {
                return Optional.of("Tool result missing in request");
            }
            open = ids(content, "tool_use", "id");
        }
        return open.isEmpty() ? Optional.empty() : Optional.of("Tool result missing in request");
    }

    private static List<JsonNode> content(JsonNode message) {
        var content = message.path("content");
        return content.isArray()
                ? StreamSupport.stream(content.spliterator(), false).toList()
                : List.of(content);
    }

    private static Set<String> ids(List<JsonNode> content, String type, String member) {
        var ids = new HashSet<String>();
        content.stream()
                .filter(item -> type(item).equals(type))
                .forEach(item -> ids.add(item.path(member).asString("")));
        return ids;
    }

    private static String type(JsonNode item) {
        return item.path("type").asString("");
    }
}
