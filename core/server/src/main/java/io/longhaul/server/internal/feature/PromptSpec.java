// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.feature;

import io.longhaul.protocol.json.Json;
import io.longhaul.server.ArgumentCompleter;
import io.longhaul.server.ForwardHandler;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A prompt as its author has defined it. Immutable.
 *
 * @param definition the prompt as lists contain it, an object
 * @param scopes     that its callers need
 * @param handler    gives the whole result of a request for the prompt
 */
public record PromptSpec(
        String name,
        Json definition,
        List<Argument> arguments,
        Set<String> scopes,
        ForwardHandler<Map<String, String>> handler) {

    /**
     * One argument of a prompt.
     *
     * @param description what the argument is for, or null
     * @param completer   completes values of the argument; null for none
     */
    public record Argument(
            String name,
            @Nullable String description,
            boolean required,
            @Nullable ArgumentCompleter completer) {}

    public PromptSpec {
        arguments = List.copyOf(arguments);
    }
}
