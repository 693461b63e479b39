// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import tools.jackson.databind.JsonNode;

/** One item of a message to or from the client's model. Immutable. */
public sealed interface SamplingContent {

    /**
     * A text, a picture or sound.
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
     * The model requests the use of a tool of the question (2025-11-25 and later).
     *
     * @param id    the id of this use
     * @param name  the name of the tool
     * @param input the arguments, an object
     */
    record ToolUseContent(String id, String name, JsonNode input) implements SamplingContent {}

    /**
     * The outcome of the use of a tool.
     *
     * @param toolUseId the id of the use
     * @param result    the result of the tool
     */
    record ToolResultContent(String toolUseId, ToolResult result) implements SamplingContent {}

    /** A text. */
    static SamplingContent text(String text) {
        return new Item(Content.text(text));
    }
}
