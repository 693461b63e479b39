// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.StreamEvent;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.protocol.transport.client.TransportException.Kind;
import io.longhaul.requestor.HandTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request is authorized, and goes out again where the server refused it and another authorization was got. */
class AuthorizedRequestTest {

    private static final Map<String, String> OF_REQUEST = Map.of("Mcp-Session-Id", "one");

    private final List<Map<String, String>> sent = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();
    private final Tokens tokens = new Tokens();
    private final PendingRequest request = PendingRequest.withoutMessage(OF_REQUEST);

    private ServerReply answered(IntUnaryOperator status) throws TransportException {
        return new AuthorizedRequest(tokens, request, "POST", OF_REQUEST, headers -> {
                    sent.add(headers);
                    answers.add(new Answer(status.applyAsInt(sent.size())));
                    return answers.getLast();
                })
                .run();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void a_refused_request_is_sent_again_with_the_new_token_and_the_refusal_is_closed(int refusal) throws Exception {
        assertThat(answered(times -> times == 1 ? refusal : 200).status()).isEqualTo(200);
        assertThat(sent).extracting(headers -> headers.get("Authorization")).containsExactly("token 0", "token 1");
        assertThat(answers).extracting(Answer::isClosed).containsExactly(true, false);
        assertThat(tokens.methods).containsExactly("POST", "POST");
        assertThat(tokens.heard)
                .containsExactly(
                        Map.entry(refusal, Map.of("Authorization", "token 0")),
                        Map.entry(200, Map.of("Authorization", "token 1")));
        assertThat(tokens.refusals)
                .containsExactly(new RequestAuthorizer.Refusal(
                        refusal, List.of("Basic", "Bearer"), Map.of("Authorization", "token 0"), 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 202, 400, 404, 500})
    void any_other_status_needs_no_new_token(int status) throws Exception {
        assertThat(answered(times -> status).status()).isEqualTo(status);
        assertThat(tokens.refusals).isEmpty();
    }

    @Test
    void a_refusal_stands_where_there_is_no_other_authorization() throws Exception {
        tokens.last = 0;
        assertThat(answered(times -> 401).status()).isEqualTo(401);
        assertThat(sent).hasSize(1);
        assertThat(answers.getLast().isClosed()).isFalse();
    }

    @Test
    void a_server_that_refuses_each_token_is_asked_no_more_than_a_few_times() throws Exception {
        assertThat(answered(times -> 403).status()).isEqualTo(403);
        assertThat(sent).hasSize(4);
        assertThat(tokens.refusals)
                .extracting(RequestAuthorizer.Refusal::attempt)
                .containsExactly(1, 2, 3);
    }

    @Test
    void an_authorization_that_fails_ends_the_request_and_closes_the_refusal() {
        tokens.failing = true;
        assertThatThrownBy(() -> answered(times -> 401)).hasMessage("The person said no.");
        assertThat(answers.getLast().isClosed()).isTrue();
    }

    @Test
    void an_authorization_does_not_replace_the_headers_of_the_request() throws Exception {
        tokens.more = Map.of("mcp-session-id", "another");
        answered(times -> 200);
        assertThat(sent.getFirst()).containsEntry("MCP-SESSION-ID", "one").hasSize(2);
    }

    @Test
    void the_time_of_an_authorization_does_not_count_against_the_limit_of_the_request() throws Exception {
        var time = new HandTime();
        tokens.during = () -> assertThat(time.alarms()).isEmpty();
        try (var alarm = request.limit(time, Duration.ofMinutes(1), () -> {})) {
            answered(times -> {
                assertThat(time.alarms()).containsExactly(Duration.ofMinutes(1));
                return times == 1 ? 401 : 200;
            });
            assertThat(tokens.refusals).hasSize(1);
            assertThat(time.alarms()).hasSize(1);
        }
        assertThat(time.alarms()).isEmpty();
    }

    @Test
    void the_limit_of_a_request_does_not_start_anew_after_an_authorization_whoever_sets_the_clock() throws Exception {
        var time = new HandTime();
        tokens.during = () -> time.pass(Duration.ofHours(1));
        try (var alarm = request.limit(time, Duration.ofMinutes(1), () -> {})) {
            answered(times -> {
                assertThat(time.alarms()).containsExactly(Duration.ofSeconds(times == 1 ? 60 : 40));
                time.jump(Duration.ofHours(1));
                time.pass(Duration.ofSeconds(20));
                return times == 1 ? 401 : 200;
            });
        }
        assertThat(sent).hasSize(2);
    }

    @Test
    @Timeout(30)
    void an_error_of_the_sending_thread_ends_the_wait_for_the_reply() {
        assertThatThrownBy(() -> request.reply(() -> {
                    throw new LinkageError("a class is missing");
                }))
                .isInstanceOf(TransportException.class)
                .hasMessage("The request could not be sent.");
    }

    @Test
    void a_request_whose_limit_was_lifted_gets_none_by_an_authorization() throws Exception {
        var time = new HandTime();
        var alarm = request.limit(time, Duration.ofMinutes(1), () -> {});
        tokens.during = alarm::close;
        answered(times -> times == 1 ? 401 : 200);
        assertThat(time.alarms()).isEmpty();
    }

    /** Gives a new token at each refusal. */
    private static final class Tokens implements RequestAuthorizer {

        private final List<Refusal> refusals = new ArrayList<>();
        private final List<String> methods = new ArrayList<>();
        private final List<Map.Entry<Integer, Map<String, String>>> heard = new ArrayList<>();
        private Map<String, String> more = Map.of();
        private Runnable during = () -> {};
        private int last = Integer.MAX_VALUE;
        private boolean failing;

        @Override
        public Map<String, String> headers(String method) {
            during.run();
            methods.add(method);
            var all = new HashMap<>(more);
            all.put("Authorization", "token " + refusals.size());
            return all;
        }

        @Override
        public void heard(ServerReply reply, Map<String, String> sent) {
            heard.add(Map.entry(reply.status(), sent));
        }

        @Override
        public boolean renew(Refusal refusal) throws TransportException {
            during.run();
            refusals.add(refusal);
            if (failing) {
                throw new TransportException(Kind.UNSUPPORTED, "The person said no.");
            }
            return refusals.size() <= last;
        }
    }

    private static final class Answer implements ServerReply {

        private final int status;
        private boolean closed;

        Answer(int status) {
            this.status = status;
        }

        boolean isClosed() {
            return closed;
        }

        @Override
        public int status() {
            return status;
        }

        @Override
        public Optional<String> header(String name) {
            return headers(name).stream().findFirst();
        }

        @Override
        public List<String> headers(String name) {
            return name.equals("WWW-Authenticate") ? List.of("Basic", "Bearer") : List.of();
        }

        @Override
        public Optional<StreamEvent> next() {
            return Optional.empty();
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
