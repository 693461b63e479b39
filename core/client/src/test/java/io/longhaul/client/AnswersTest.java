// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.client.QuestionHandler.Root;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.AnswerTaskRows;
import io.longhaul.requestor.Answerer.Given;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** What a client answers to the questions of a server, and what it refuses. */
@ExtendWith(Transcript.Played.class)
class AnswersTest {

    private static final String FORM = "\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"
            + "{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}";
    private static final String USE = "{\"role\":\"assistant\",\"content\":{\"type\":\"tool_use\",\"id\":\"u1\"}}";
    private static final String RESULT = "{\"type\":\"tool_result\",\"toolUseId\":\"u1\",\"content\":[]}";

    private final List<Json> sampled = new ArrayList<>();

    private Given ask(QuestionHandler handler, String method, String params) {
        return McpClientBuilder.translator(handler, AnswerTaskRows.NONE).answer(new Question(method, Json.raw(params)));
    }

    private static QuestionHandler fills(String content) {
        return QuestionHandler.NONE.forms(form -> new Reply.Accepted(Json.raw(content)));
    }

    private QuestionHandler samples() {
        return QuestionHandler.NONE.sampling(params -> {
            sampled.add(params);
            return Json.raw("{\"role\":\"assistant\"}");
        });
    }

    private static int code(Given given) {
        assertThat(given).isInstanceOf(Given.Cannot.class);
        return ((Given.Cannot) given).why().code();
    }

    @Test
    void a_question_without_a_mode_is_a_form() {
        assertThat(ask(fills("{\"name\":\"Ada\"}"), "elicitation/create", "{" + FORM + "}"))
                .isEqualTo(new Given.Result(Json.raw("{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}")));
    }

    @Test
    void what_does_not_fit_the_form_is_never_sent() {
        for (var unfit : List.of("{\"name\":7}", "{}")) {
            assertThat(ask(fills(unfit), "elicitation/create", "{" + FORM + "}"))
                    .isInstanceOf(Given.LeftOpen.class);
        }
    }

    @Test
    void a_mode_that_was_not_declared_is_invalid_params() {
        var url = "{\"mode\":\"url\",\"message\":\"Go\",\"url\":\"https://x.example/\",\"elicitationId\":\"e\"}";
        assertThat(code(ask(fills("{}"), "elicitation/create", url))).isEqualTo(RpcError.INVALID_PARAMS);
        var links = QuestionHandler.NONE.links(link -> new Reply.Declined());
        assertThat(code(ask(links, "elicitation/create", "{" + FORM + "}"))).isEqualTo(RpcError.INVALID_PARAMS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nothing|{}",
                "forms|{'elicitation':{'form':{}}}",
                "links|{'elicitation':{'url':{}}}",
                "forms and links|{'elicitation':{'form':{},'url':{}}}",
                "models|{'sampling':{}}",
                "folders|{'roots':{}}"
            })
    void what_has_a_handler_is_declared_and_nothing_else(String handlers, String declared) {
        var answers = switch (handlers) {
            case "forms" -> fills("{}");
            case "links" -> QuestionHandler.NONE.links(link -> new Reply.Declined());
            case "forms and links" -> fills("{}").links(link -> new Reply.Declined());
            case "models" -> samples();
            case "folders" -> QuestionHandler.NONE.roots(List::of);
            default -> QuestionHandler.NONE;
        };
        var script = new Transcript(Scripts.HANDSHAKE);
        try (var client = Scripts.over(script, new TestTime()).answers(answers).connect()) {
            assertThat(client.server().name()).isEqualTo("script");
        }
        var newest = script.received().getFirst().path("params").path("_meta");
        var session = script.received().get(1).path("params");
        var expected = declared.replace('\'', '"');
        assertThat(newest.path("io.modelcontextprotocol/clientCapabilities"))
                .isEqualTo(JsonTree.read(Json.raw(expected)));
        var capabilities = (ObjectNode) session.path("capabilities");
        assertThat(capabilities.has("tasks"))
                .isEqualTo(expected.contains("elicitation") || expected.contains("sampling"));
        assertThat(capabilities.without("tasks"))
                .isEqualTo(
                        JsonTree.read(Json.raw(expected.replace("\"roots\":{}", "\"roots\":{\"listChanged\":true}"))));
    }

    @Test
    void what_nobody_answers_is_an_unknown_method() {
        for (var method : List.of("sampling/createMessage", "roots/list", "tasks/list")) {
            assertThat(code(ask(QuestionHandler.NONE, method, "{}"))).isEqualTo(RpcError.METHOD_NOT_FOUND);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"messages\":[],\"tools\":[]}",
                "{\"messages\":[],\"toolChoice\":{\"mode\":\"auto\"}}",
                "{\"messages\":[" + USE + "]}",
                "{\"messages\":[" + USE + ",{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"x\"}}]}",
                "{\"messages\":[" + USE + ",{\"role\":\"user\",\"content\":[" + RESULT
                        + ",{\"type\":\"text\",\"text\":\"x\"}]}]}",
                "{\"messages\":[{\"role\":\"user\",\"content\":[" + RESULT + "]}]}"
            })
    void tools_that_were_not_declared_and_tool_results_out_of_place_are_invalid_params(String params) {
        assertThat(code(ask(samples(), "sampling/createMessage", params))).isEqualTo(RpcError.INVALID_PARAMS);
        assertThat(sampled).isEmpty();
    }

    @Test
    void a_conversation_with_every_tool_result_in_its_place_is_answered() {
        var params = "{\"messages\":[" + USE + ",{\"role\":\"user\",\"content\":[" + RESULT + "]}]}";
        assertThat(ask(samples(), "sampling/createMessage", params)).isInstanceOf(Given.Result.class);
    }

    @Test
    void a_root_is_a_file() {
        assertThatThrownBy(() -> new Root(URI.create("https://x.example/"), null))
                .hasMessageContaining("file:");
    }
}
