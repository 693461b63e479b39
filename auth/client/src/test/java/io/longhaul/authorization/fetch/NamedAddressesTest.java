// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.authorization.fetch.NamedAddresses.Place;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No server has its client ask what only the client can reach. */
class NamedAddressesTest {

    private static final Map<String, List<String>> HOSTS = Map.of(
            "public.example", List.of("192.0.2.1", "2001:db8::1"),
            "private.example", List.of("10.1.2.3"),
            "mixed.example", List.of("192.0.2.1", "10.1.2.3"),
            "rebound.example", List.of("192.0.2.1", "127.0.0.1"),
            "localhost", List.of("127.0.0.1", "::1"));

    private static List<InetAddress> addresses(String host) throws UnknownHostException {
        var all = new ArrayList<InetAddress>();
        var known = HOSTS.getOrDefault(host, host.matches("[0-9.]+|\\[.*") ? List.of(host) : List.of());
        for (var address : known) {
            all.add(InetAddress.getByName(address));
        }
        if (all.isEmpty()) {
            throw new UnknownHostException(host);
        }
        return all;
    }

    private static NamedAddresses by(String server) throws Exception {
        return NamedAddresses.by(URI.create(server), NamedAddressesTest::addresses);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, MACHINE",
        "127.9.9.9, MACHINE",
        "::1, MACHINE",
        "::ffff:127.0.0.1, MACHINE",
        "10.0.0.1, PRIVATE",
        "172.16.0.1, PRIVATE",
        "192.168.0.1, PRIVATE",
        "100.64.0.1, PRIVATE",
        "100.127.255.255, PRIVATE",
        "0.1.2.3, PRIVATE",
        "fd00::1, PRIVATE",
        "fc00::1, PRIVATE",
        "100.63.0.1, PUBLIC",
        "100.128.0.1, PUBLIC",
        "172.32.0.1, PUBLIC",
        "8.8.8.8, PUBLIC",
        "2001:4860::1, PUBLIC",
        "fe00::1, PUBLIC",
        "169.254.169.254, NEVER",
        "fe80::1, NEVER",
        "0.0.0.0, NEVER",
        "::, NEVER",
        "224.0.0.1, NEVER",
    })
    void each_address_has_its_place(String address, Place place) throws Exception {
        assertThat(NamedAddresses.place(InetAddress.getByName(address))).isEqualTo(place);
    }

    @ParameterizedTest
    @CsvSource({
        "https://public.example/mcp, https://public.example/a",
        "https://private.example/mcp, https://private.example/a",
        "https://private.example/mcp, https://public.example/a",
        "https://localhost/mcp, https://private.example/a",
        "http://localhost:1/mcp, http://localhost:2/a",
        "http://127.0.0.1:1/mcp, http://[::1]:2/a",
        "http://localhost:1/mcp, https://public.example/a",
    })
    void a_server_may_name_what_is_no_nearer_than_itself(String server, String named) throws Exception {
        assertThat(by(server).check(URI.create(named))).isEqualTo(URI.create(named));
    }

    @ParameterizedTest
    @CsvSource({
        "https://public.example/mcp, https://private.example/a",
        "https://public.example/mcp, https://mixed.example/a",
        "https://public.example/mcp, https://rebound.example/a",
        "https://public.example/mcp, https://localhost/a",
        "https://public.example/mcp, http://localhost/a",
        "https://public.example/mcp, https://169.254.169.254/a",
        "https://public.example/mcp, https://[fd00::1]/a",
        "https://mixed.example/mcp, https://private.example/a",
        "https://private.example/mcp, https://localhost/a",
        "https://localhost/mcp, https://169.254.169.254/a",
        "https://169.254.169.254/mcp, https://169.254.169.254/a",
    })
    void a_server_may_name_nothing_nearer(String server, String named) {
        assertThatThrownBy(() -> by(server).check(URI.create(named))).hasMessageContaining("nearer");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://public.example/a",
                "ftp://localhost/a",
                "file:///etc/passwd",
                "javascript:alert(1)",
                "http://user:word@localhost/a",
                "https://public.example/a#b",
                "https://unknown.example/a",
                "/a"
            })
    void other_addresses_are_never_asked(String named) {
        assertThatThrownBy(() -> by("http://localhost/mcp").check(URI.create(named)))
                .isInstanceOf(UnusableAddressException.class);
    }

    @Test
    void a_token_goes_to_no_server_in_the_clear_but_on_this_machine() throws Exception {
        assertThat(by("http://localhost/mcp").server()).isEqualTo(Place.MACHINE);
        assertThatThrownBy(() -> by("http://private.example/mcp")).hasMessageContaining("in the clear");
        assertThatThrownBy(() -> by("http://rebound.example/mcp")).hasMessageContaining("in the clear");
    }
}
