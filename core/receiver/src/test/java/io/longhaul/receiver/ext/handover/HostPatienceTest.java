// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.KnownHosts;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.receiver.request.InboundRequest;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long hosts are held, by what was seen of them. */
class HostPatienceTest {

    private static final Duration USUAL = PlainHosts.DEFAULT.hold();

    private final ReceiverParts parts = new ReceiverParts();
    private final HostPatience hosts = new HostPatience(parts.context);
    private final InboundRequest request = request("1", ReceiverParts.ANN);
    private final InboundRequest other = request("1", ReceiverParts.BOB);

    @AfterEach
    void close() {
        parts.close();
    }

    private InboundRequest request(String version, Principal principal) {
        var session = ReceiverParts.session("s", principal);
        session.client(Json.raw("{\"name\":\"host\",\"version\":\"" + version + "\"}"));
        return parts.request(session, "plain-2025-06-18", 1);
    }

    private Duration hold(HostPatience by, InboundRequest of) {
        return Duration.between(parts.time.now(), by.until(of, null, false));
    }

    private void heardAfter(int seconds) {
        hosts.heard(request, parts.time.now().minusSeconds(seconds));
        hosts.heard(other, parts.time.now().minusSeconds(seconds));
    }

    private void gaveUpAfter(int seconds) {
        hosts.gaveUp(request, parts.time.now().minusSeconds(seconds));
        hosts.gaveUp(other, parts.time.now().minusSeconds(seconds));
    }

    @Test
    void what_one_client_teaches_holds_for_its_session_alone_until_a_second_client_teaches_it() {
        var third = request("1", new Principal("eve", Principal.Kind.AUTHORIZED));
        hosts.gaveUp(request, parts.time.now().minusSeconds(20));
        hosts.gaveUp(request, parts.time.now().minusSeconds(16));
        assertThat(hold(hosts, request)).hasSeconds(12);
        assertThat(hold(hosts, other)).isEqualTo(USUAL);
        assertThat(hold(hosts, request("1", ReceiverParts.ANN)))
                .as("another session of the same user")
                .isEqualTo(USUAL);
        hosts.gaveUp(other, parts.time.now().minusSeconds(40));
        assertThat(hold(hosts, other)).hasSeconds(30);
        assertThat(hold(hosts, third)).as("the longer of both").hasSeconds(30);
        assertThat(hold(hosts, request)).hasSeconds(12);
    }

    @Test
    void a_late_answer_that_one_client_took_lets_no_other_wait_longer() {
        hosts.heard(request, parts.time.now().minusSeconds(100));
        assertThat(hold(hosts, request)).hasSeconds(100);
        assertThat(hold(hosts, other)).isEqualTo(USUAL);
    }

    @Test
    void what_was_learned_fades_within_a_week_unless_it_is_seen_again() {
        gaveUpAfter(40);
        parts.time.advance(KnownHosts.KEPT.minusMillis(1));
        assertThat(hold(hosts, request)).hasSeconds(30);
        gaveUpAfter(40);
        parts.time.advance(KnownHosts.KEPT.minusMillis(1));
        assertThat(hold(hosts, request("1", ReceiverParts.ANN))).hasSeconds(30);
        parts.time.advance(Duration.ofMillis(1));
        assertThat(hold(hosts, request)).isEqualTo(USUAL);
        assertThat(hold(hosts, request("1", ReceiverParts.ANN))).isEqualTo(USUAL);
        assertThat(hold(new HostPatience(parts.context), request("1", ReceiverParts.ANN)))
                .isEqualTo(USUAL);
    }

    @Test
    void a_user_whose_requests_have_no_session_teaches_for_that_user_alone() {
        hosts.gaveUp(stateless(ReceiverParts.ANN), parts.time.now().minusSeconds(20));
        assertThat(hold(hosts, stateless(ReceiverParts.ANN))).hasSeconds(15);
        assertThat(hold(hosts, stateless(ReceiverParts.BOB))).isEqualTo(USUAL);
    }

    private InboundRequest stateless(Principal principal) {
        return parts.request(principal);
    }

    @Test
    void a_host_that_took_an_answer_after_its_limit_is_held_as_long_next_time() {
        assertThat(hold(hosts, request)).isEqualTo(USUAL);
        heardAfter(100);
        assertThat(hold(hosts, request)).hasSeconds(100);
        heardAfter(60);
        assertThat(hold(hosts, request)).hasSeconds(100);
    }

    @Test
    void a_host_that_gave_up_is_held_for_three_quarters_of_the_shortest_such_time() {
        gaveUpAfter(40);
        assertThat(hold(hosts, request)).hasSeconds(30);
        gaveUpAfter(60);
        assertThat(hold(hosts, request)).hasSeconds(30);
        gaveUpAfter(20);
        assertThat(hold(hosts, request)).hasSeconds(15);
        gaveUpAfter(1);
        assertThat(hold(hosts, request)).as("the shortest of all").hasSeconds(5);
    }

    @Test
    void a_host_that_gives_up_earlier_than_it_took_an_answer_before_is_held_by_the_earlier_time() {
        heardAfter(100);
        gaveUpAfter(80);
        assertThat(hold(hosts, request))
                .as("three quarters are more than usual")
                .isEqualTo(USUAL);
        heardAfter(50);
        assertThat(hold(hosts, request)).hasSeconds(50);
    }

    @Test
    void what_was_learned_is_stored_and_read_at_the_next_start() {
        heardAfter(100);
        assertThat(hold(new HostPatience(parts.context), request("1", ReceiverParts.ANN)))
                .hasSeconds(100);
        gaveUpAfter(120);
        var next = new HostPatience(parts.context);
        assertThat(hold(next, request)).hasSeconds(90);
        assertThat(next.isAboutLimit(request, parts.time.now().minusSeconds(121)))
                .isTrue();
    }

    @Test
    void each_version_of_a_host_is_known_by_itself_and_strangers_teach_nothing() {
        heardAfter(100);
        assertThat(hold(hosts, request("2", ReceiverParts.ANN))).isEqualTo(USUAL);
        var stranger = request("3", Principal.ANONYMOUS);
        hosts.heard(stranger, parts.time.now().minusSeconds(100));
        hosts.gaveUp(stranger, parts.time.now().minusSeconds(10));
        assertThat(hold(hosts, stranger)).isEqualTo(USUAL);
    }
}
