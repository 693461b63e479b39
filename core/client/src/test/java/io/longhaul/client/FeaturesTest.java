// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.HANDSHAKE;
import static io.longhaul.client.Scripts.STATELESS;
import static io.longhaul.client.Scripts.script;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.protocol.json.Json;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Resources, prompts, completion, roots and signs of life of a scripted server. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class FeaturesTest {

    private static final String FORM = "{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"form\","
            + "\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}";

    private final TestTime time = new TestTime();

    private McpClient client(String... parts) {
        return Scripts.over(script(parts), time).connect();
    }

    @ParameterizedTest
    @ValueSource(strings = {STATELESS, HANDSHAKE})
    void resources_are_listed_page_by_page_with_what_the_server_says_of_them(String hello) {
        try (var client = client(hello, """
                -> resources/list
                <- {"resources":[{"uri":"file:///a","name":"a","title":"A","description":"The a",\
                "mimeType":"text/plain","size":7,"more":1},{"name":"no address"}],"nextCursor":""}
                -> resources/list {"cursor":""}
                <- {"resources":[{"uri":"file:///b","name":"b","size":-0.5}]}
                """)) {
            var listed = client.resources().list();
            assertThat(listed.getFirst())
                    .isEqualTo(new ListedResource(
                            "file:///a",
                            "a",
                            "A",
                            "The a",
                            "text/plain",
                            listed.getFirst().definition()));
            assertThat(listed.getFirst().definition().toString()).contains("\"more\":1");
            assertThat(listed.getLast())
                    .isEqualTo(new ListedResource(
                            "file:///b", "b", null, null, null, listed.getLast().definition()));
            assertThat(listed).extracting(ListedResource::size).containsExactly(7L, null);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {STATELESS, HANDSHAKE})
    void templates_and_prompts_are_listed_with_what_they_take(String hello) {
        try (var client = client(hello, """
                -> resources/templates/list
                <- {"resourceTemplates":[{"uriTemplate":"db://{id}","name":"row","mimeType":"text/csv"}]}
                -> prompts/list
                <- {"prompts":[{"name":"sell","title":"Sell","arguments":[{"name":"what","description":"Which",\
                "required":true},{"name":"tone"}]}]}
                """)) {
            var template = client.resources().templates().getFirst();
            assertThat(template)
                    .isEqualTo(new ListedTemplate("db://{id}", "row", null, null, "text/csv", template.definition()));
            var prompt = client.prompts().list().getFirst();
            assertThat(prompt.title()).isEqualTo("Sell");
            assertThat(prompt.arguments())
                    .containsExactly(
                            new ListedPrompt.Argument("what", "Which", true),
                            new ListedPrompt.Argument("tone", null, false));
        }
    }

    @Test
    void what_is_read_or_got_is_named_in_a_header_of_2026_07_28() {
        try (var client = client(STATELESS, """
                -> resources/read {"uri":"note://é"}
                -h Mcp-Method: resources/read
                -h Mcp-Name: =?base64?bm90ZTovL8Op?=
                <- {"resultType":"complete","contents":[{"uri":"note://é","text":"hi"},\
                {"uri":"note://2","mimeType":"image/png","blob":"AQI="}]}
                -> prompts/get {"name":"sell","arguments":{"what":"shoe"}}
                -h Mcp-Name: sell
                <- {"resultType":"complete","description":"D","messages":[{"role":"user",\
                "content":{"type":"text","text":"Sell it"}}]}
                """)) {
            var parts = client.resources().read("note://é");
            assertThat(parts.getFirst()).isEqualTo(new ResourcePart.Text("note://é", null, "hi"));
            assertThat(parts.getLast()).isEqualTo(new ResourcePart.Bytes("note://2", "image/png", "AQI="));
            assertThat(((ResourcePart.Bytes) parts.getLast()).bytes()).containsExactly(1, 2);
            var filled = client.prompts().get("sell", Map.of("what", "shoe"));
            assertThat(filled)
                    .isEqualTo(new FilledPrompt(
                            "D",
                            List.of(new FilledPrompt.Message(
                                    "user", Json.raw("{\"type\":\"text\",\"text\":\"Sell it\"}")))));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"contents\":[{\"uri\":\"a:b\"}]}",
                "{\"contents\":[{\"uri\":\"a:b\",\"blob\":\"%%\"}]}",
                "{\"contents\":{}}",
                "{}"
            })
    void a_resource_that_holds_nothing_readable_is_an_unusable_answer(String result) {
        try (var client = client(HANDSHAKE, "-> resources/read\n<- " + result)) {
            assertThatThrownBy(() -> client.resources().read("a:b")).isInstanceOf(UnusableAnswerException.class);
        }
    }

    @Test
    void what_the_server_asks_before_a_prompt_or_a_resource_is_answered_and_the_request_made_again() {
        var script = script(STATELESS, """
                -> prompts/get {"name":"greet"}
                <- {"resultType":"input_required","inputRequests":{"who":%s},"requestState":"s1"}
                -> prompts/get {"name":"greet","requestState":"s1",\
                "inputResponses":{"who":{"action":"accept","content":{"name":"Ada"}}}}
                <- {"resultType":"complete","messages":[]}
                -> resources/read {"uri":"a:b"}
                <- {"resultType":"input_required","requestState":"s2"}
                -> resources/read {"uri":"a:b","requestState":"s2"}
                <- {"resultType":"complete","contents":[]}
                """.formatted(FORM));
        var answers = QuestionHandler.NONE.forms(form -> new Reply.Accepted(Json.raw("{\"name\":\"Ada\"}")));
        try (var client = Scripts.over(script, time).answers(answers).connect()) {
            assertThat(client.prompts().get("greet", Map.of()).messages()).isEmpty();
            assertThat(client.resources().read("a:b")).isEmpty();
        }
    }

    @Test
    void a_question_that_nobody_answers_and_questions_without_an_end_are_told() {
        var needed = "<- {\"resultType\":\"input_required\",\"requestState\":\"s\",\"inputRequests\":{\"who\":" + FORM
                + "}}\n";
        try (var client = client(STATELESS, "-> prompts/get\n" + needed)) {
            assertThatThrownBy(() -> client.prompts().get("greet", Map.of()))
                    .isInstanceOf(UnusableAnswerException.class)
                    .hasMessageContaining("cannot answer");
        }
        var script = script(STATELESS, "->* prompts/get\n" + needed);
        var answers = QuestionHandler.NONE.forms(form -> new Reply.Declined());
        try (var client = Scripts.over(script, time).answers(answers).connect()) {
            assertThatThrownBy(() -> client.prompts().get("greet", Map.of()))
                    .isInstanceOf(UnusableAnswerException.class)
                    .hasMessageContaining("without an end");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {STATELESS, HANDSHAKE})
    void what_could_be_filled_in_is_asked_with_what_was_given(String hello) {
        try (var client = client(hello, """
                -> completion/complete {"ref":{"type":"ref/prompt","name":"sell"},\
                "argument":{"name":"what","value":"sh"},"context":{"arguments":{"tone":"dry"}}}
                <- {"completion":{"values":["shirt","shoe"],"hasMore":true}}
                -> completion/complete {"ref":{"type":"ref/resource","uri":"db://{id}"},\
                "argument":{"name":"id","value":""}}
                <- {"completion":{"values":["1"],"total":1}}
                """)) {
            assertThat(client.prompts().complete("sell", "what", "sh", Map.of("tone", "dry")))
                    .isEqualTo(new Suggestions(List.of("shirt", "shoe"), 3));
            assertThat(client.resources().complete("db://{id}", "id", "", Map.of()))
                    .isEqualTo(new Suggestions(List.of("1"), 1));
        }
    }

    @Test
    void a_server_without_such_things_refuses() {
        try (var client = client(HANDSHAKE, "-> prompts/list\n<! -32601 Unknown")) {
            assertThatThrownBy(() -> client.prompts().list()).isInstanceOf(RefusedException.class);
        }
    }

    /** A list that its server declares, and the method that the server does not know. */
    enum Declared {
        RESOURCES("resources", "resources/list", client -> client.resources().list()),
        TEMPLATES(
                "resources",
                "resources/templates/list",
                client -> client.resources().templates()),
        PROMPTS("prompts", "prompts/list", client -> client.prompts().list());

        private final String feature;
        private final String method;
        private final Function<McpClient, List<?>> list;

        Declared(String feature, String method, Function<McpClient, List<?>> list) {
            this.feature = feature;
            this.method = method;
            this.list = list;
        }

        private String in(String hello) {
            return hello.replace("\"tools\":{}", "\"tools\":{},\"" + feature + "\":{}");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_list_of_a_declared_feature_that_the_server_does_not_know_is_empty(Declared declared) {
        for (var hello : List.of(STATELESS, HANDSHAKE)) {
            try (var client = client(declared.in(hello), "-> " + declared.method + "\n<! -32601 Unknown")) {
                assertThat(declared.list.apply(client)).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_list_that_the_server_refuses_for_another_reason_is_refused(Declared declared) {
        try (var client = client(declared.in(HANDSHAKE), "-> " + declared.method + "\n<! -32603 Broken")) {
            assertThatThrownBy(() -> declared.list.apply(client)).isInstanceOf(RefusedException.class);
        }
    }

    @Test
    void a_sign_of_life_is_a_ping_or_in_2026_07_28_what_the_server_is() {
        try (var client = client(HANDSHAKE, "-> ping\n<- {}")) {
            assertThat(client.ping()).isZero();
        }
        try (var client = client(STATELESS, "-> server/discover\n<- {\"resultType\":\"complete\"}")) {
            assertThat(client.ping()).isZero();
        }
    }

    @Test
    void changed_folders_are_told_where_they_were_declared_so() throws Exception {
        var folders = QuestionHandler.NONE.roots(List::of);
        var session = script(HANDSHAKE, "-> notifications/roots/list_changed\n<= 202");
        try (var client = Scripts.over(session, time).answers(folders).connect()) {
            client.rootsChanged();
        }
        assertThat(session.count("{\"params\":{\"capabilities\":{\"roots\":{\"listChanged\":true}}}}"))
                .isEqualTo(1);
        try (var client = Scripts.over(script(STATELESS), time).answers(folders).connect()) {
            client.rootsChanged();
        }
    }
}
