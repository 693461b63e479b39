package io.longhaul.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.HttpAnswer;
import io.longhaul.protocol.transport.Principal;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How many messages of one caller are taken in a second. */
class RateLimitedTest {

    private static final Principal ALICE = new Principal("alice", Principal.Kind.AUTHORIZED);
    private static final Principal BOB = new Principal("bob", Principal.Kind.AUTHORIZED);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final RateLimited limited = new RateLimited(Script.ECHO, 10, now::get);

    /** One request, and what it was answered. */
    private record Asked(Principal principal, Optional<String> remoteAddress, CompletableFuture<HttpAnswer> answered)
            implements Exchange {

        @Override
        public void answer(HttpAnswer given) {
            answered.complete(given);
        }

        @Override
        public EventStream stream(Map<String, String> headers) {
            throw new AssertionError("no stream is wanted");
        }
    }

    private HttpAnswer ask(Principal principal, String address) {
        return ask(principal, address, Json.EMPTY_OBJECT.bytes());
    }

    private HttpAnswer ask(Principal principal, String address, byte[] message) {
        var asked = new Asked(principal, Optional.of(address), new CompletableFuture<>());
        limited.accept(message, asked).run();
        assertThat(asked.answered()).isCompleted();
        return asked.answered().join();
    }

    @Test
    void a_second_s_worth_is_taken_at_once_and_then_no_more_than_the_rate() {
        for (int i = 0; i < 10; i++) {
            assertThat(ask(ALICE, "a").status()).isEqualTo(200);
        }
        var refused = ask(ALICE, "a");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.headers()).containsEntry("Retry-After", "1");
        now.addAndGet(100_000_000);
        assertThat(ask(ALICE, "a").status()).isEqualTo(200);
        assertThat(ask(ALICE, "a").status()).isEqualTo(429);
    }

    @Test
    void one_caller_uses_up_nothing_of_another() {
        for (int i = 0; i < 20; i++) {
            ask(ALICE, "a");
            ask(Principal.ANONYMOUS, "a");
        }
        assertThat(ask(ALICE, "b").status()).isEqualTo(429);
        assertThat(ask(BOB, "a").status()).isEqualTo(200);
        assertThat(ask(Principal.ANONYMOUS, "a").status()).isEqualTo(429);
        assertThat(ask(Principal.ANONYMOUS, "b").status()).isEqualTo(200);
    }

    @Test
    void each_message_of_a_batch_counts_and_no_batch_is_too_large_for_ever() {
        var four = "[1,2,3,4]".getBytes(StandardCharsets.UTF_8);
        assertThat(ask(ALICE, "a", four).status()).isEqualTo(200);
        assertThat(ask(ALICE, "a", four).status()).isEqualTo(200);
        assertThat(ask(ALICE, "a", four).status()).isEqualTo(429);
        var twenty = ("[" + "1,".repeat(19) + "1]").getBytes(StandardCharsets.UTF_8);
        assertThat(ask(BOB, "b", twenty).status()).isEqualTo(200);
        now.addAndGet(1_000_000_000);
        assertThat(ask(BOB, "b").status()).isEqualTo(429);
        now.addAndGet(100_000_000);
        assertThat(ask(BOB, "b").status()).isEqualTo(200);
    }

    @Test
    void a_rate_is_a_number_that_can_be_meant() {
        assertThatThrownBy(() -> Http.onPort(0).requestsPerSecond(0)).hasMessageContaining("not 0");
    }
}
