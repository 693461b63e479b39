// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What the client's model answered to a {@link CreateMessageRequest}.
 *
 * @param content    its items
 * @param model      which one it was
 * @param stopReason such as {@code endTurn}, {@code maxTokens} or {@code toolUse}; null where it is not told
 */
public record CreateMessageResult(
        List<SamplingContent> content,
        String model,
        @Nullable String stopReason) {

    /** What it said; empty where it answered with something else than text. */
    public String text() {
        return content.stream()
                .filter(SamplingContent.Item.class::isInstance)
                .map(item -> ((SamplingContent.Item) item).content())
                .filter(Content.Text.class::isInstance)
                .map(text -> ((Content.Text) text).text())
                .collect(Collectors.joining());
    }

    /** The tools that it wants to be used. */
    public List<SamplingContent.ToolUseContent> toolUses() {
        return content.stream()
                .filter(SamplingContent.ToolUseContent.class::isInstance)
                .map(SamplingContent.ToolUseContent.class::cast)
                .toList();
    }

    static CreateMessageResult of(JsonNode answer) {
        String stop = answer.path("stopReason").asString("");
        return new CreateMessageResult(
                SamplingForm.read(answer.path("content")),
                answer.path("model").asString(""),
                stop.isEmpty() ? null : stop);
    }
}
