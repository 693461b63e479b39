// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A prompt whose arguments are filled in. Nothing in it is to be trusted on a terminal.
 *
 * @param description or null
 * @param messages    for a model, in their order
 */
public record FilledPrompt(@Nullable String description, List<Message> messages) {

    public FilledPrompt {
        messages = List.copyOf(messages);
    }

    /**
     * One message.
     *
     * @param role    {@code user} or {@code assistant}
     * @param content one item of content as the server sent it, such as {@code {"type":"text","text":"…"}}
     */
    public record Message(String role, Json content) {}
}
