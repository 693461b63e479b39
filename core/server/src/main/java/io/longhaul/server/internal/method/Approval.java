// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.method;

import io.longhaul.server.Form;
import io.longhaul.server.annotation.McpApprove;
import io.longhaul.server.internal.schema.Values;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The question of a {@link McpApprove} annotation: {@code {name}} in it stands for an argument of the call. */
record Approval(String message) {

    private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");

    /**
     * @param schema of the arguments
     * @throws IllegalArgumentException where the question is empty, or names no argument
     */
    static Approval of(McpApprove marked, String schema) {
        var known = Values.parse(schema).path("properties");
        PLACE.matcher(marked.value()).results().map(place -> place.group(1)).forEach(name -> {
            if (!known.has(name)) {
                throw new IllegalArgumentException("the question of @McpApprove names {" + name
                        + "}, which is no argument: its arguments are " + known.propertyNames());
            }
        });
        return new Approval(Form.of(marked.value()).request().message());
    }

    /** @param arguments of the call, with their defaults */
    String of(JsonNode arguments) {
        return PLACE.matcher(message).replaceAll(place -> {
            var value = arguments.path(place.group(1));
            return Matcher.quoteReplacement(value.isContainer() ? value.toString() : value.asString(""));
        });
    }
}
