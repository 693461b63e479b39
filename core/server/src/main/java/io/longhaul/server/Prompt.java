// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import io.longhaul.server.internal.feature.PromptSpec;
import io.longhaul.server.internal.schema.Values;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A prompt that a server can offer. {@link #define} starts its definition. Immutable. */
public final class Prompt {

    final PromptSpec spec;

    Prompt(PromptSpec spec) {
        this.spec = spec;
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
            ForwardHandler<Map<String, String>> way,
            Function<String, @Nullable ArgumentCompleter> completers) {
        var listed = (ObjectNode) Values.tree(definition);
        var arguments = new ArrayList<PromptSpec.Argument>();
        for (var argument : listed.path("arguments")) {
            var called = argument.path("name").asString("");
            boolean isRequired = argument.path("required").asBoolean(false);
            arguments.add(new PromptSpec.Argument(called, null, isRequired, completers.apply(called)));
        }
        return new Prompt(new PromptSpec(name, Values.json(listed.put("name", name)), arguments, Set.of(), way));
    }

    public String name() {
        return spec.name();
    }
}
