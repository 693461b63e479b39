// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import io.longhaul.server.internal.schema.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A prompt that a server can offer. {@link #define} starts its definition. Immutable. */
public final class Prompt {

    final String name;
    final Json definition;
    final List<PromptArgument> arguments;
    final Set<String> scopes;
    final Passing<Map<String, String>> source;

    Prompt(
            String name,
            Json definition,
            List<PromptArgument> arguments,
            Set<String> scopes,
            Passing<Map<String, String>> source) {
        this.name = name;
        this.definition = definition;
        this.arguments = List.copyOf(arguments);
        this.scopes = scopes;
        this.source = source;
    }

    /** Starts the definition of a prompt, at first without arguments. */
    public static PromptDefinition define(String name) {
        return new PromptDefinition(name);
    }

    /**
     * A prompt that another server lists.
     *
     * @param name       the name of the prompt at this server
     * @param definition the prompt as the other server lists it, an object
     * @param way        gives the whole result of a request for the prompt
     * @param completers gives the completer of an argument by its name; gives null for none
     */
    public static Prompt listed(
            String name,
            Json definition,
            Passing<Map<String, String>> way,
            Function<String, @Nullable ArgumentCompleter> completers) {
        var listed = (ObjectNode) Values.tree(definition);
        var arguments = new ArrayList<PromptArgument>();
        for (var argument : listed.path("arguments")) {
            var called = argument.path("name").asString("");
            boolean isRequired = argument.path("required").asBoolean(false);
            arguments.add(new PromptArgument(called, null, null, isRequired, completers.apply(called)));
        }
        return new Prompt(name, Values.json(listed.put("name", name)), arguments, Set.of(), way);
    }

    public String name() {
        return name;
    }
}
