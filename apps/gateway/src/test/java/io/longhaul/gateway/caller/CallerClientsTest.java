// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gateway.caller.CallerClients.Caller;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CallerClientsTest {

    private static final Caller ADA = new Caller(Principal.named("ada"), Set.of("read"));
    private static final Caller BOB = new Caller(Principal.named("bob"), Set.of("read"));

    private Instant now = Instant.EPOCH;
    private final CallerClients clients = new CallerClients(() -> now, 2);

    private CallerClient of(Caller caller) {
        return clients.acquire(
                caller,
                () -> new CallerClient(
                        "tests",
                        RequestAuthorizer.NONE,
                        access -> {
                            throw new IllegalStateException("no test connects");
                        },
                        null));
    }

    @Test
    void a_caller_has_a_client_of_its_own_for_each_of_its_sets_of_scopes() {
        var ada = of(ADA);
        assertThat(of(ADA)).isSameAs(ada);
        assertThat(of(BOB)).isNotSameAs(ada);
        assertThat(of(new Caller(ADA.principal(), Set.of("read", "write")))).isNotSameAs(ada);
    }

    @Test
    void a_client_that_no_call_uses_is_closed_after_ten_minutes() {
        var used = of(ADA);
        clients.release(of(BOB));
        now = now.plus(Duration.ofMinutes(11));
        clients.closeIdle();
        assertThat(clients.count()).isOne();
        assertThat(of(ADA)).isSameAs(used);
    }

    @Test
    void of_too_many_clients_the_one_that_was_unused_for_longest_is_closed() {
        var ada = of(ADA);
        clients.release(ada);
        clients.release(of(BOB));
        clients.release(of(new Caller(Principal.named("cyd"), Set.of())));
        assertThat(clients.count()).isEqualTo(2);
        assertThat(of(ADA)).isNotSameAs(ada);
    }
}
