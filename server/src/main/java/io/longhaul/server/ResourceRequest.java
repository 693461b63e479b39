package io.longhaul.server;

import java.util.Map;

/**
 * Which resource is read.
 *
 * @param uri       as the client gave it
 * @param variables of the template that it matches, decoded; none for a resource of its own. A value can hold any
 *                  character, such as {@code /} or {@code ..}: it is not to be trusted as a path
 */
public record ResourceRequest(String uri, Map<String, String> variables) {

    public ResourceRequest {
        variables = Map.copyOf(variables);
    }

    /**
     * The value of a variable.
     *
     * @throws IllegalArgumentException where the URI has none of that name
     */
    public String variable(String name) {
        String value = variables.get(name);
        if (value == null) {
            throw new IllegalArgumentException("'" + uri + "' has no variable '" + name + "'");
        }
        return value;
    }
}
