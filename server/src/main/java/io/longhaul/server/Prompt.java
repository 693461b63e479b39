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

/** A prompt ready to be served. Made by {@link #define}. Immutable. */
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

    /** Starts the definition of a prompt that takes no arguments until it is told which. */
    public static PromptDefinition define(String name) {
        return new PromptDefinition(name);
    }

    /**
     * A prompt that another server lists.
     *
     * @param name       by which it is got here
     * @param definition as it was listed, an object
     * @param way        fills it in, and gives the whole result
     * @param completers knows what an argument could be, by its name; or has null where that is not known
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
