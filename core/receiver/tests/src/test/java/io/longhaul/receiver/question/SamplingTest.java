// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.CreateMessageResult;
import io.longhaul.server.ModelPreferences;
import io.longhaul.server.ModelTool;
import io.longhaul.server.SamplingContent;
import io.longhaul.server.SamplingContent.ToolResultContent;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolResult;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Questions to the client's model. */
class SamplingTest {

    record City(String city) {}

    private static final String TOOLS = "{\"sampling\":{\"tools\":{}}}";
    private static final String CALL = Served.call("weather", "{}");

    private final CreateMessageRequest question = new CreateMessageRequest("Is it warm in Paris?", 100)
            .withSystemPrompt("Be brief.")
            .withTools(
                    CreateMessageRequest.ToolChoice.REQUIRED,
                    ModelTool.of("weather", "Says how warm it is", City.class))
            .withModelPreferences(ModelPreferences.of("small"));
    private final Tool weather = Tool.define("weather").description("Asks").handler((none, task) -> {
        var wish = task.sample(question);
        var outcomes = wish.toolUses().stream()
                .map(use -> new ToolResultContent(
                        use.id(), ToolResult.text(use.input().path("city").asString() + ": 30")))
                .toList();
        return task.sample(question.and(wish, outcomes)).text();
    });

    @AutoClose
    private final Served served = Served.with(weather);

    @Test
    void a_model_uses_tools_of_the_question_until_it_has_its_answer() {
        var client = served.handshake("2025-11-25", TOOLS);
        var reply = client.send("tools/call", CALL);
        var first = Served.json(reply.nextMessage());
        assertThat(first.path("params").path("toolChoice").path("mode").asString())
                .isEqualTo("required");
        client.answer(first, """
                {"role":"assistant","model":"m","stopReason":"toolUse","content":[\
                {"type":"tool_use","id":"u1","name":"weather","input":{"city":"Paris"}}]}""").status();
        var second = Served.json(reply.nextMessage());
        assertThat(second.path("params").path("messages")).isEqualTo(Served.json("""
                [{"role":"user","content":{"type":"text","text":"Is it warm in Paris?"}},
                {"role":"assistant","content":{"type":"tool_use","id":"u1","name":"weather","input":{"city":"Paris"}}},
                {"role":"user","content":{"type":"tool_result","toolUseId":"u1",
                "content":[{"type":"text","text":"Paris: 30"}]}}]"""));
        assertThat(second.path("params").has("includeContext")).isFalse();
        client.answer(
                        second,
                        "{\"role\":\"assistant\",\"model\":\"m\","
                                + "\"content\":{\"type\":\"text\",\"text\":\"Yes\"}}")
                .status();
        assertThat(Served.resultText(reply)).isEqualTo("Yes");
    }

    @Test
    void tools_are_only_offered_to_a_client_that_declares_them() {
        var error =
                served.stateless("{\"sampling\":{}}").ask("tools/call", CALL).path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32021);
        assertThat(error.path("data")).isEqualTo(Served.json("""
                {"requiredCapabilities":{"sampling":{"tools":{}}}}"""));
    }

    @Test
    void every_tool_use_is_followed_by_its_outcome() {
        var wish = new CreateMessageResult(
                List.of(new SamplingContent.ToolUseContent("u1", "weather", Served.json("{}"))), "m", "toolUse");
        assertThatThrownBy(() -> question.and(wish, List.of())).hasMessageContaining("u1");
        assertThatThrownBy(() -> question.and(wish, List.of(new ToolResultContent("u2", ToolResult.EMPTY))))
                .hasMessageContaining("u2");
    }
}
