// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A prompt ready to be served. Made by {@link #define}. Immutable. */
public final class Prompt {

    final String name;
    final Json definition;
    final @Nullable String description;
    final List<PromptArgument> arguments;
    final Set<String> scopes;
    final PromptHandler handler;

    Prompt(
            String name,
            @Nullable String description,
            Json definition,
            List<PromptArgument> arguments,
            Set<String> scopes,
            PromptHandler handler) {
        this.name = name;
        this.description = description;
        this.definition = definition;
        this.arguments = List.copyOf(arguments);
        this.scopes = scopes;
        this.handler = handler;
    }

    /** Starts the definition of a prompt that takes no arguments until it is told which. */
    public static PromptDefinition define(String name) {
        return new PromptDefinition(name);
    }

    public String name() {
        return name;
    }
}
