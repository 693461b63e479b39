// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.FakeServer;
import io.longhaul.requestor.FakeServer.Response;
import io.longhaul.requestor.RequestorSettings;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which generation is spoken with a server, and how that is found out. */
@Timeout(30)
class VersionNegotiationTest {

    private final FakeServer server = new FakeServer();
    private final RequestorSettings settings = FakeServer.settings();
    private final Connector connector = new Connector(() -> server, settings);
    private final VersionNegotiation negotiation = new VersionNegotiation(connector, settings);

    private Generation detected() throws Exception {
        return negotiation.detect().dialect().generation();
    }

    private TransportException.Kind failed() {
        return catchThrowableOfType(TransportException.class, negotiation::detect)
                .kind();
    }

    @Test
    void a_server_of_the_newest_generation_is_asked_once_and_opens_no_session() throws Exception {
        server.on("server/discover", Response.discovered("2025-11-25", "2026-07-28"));
        assertThat(detected()).isEqualTo(Generation.V2026_07_28);
        assertThat(server.asked()).containsExactly("server/discover");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 405, 410})
    void a_server_that_rejects_the_newest_request_as_such_is_an_older_one(int status) throws Exception {
        server.on("server/discover", Response.status(status)).on("initialize", Response.initialized("2025-11-25"));
        assertThat(detected()).isEqualTo(Generation.V2025_11_25);
        assertThat(server.asked()).containsExactly("server/discover", "initialize");
    }

    @ParameterizedTest
    @CsvSource({
        "401, UNSUPPORTED",
        "403, UNSUPPORTED",
        "429, UNREACHABLE",
        "500, UNREACHABLE",
        "503, UNREACHABLE",
        "302, UNUSABLE"
    })
    void a_server_that_rejects_the_newest_request_for_another_reason_is_asked_no_more(
            int status, TransportException.Kind kind) {
        server.on("server/discover", Response.status(status)).on("initialize", Response.initialized("2025-11-25"));
        assertThat(failed()).isEqualTo(kind);
        assertThat(server.asked()).containsExactly("server/discover");
    }

    @Test
    void a_server_that_opens_another_version_than_was_asked_for_is_spoken_to_in_that() throws Exception {
        server.on("initialize", Response.initialized("2025-03-26"));
        assertThat(detected()).isEqualTo(Generation.V2025_03_26);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2099-01-01", "2026-07-28"})
    void a_version_that_no_client_speaks_in_sessions_opens_none(String version) {
        server.on("initialize", Response.initialized(version));
        assertThat(failed()).isEqualTo(TransportException.Kind.UNSUPPORTED);
    }

    @Test
    void a_server_that_fails_to_begin_a_session_may_begin_one_later() {
        server.on("initialize", Response.error(RpcError.INTERNAL_ERROR, "no disk"));
        assertThat(failed()).isEqualTo(TransportException.Kind.UNREACHABLE);
    }

    @Test
    void an_older_version_is_preferred_to_the_newest_that_was_refused() throws Exception {
        server.on("server/discover", Response.supportsOnly("2026-07-28", "2025-06-18"))
                .on("initialize", Response.initialized("2025-06-18"));
        assertThat(detected()).isEqualTo(Generation.V2025_06_18);
        assertThat(server.asked()).containsExactly("server/discover", "initialize");
    }

    @Test
    void a_server_that_is_discovered_to_speak_older_versions_alone_is_asked_for_the_newest_of_them() throws Exception {
        server.on("server/discover", Response.discovered("2024-11-05", "2025-06-18"))
                .on("initialize", Response.initialized("2025-06-18"));
        assertThat(detected()).isEqualTo(Generation.V2025_06_18);
        assertThat(server.messages("initialize")).singleElement().asString().contains("2025-06-18");
    }

    @Test
    void a_server_that_refuses_the_version_which_it_names_is_not_asked_for_ever() {
        server.on("server/discover", Response.supportsOnly("2026-07-28"));
        assertThat(failed()).isEqualTo(TransportException.Kind.UNSUPPORTED);
        assertThat(server.count("server/discover")).isEqualTo(2);
    }

    @Test
    void a_server_whose_two_generations_name_each_other_is_not_asked_for_ever() {
        server.on("server/discover", Response.discovered("2025-11-25"))
                .on("initialize", Response.supportsOnly("2026-07-28"));
        assertThat(failed()).isEqualTo(TransportException.Kind.UNSUPPORTED);
        assertThat(server.asked()).containsExactly("server/discover", "initialize", "server/discover");
    }

    @Test
    void a_server_that_names_no_version_is_asked_for_none() {
        server.on("server/discover", Response.supportsOnly()).on("initialize", Response.initialized("2025-11-25"));
        assertThatThrownBy(negotiation::detect)
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("Unsupported (-32022)");
        assertThat(server.asked()).containsExactly("server/discover");
    }

    @Test
    void a_draft_is_never_chosen_because_a_server_names_its_version() {
        server.on("server/discover", Response.supportsOnly("next")).on("initialize", Response.initialized("next"));
        assertThat(failed()).isEqualTo(TransportException.Kind.UNSUPPORTED);
        assertThat(server.asked()).containsExactly("server/discover");
    }

    @Test
    void each_version_that_a_handshake_is_told_of_is_tried_once() throws Exception {
        server.on(
                "initialize",
                Response.supportsOnly("2025-11-25", "2025-06-18"),
                Response.supportsOnly("2025-11-25", "2024-11-05"),
                Response.initialized("2024-11-05"));
        assertThat(negotiation.agree(ClientDialects.newestHandshake()).dialect().generation())
                .isEqualTo(Generation.V2024_11_05);
        assertThat(server.messages("initialize"))
                .extracting(message -> JsonTree.read(Json.raw(message))
                        .at("/params/protocolVersion")
                        .asString())
                .containsExactly("2025-11-25", "2025-06-18", "2024-11-05");
    }

    @Test
    void a_client_of_one_generation_asks_once_more_where_a_refusal_names_just_that() throws Exception {
        var strict = new VersionNegotiation(connector, settings.only(Generation.V2026_07_28));
        var refusal = Response.supportsOnly("2026-07-28");
        server.on("server/discover", refusal, Response.discovered("2026-07-28"));
        assertThat(strict.detect().dialect().generation()).isEqualTo(Generation.V2026_07_28);
        server.on("server/discover", refusal);
        assertThatThrownBy(strict::detect).isInstanceOf(TransportException.class);
        assertThat(server.count("server/discover")).isEqualTo(4);
    }

    @Test
    void a_client_of_one_generation_asks_in_that_alone_and_takes_no_other() {
        var strict = new VersionNegotiation(connector, settings.only(Generation.V2025_06_18));
        server.on("initialize", Response.initialized("2025-11-25"));
        assertThatThrownBy(strict::detect)
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("2025-11-25");
        assertThat(server.asked()).containsExactly("initialize");
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
