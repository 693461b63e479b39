// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The answer of the client's model to a {@link CreateMessageRequest}.
 *
 * @param content    the items of the answer
 * @param model      the name of the model
 * @param stopReason why the answer ended, such as {@code endTurn}, {@code maxTokens} or {@code toolUse}; null for
 *                   unspecified
 */
public record CreateMessageResult(
        List<SamplingContent> content,
        String model,
        @Nullable String stopReason) {

    /** The text of the answer; empty where the answer has no text. */
    public String text() {
        return content.stream()
                .filter(SamplingContent.Item.class::isInstance)
                .map(item -> ((SamplingContent.Item) item).content())
                .filter(Content.Text.class::isInstance)
                .map(text -> ((Content.Text) text).text())
                .collect(Collectors.joining());
    }

    /** The tool uses that the model asks for. */
    public List<SamplingContent.ToolUseContent> toolUses() {
        return content.stream()
                .filter(SamplingContent.ToolUseContent.class::isInstance)
                .map(SamplingContent.ToolUseContent.class::cast)
                .toList();
    }
}
