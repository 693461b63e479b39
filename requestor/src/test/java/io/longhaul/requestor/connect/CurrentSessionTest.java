package io.longhaul.requestor.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.TransportException;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.HandTime;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.Timeouts;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a session is agreed on, used and renewed. */
@Timeout(30)
class CurrentSessionTest {

    private final AtomicInteger handshakes = new AtomicInteger();
    private final CountDownLatch second = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final RequestorSettings settings =
            new RequestorSettings(Json.EMPTY_OBJECT, new Nobody(), Timeouts.DEFAULT, new HandTime(), Optional.empty());
    private final Connector connector = new Connector(() -> new ScriptedTransport(this::answer), settings);
    private final VersionNegotiation negotiation = new VersionNegotiation(connector, settings);

    /** Answers nothing. */
    private static final class Nobody implements Answerer {
        @Override
        public Capabilities capabilities() {
            return new Capabilities(false, false, false, false, false);
        }

        @Override
        public Given answer(Answer.Question question) {
            return new Given.Cannot(new RpcError(RpcError.METHOD_NOT_FOUND, "not here"));
        }
    }

    /** The second handshake is answered only when the test says so. */
    private @Nullable String answer(String message) {
        if (!message.contains("\"initialize\"")) {
            return null;
        }
        if (handshakes.incrementAndGet() == 2) {
            second.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        var id = message.replaceAll(".*\"id\":([0-9]+).*", "$1");
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"protocolVersion\":\"2025-11-25\","
                + "\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"" + handshakes + "\"}}}";
    }

    private CompletableFuture<ServerSession> renewal(CurrentSession session, ServerSession old) {
        var renewed = new CompletableFuture<ServerSession>();
        Thread.ofVirtual().start(() -> {
            try {
                renewed.complete(session.renew(old, old.dialect()));
            } catch (TransportException | ConnectException e) {
                renewed.completeExceptionally(e);
            }
        });
        return renewed;
    }

    @Test
    void a_handshake_holds_up_nobody_who_only_reads_the_session_and_serves_all_who_need_the_new_one() throws Exception {
        var first = negotiation.agree(ClientDialects.newestHandshake());
        var session = new CurrentSession(connector, negotiation, first, agreed -> {});
        var renewed = renewal(session, first);
        second.await();
        assertThat(session.get()).isSameAs(first);
        assertThat(session.ready()).isSameAs(first);
        var other = renewal(session, first);
        release.countDown();
        assertThat(renewed.get().hello().version()).isEqualTo("2");
        assertThat(other.get()).isSameAs(renewed.get());
        assertThat(session.get()).isSameAs(renewed.get());
        assertThat(handshakes).hasValue(2);
    }

    @Test
    void one_who_waits_for_a_handshake_of_another_can_be_interrupted() throws Exception {
        var first = negotiation.agree(ClientDialects.newestHandshake());
        var session = new CurrentSession(connector, negotiation, first, agreed -> {});
        var renewed = renewal(session, first);
        second.await();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> session.renew(first, first.dialect())).isInstanceOf(TransportException.class);
        assertThat(Thread.interrupted()).isTrue();
        release.countDown();
        assertThat(renewed.get().hello().version()).isEqualTo("2");
    }

    @Test
    void a_closed_connector_opens_no_connection_any_more() {
        connector.close();
        assertThatThrownBy(() -> negotiation.agree(ClientDialects.newestHandshake()))
                .isInstanceOf(TransportException.class)
                .hasMessage("The client is closed.");
    }

    private static RpcError refusesAllBut(String... versions) {
        var supported = "[\"" + String.join("\",\"", versions) + "\"]";
        return new RpcError(RpcError.UNSUPPORTED_PROTOCOL_VERSION, "no", Json.raw("{\"supported\":" + supported + "}"));
    }

    private static Optional<Generation> next(VersionNegotiation negotiation, RpcError error) {
        return negotiation.another(error).map(ClientDialect::generation);
    }

    @Test
    void the_newest_version_that_a_refusal_names_and_the_client_speaks_is_next() {
        assertThat(next(negotiation, refusesAllBut("2024-11-05", "2025-06-18", "2099-01-01")))
                .contains(Generation.V2025_06_18);
        assertThat(next(negotiation, refusesAllBut("2099-01-01"))).isEmpty();
        assertThat(next(negotiation, new RpcError(RpcError.INVALID_PARAMS, "no")))
                .isEmpty();
    }

    @Test
    void a_client_that_may_speak_one_version_only_takes_no_other() {
        var strict = new VersionNegotiation(connector, settings.only(Generation.V2025_11_25));
        assertThat(next(strict, refusesAllBut("2025-06-18"))).isEmpty();
        assertThat(next(strict, refusesAllBut("2025-06-18", "2025-11-25"))).contains(Generation.V2025_11_25);
    }
}
