// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transcripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every method of every version is in its transcripts, with a good answer and a refusal of each request. */
class MethodsTest {

    /** What went wrong with no request of it in any version. */
    private static final Set<String> NEVER_REFUSED = Set.of("ping");

    static List<Methods> versions() {
        return Methods.all();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void every_method_of_a_version_is_in_its_transcripts_or_is_left_out_for_a_reason(Methods version) {
        var missing = new TreeSet<String>();
        Stream.concat(version.asked().stream(), version.told().stream())
                .map(method -> "> " + method)
                .forEach(missing::add);
        Stream.concat(version.asks().stream(), version.tells().stream())
                .map(method -> "< " + method)
                .forEach(missing::add);
        sections(version).flatMap(List::stream).forEach(said -> missing.removeAll(methods(said)));
        assertThat(missing).isEqualTo(version.left().keySet());
    }

    @ParameterizedTest
    @MethodSource("versions")
    void every_request_of_a_version_is_answered_and_refused(Methods version) {
        var missing = new TreeSet<String>();
        version.asked().forEach(method -> {
            missing.add(method + " result");
            if (!NEVER_REFUSED.contains(method)) {
                missing.add(method + " error");
            }
        });
        sections(version).forEach(section -> missing.removeAll(outcomes(section)));
        assertThat(missing).isEmpty();
    }

    /** "The `resultType` field ... MUST be set to `task`" in the answer to a creation, and nowhere else. */
    @Test
    void every_result_of_2026_07_28_has_a_type_and_only_a_call_is_answered_with_a_task() {
        var typed = new TreeSet<String>();
        newest().forEach(section -> typed.addAll(resultTypes(section)));
        assertThat(typed).contains("tools/call task", "tools/call complete", "tools/call input_required");
        assertThat(typed).contains("tasks/get complete", "tasks/update complete", "tasks/cancel complete");
        assertThat(typed).filteredOn(type -> type.endsWith(" task")).containsExactly("tools/call task");
        assertThat(typed).allMatch(type -> type.matches("\\S+ (task|complete|input_required)"));
    }

    @Test
    void every_result_of_2026_07_28_names_the_server() {
        newest().forEach(section -> answers(section, (method, answer) -> {
            if (answer.has("result")) {
                var meta = answer.path("result").path("_meta");
                assertThat(meta.has("io.modelcontextprotocol/serverInfo"))
                        .as(answer.toString())
                        .isTrue();
            }
        }));
    }

    @Test
    void every_list_and_discovery_of_2026_07_28_says_how_long_it_may_be_kept_and_for_whom() {
        var kept = new TreeSet<String>();
        newest().forEach(section -> answers(section, (method, answer) -> {
            if (answer.has("result") && method.matches("server/discover|[a-z/]+/list")) {
                kept.add(method);
                assertThat(answer.path("result").path("ttlMs").isNumber()).isTrue();
                assertThat(answer.path("result").path("cacheScope").asString()).isIn("public", "private");
            }
        }));
        assertThat(kept)
                .containsExactly(
                        "prompts/list", "resources/list", "resources/templates/list", "server/discover", "tools/list");
    }

    @Test
    void every_notification_on_a_subscription_of_2026_07_28_names_that_subscription() {
        var tagged = new TreeSet<String>();
        newest().forEach(section -> {
            var subscriptions = section.stream()
                    .filter(Said::byClient)
                    .map(Said::message)
                    .filter(message -> message.path("method").asString("").equals("subscriptions/listen"))
                    .map(message -> message.path("id"))
                    .toList();
            section.stream()
                    .filter(said -> !said.byClient())
                    .map(Said::message)
                    .filter(message -> message.path("method")
                            .asString("")
                            .matches("notifications/(subscriptions/.*|.*/list_changed|resources/updated|tasks)"))
                    .forEach(message -> {
                        tagged.add(message.path("method").asString());
                        assertThat(subscriptions)
                                .as(message.toString())
                                .contains(message.path("params")
                                        .path("_meta")
                                        .path("io.modelcontextprotocol/subscriptionId"));
                    });
        });
        assertThat(tagged).hasSize(6);
    }

    /** "MUST NOT emit undefined codes" of the range that JSON-RPC reserves; what an author throws is the author's. */
    @ParameterizedTest
    @MethodSource("versions")
    void every_code_of_the_reserved_range_is_one_that_the_version_defines(Methods version) {
        var defined = version.version().equals("2026-07-28")
                ? Set.of(-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022)
                : Set.of(-32700, -32600, -32601, -32602, -32603, -32002, -32042, -32022);
        var codes = new TreeSet<Integer>();
        sections(version)
                .flatMap(List::stream)
                .filter(said -> !said.byClient())
                .map(said -> said.message().path("error"))
                .filter(error ->
                        error.has("code") && !error.path("message").asString("").equals("out of paper"))
                .forEach(error -> codes.add(error.path("code").asInt()));
        assertThat(codes)
                .contains(-32602)
                .filteredOn(code -> code >= -32768 && code <= -32000)
                .isSubsetOf(defined);
    }

    private static Stream<List<Said>> newest() {
        return Methods.all().stream()
                .filter(version -> version.version().equals("2026-07-28"))
                .flatMap(MethodsTest::sections);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void every_message_of_a_server_is_one_of_json_rpc(Methods version) {
        assertThat(ofServers(version)).isNotEmpty().allSatisfy(message -> {
            assertThat(message.path("jsonrpc").asString()).isEqualTo("2.0");
            boolean isResult = message.has("result");
            boolean isError = message.has("error");
            boolean hasMethod = message.path("method").isString();
            assertThat(Stream.of(isResult, isError, hasMethod).filter(Boolean::booleanValue))
                    .hasSize(1);
            assertThat(hasMethod || message.has("id")).isTrue();
            assertThat(!isError || message.path("error").path("code").isIntegralNumber())
                    .isTrue();
            assertThat(!isError || message.path("error").path("message").isString())
                    .isTrue();
        });
    }

    /** Bare keys of {@code _meta} are those that the protocol and SEP-1003 name. */
    @ParameterizedTest
    @MethodSource("versions")
    void every_key_of_meta_that_a_server_writes_has_a_prefix_or_is_of_the_protocol(Methods version) {
        var keys = ofServers(version)
                .flatMap(message -> message.findValues("_meta").stream())
                .flatMap(meta -> meta.propertyNames().stream())
                .collect(Collectors.toSet());
        assertThat(keys)
                .allMatch(key -> Set.of("progressToken", "nextResumeToken").contains(key)
                        || key.startsWith("io.modelcontextprotocol/")
                        || key.startsWith("modelcontextprotocol.io/")
                        || key.startsWith("io.longhaul/"));
    }

    @ParameterizedTest
    @MethodSource("versions")
    void every_server_declares_that_it_logs(Methods version) {
        var declared = new ArrayList<JsonNode>();
        sections(version)
                .forEach(section -> answers(section, (method, answer) -> {
                    if (answer.has("result") && method.matches("initialize|server/discover")) {
                        declared.add(answer.path("result").path("capabilities"));
                    }
                }));
        assertThat(declared).isNotEmpty().allMatch(capabilities -> capabilities.has("logging"));
    }

    private static Stream<JsonNode> ofServers(Methods version) {
        return sections(version)
                .flatMap(List::stream)
                .filter(said -> !said.byClient())
                .map(Said::message);
    }

    /** "MUST only be sent in response to" a call or a join of {@code tools/async}. */
    @Test
    void only_a_call_or_a_join_is_answered_with_whether_it_was_accepted() {
        var accepted = new TreeSet<String>();
        Methods.all().stream()
                .flatMap(MethodsTest::sections)
                .forEach(section -> answers(section, (method, answer) -> {
                    if (answer.path("result").has("accepted")) {
                        accepted.add(method);
                    }
                }));
        assertThat(accepted).containsExactly("tools/async/call", "tools/async/join");
    }

    /** A message with its direction. */
    private record Said(boolean byClient, JsonNode message) {}

    private static Stream<List<Said>> sections(Methods version) {
        return TranscriptFile.all().stream()
                .filter(file -> file.name().startsWith(version.version()))
                .flatMap(file -> file.sections().stream().map(section -> messages(file.script(section))));
    }

    private static List<Said> messages(List<String> lines) {
        var messages = new ArrayList<Said>();
        for (var line : lines) {
            var text = line.replaceFirst("^[a-z]*[><~] (data: )?", "")
                    .replaceAll(":(\\$[a-z]+-\\d+)([,}])", ":\"$1\"$2")
                    .replaceAll("\\$[a-z]+([,}])", "\"\":0$1");
            if (text.startsWith("{") && !line.startsWith("{")) {
                try {
                    messages.add(new Said(
                            line.matches("[a-z]*> .*"), JsonMapper.shared().readTree(text)));
                } catch (JacksonException e) {
                    // One of the messages that are none.
                }
            }
        }
        return messages;
    }

    private static List<String> methods(Said said) {
        var arrow = said.byClient() ? "> " : "< ";
        return said.message().findValuesAsString("method").stream()
                .map(method -> arrow + method)
                .toList();
    }

    private static Set<String> outcomes(List<Said> section) {
        var outcomes = new HashSet<String>();
        answers(section, (method, answer) -> outcomes.add(method + (answer.has("error") ? " error" : " result")));
        return outcomes;
    }

    private static Set<String> resultTypes(List<Said> section) {
        var types = new HashSet<String>();
        answers(section, (method, answer) -> {
            if (answer.has("result")) {
                types.add(
                        method + " " + answer.path("result").path("resultType").asString("none"));
            }
        });
        return types;
    }

    /** Gives each response of the server with the method of its request. */
    private static void answers(List<Said> section, BiConsumer<String, JsonNode> seen) {
        for (var request : section) {
            var method = request.message().path("method").asString("");
            section.stream()
                    .filter(said -> request.byClient() && !said.byClient())
                    .map(Said::message)
                    .filter(answer -> !answer.has("method")
                            && answer.path("id").equals(request.message().path("id")))
                    .forEach(answer -> seen.accept(method, answer));
        }
    }
}
