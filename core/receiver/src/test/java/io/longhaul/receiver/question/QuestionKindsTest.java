// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.ClientProfile.SamplingExtras;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.tool.RpcException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which capability each kind of question needs, and what a good answer looks like. */
class QuestionKindsTest {

    private static final String FORM = "{'message':'Who?','requestedSchema':"
            + "{'type':'object','properties':{'n':{'type':'integer'}},'required':['n']}}";
    private static final String URL = "{'mode':'url','message':'Sign in'}";
    private static final Capabilities ALL = capabilities("form url sampling roots tools context");

    static Stream<Arguments> needs() {
        return Stream.of(
                Arguments.of(question("elicitation/create", FORM), "form"),
                Arguments.of(question("elicitation/create", URL), "url"),
                Arguments.of(question("elicitation/create", "{'mode':7}"), "form"),
                Arguments.of(question("sampling/createMessage", "{}"), "sampling"),
                Arguments.of(question("sampling/createMessage", "{'includeContext':'none'}"), "sampling"),
                Arguments.of(question("sampling/createMessage", "{'includeContext':'thisServer'}"), "sampling context"),
                Arguments.of(question("sampling/createMessage", "{'tools':[]}"), "sampling tools"),
                Arguments.of(question("sampling/createMessage", "{'toolChoice':{}}"), "sampling tools"),
                Arguments.of(question("roots/list", "{}"), "roots"));
    }

    @ParameterizedTest
    @MethodSource("needs")
    void a_question_needs_the_capabilities_of_its_kind(Question question, String needed) {
        assertThat(QuestionKinds.missing(question, Capabilities.NONE)).isEqualTo(capabilities(needed));
        assertThat(QuestionKinds.missing(question, ALL)).isNull();
        assertThat(QuestionKinds.missing(question, capabilities(needed))).isNull();
    }

    @Test
    void only_what_a_client_lacks_is_missing() {
        var question = question("sampling/createMessage", "{'tools':[],'includeContext':'allServers'}");
        assertThat(QuestionKinds.missing(question, capabilities("sampling tools")))
                .isEqualTo(capabilities("context"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            quoteCharacter = '"',
            value = {
                "elicitation/create | 7 | must be an object",
                "elicitation/create | {} | answer.action is required",
                "elicitation/create | {'action':'perhaps'} | action must be accept, decline or cancel",
                "elicitation/create | {'action':'decline'} | -",
                "elicitation/create | {'action':'cancel'} | -",
                "elicitation/create | {'action':'accept'} | answer.content is required",
                "elicitation/create | {'action':'accept','content':{'n':1}} | -",
                "elicitation/create | {'action':'accept','content':{'n':'x'}} | content:",
                "sampling/createMessage | {'role':'assistant','model':'m','content':{}} | -",
                "sampling/createMessage | {'role':'assistant','model':'m'} | content is missing",
                "sampling/createMessage | {'model':'m','content':{}} | answer.role is required",
                "sampling/createMessage | {'role':'assistant','content':{}} | answer.model is required",
                "roots/list | {'roots':[]} | -",
                "roots/list | {'roots':[{'uri':'file:///a'}]} | -",
                "roots/list | {'roots':[{'uri':'file:///a'},{'uri':'https://a'}]} | each uri must be a file:// URI",
                "roots/list | {'roots':{}} | roots must be an array",
                "roots/list | {} | roots must be an array",
                "other/method | {} | -"
            })
    void an_answer_is_good_or_its_sender_is_told_why_not(String method, String answer, @Nullable String problem) {
        var found = QuestionKinds.problem(question(method, FORM), json(answer));
        if (problem == null) {
            assertThat(found).isEmpty();
        } else {
            assertThat(found).hasValueSatisfying(text -> assertThat(text).contains(problem));
        }
    }

    @Test
    void an_answer_at_an_address_has_no_content() {
        assertThat(QuestionKinds.problem(question("elicitation/create", URL), json("{'action':'accept'}")))
                .isEmpty();
    }

    @Test
    void of_several_responses_the_first_bad_one_is_named_and_those_to_other_questions_are_passed_over() {
        Map<String, Question> questions = new LinkedHashMap<>();
        questions.put("a", question("elicitation/create", FORM));
        questions.put("b", question("roots/list", "{}"));
        assertThat(QuestionKinds.problem(questions, Map.of("c", json("7")))).isEmpty();
        assertThat(QuestionKinds.problem(questions, Map.of("a", json("{'action':'cancel'}"), "b", json("{}"))))
                .contains("inputResponses.b: roots must be an array");
    }

    @Test
    void a_call_that_asks_what_its_caller_did_not_declare_ends_with_an_error_in_the_callers_words() {
        var question = List.of(question("roots/list", "{}"));
        assertThatThrownBy(() -> new Asking(Capabilities.NONE, true).check(question, RpcException::new))
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.error().code()).isEqualTo(RpcError.INVALID_PARAMS));
        assertThatThrownBy(() -> new Asking(Capabilities.NONE, false).check(question, RpcException::new))
                .isInstanceOfSatisfying(RpcException.class, e -> {
                    assertThat(e.error().code()).isEqualTo(RpcError.MISSING_CLIENT_CAPABILITY);
                    assertThat(e.error().data()).hasToString("{\"requiredCapabilities\":{\"roots\":{}}}");
                });
        new Asking(ALL, true).check(question, RpcException::new);
    }

    @Test
    void a_stored_answer_is_the_result_or_the_error_that_came_instead() {
        assertThat(StoredAnswer.error(StoredAnswer.ofResult(json("{'action':'cancel'}"))))
                .isEmpty();
        assertThat(StoredAnswer.error(StoredAnswer.ofError(new RpcError(-1, "no"))))
                .contains(new RpcError(-1, "no"));
    }

    private static Question question(String method, String params) {
        return new Question(method, json(params));
    }

    private static Json json(String text) {
        return Json.raw(text.replace('\'', '"'));
    }

    private static Capabilities capabilities(String words) {
        var all = List.of(words.split(" "));
        return new Capabilities(
                all.contains("form"),
                all.contains("url"),
                all.contains("sampling"),
                all.contains("roots"),
                false,
                new SamplingExtras(all.contains("tools"), all.contains("context")));
    }
}
