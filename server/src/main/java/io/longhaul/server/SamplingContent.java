// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import tools.jackson.databind.JsonNode;

/** One item of a message to or from the client's model. Immutable. */
public sealed interface SamplingContent {

    /**
     * What is said or shown.
     *
     * @param content a text, a picture or sound
     */
    record Item(Content content) implements SamplingContent {
        public Item {
            if (content instanceof Content.ResourceLink || content instanceof Content.EmbeddedResource) {
                throw new IllegalArgumentException("a model is shown texts, pictures and sound: put the resource's"
                        + " text into a text instead of " + content);
            }
        }
    }

    /**
     * The model wants a tool of the question to be used (2025-11-25 and later).
     *
     * @param id    names this use
     * @param name  of the tool
     * @param input its arguments, an object
     */
    record ToolUseContent(String id, String name, JsonNode input) implements SamplingContent {}

    /**
     * What came of using a tool.
     *
     * @param toolUseId of the use
     * @param result    what the tool gave
     */
    record ToolResultContent(String toolUseId, ToolResult result) implements SamplingContent {}

    /** What is said. */
    static SamplingContent text(String text) {
        return new Item(Content.text(text));
    }
}
