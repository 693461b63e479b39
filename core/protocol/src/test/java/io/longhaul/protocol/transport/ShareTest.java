// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whose part of a limit something counts against. */
class ShareTest {

    private static Share anonymous(String address) {
        return Share.of(Principal.ANONYMOUS, Optional.of(address), Optional.empty());
    }

    @Test
    void a_known_caller_has_one_share_wherever_it_comes_from() {
        var alice = new Principal("alice", Principal.Kind.AUTHORIZED);
        assertThat(Share.of(alice, Optional.of("192.0.2.1"), Optional.empty()))
                .isEqualTo(Share.of(alice, Optional.of("192.0.2.2"), Optional.empty()))
                .isEqualTo(new Share("alice"));
        assertThat(Share.of(Principal.LOCAL, Optional.of("127.0.0.1"), Optional.empty()))
                .isEqualTo(new Share("local"));
    }

    @Test
    void an_anonymous_caller_has_the_share_of_its_ipv4_address() {
        assertThat(anonymous("192.0.2.1")).isEqualTo(new Share("anonymous 192.0.2.1"));
        assertThat(anonymous("192.0.2.1")).isNotEqualTo(anonymous("192.0.2.2"));
        assertThat(anonymous("::ffff:192.0.2.1")).isEqualTo(anonymous("192.0.2.1"));
    }

    @Test
    void the_addresses_of_one_ipv6_network_of_64_bits_have_one_share() {
        var one = new Share("anonymous 2001:db8:1:2::/64");
        assertThat(anonymous("2001:db8:1:2:3:4:5:6")).isEqualTo(one);
        assertThat(anonymous("2001:0DB8:0001:0002::1")).isEqualTo(one);
        assertThat(anonymous("[2001:db8:1:2::]")).isEqualTo(one);
        assertThat(anonymous("2001:db8:1:3::1")).isNotEqualTo(one);
        assertThat(anonymous("2001:db8::1:2:0:0:0")).isEqualTo(new Share("anonymous 2001:db8:0:1::/64"));
        assertThat(anonymous("::1")).isEqualTo(new Share("anonymous 0:0:0:0::/64"));
        assertThat(anonymous("fe80::1%eth0")).isEqualTo(new Share("anonymous fe80:0:0:0::/64"));
    }

    @Test
    void an_anonymous_caller_without_an_address_has_the_share_of_its_connection_or_of_all_such() {
        assertThat(Share.of(Principal.ANONYMOUS, Optional.empty(), Optional.empty()))
                .isEqualTo(new Share("anonymous"));
    }
}
