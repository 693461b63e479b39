// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A prompt that a server lists. All texts come from the server and are not to be trusted on a terminal.
 *
 * @param name        for {@link RemotePrompts#get}
 * @param title       for people, or null
 * @param description or null
 * @param arguments   that the prompt takes, in the server's order
 * @param definition  the whole prompt as the server listed it
 */
public record ListedPrompt(
        String name, @Nullable String title, @Nullable String description, List<Argument> arguments, Json definition) {

    public ListedPrompt {
        arguments = List.copyOf(arguments);
    }

    /**
     * An argument of a prompt.
     *
     * @param description or null
     */
    public record Argument(String name, @Nullable String description, boolean required) {}
}
