// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.FakeServer;
import io.longhaul.requestor.RequestorSettings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a session is agreed on, used and renewed. */
@Timeout(30)
class CurrentSessionTest {

    private final AtomicInteger handshakes = new AtomicInteger();
    private final CountDownLatch second = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final FakeServer server = new FakeServer().on("initialize", this::initialized);
    private final RequestorSettings settings = FakeServer.settings();
    private final Connector connector = new Connector(() -> server, settings);
    private final VersionNegotiation negotiation = new VersionNegotiation(connector, settings);

    private ServerSession first;
    private CurrentSession session;

    @BeforeEach
    void agree() throws TransportException {
        first = negotiation.agree(ClientDialects.newestHandshake());
        session = new CurrentSession(connector, negotiation, first, agreed -> {});
    }

    /** The second handshake is answered only when the test says so. */
    private FakeServer.Response initialized() {
        var handshake = handshakes.incrementAndGet();
        if (handshake == 2) {
            second.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return FakeServer.Response.initialized("2025-11-25", String.valueOf(handshake));
    }

    private CompletableFuture<ServerSession> renewal() {
        var renewed = new CompletableFuture<ServerSession>();
        Thread.ofVirtual().start(() -> {
            try {
                renewed.complete(session.renew(first, first.dialect()));
            } catch (TransportException e) {
                renewed.completeExceptionally(e);
            }
        });
        return renewed;
    }

    @Test
    void a_handshake_holds_up_nobody_who_only_reads_the_session_and_serves_all_who_need_the_new_one() throws Exception {
        var renewed = renewal();
        second.await();
        assertThat(session.get()).isSameAs(first);
        assertThat(session.ready()).isSameAs(first);
        var other = renewal();
        release.countDown();
        assertThat(renewed.get().hello().version()).isEqualTo("2");
        assertThat(other.get()).isSameAs(renewed.get());
        assertThat(session.get()).isSameAs(renewed.get());
        assertThat(handshakes).hasValue(2);
    }

    @Test
    void one_who_waits_for_a_handshake_of_another_can_be_interrupted() throws Exception {
        var renewed = renewal();
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
}
