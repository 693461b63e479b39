// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.rpc.RpcError;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an HTTP status says of an exchange. */
class ExchangeResultTest {

    private static final Duration A_WHILE = Duration.ofSeconds(30);
    private static final RpcError ERROR = new RpcError(-32600, "no such session");

    @ParameterizedTest
    @ValueSource(ints = {200, 202, 204})
    void a_success_is_accepted(int status) {
        assertThat(ExchangeResult.ofStatus(status, true, null)).isInstanceOf(ExchangeResult.Accepted.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 429, 500, 502, 503, 504, 520, 524, 529})
    void a_server_that_is_busy_or_fails_is_told_apart_from_one_that_refuses(int status) {
        assertThat(ExchangeResult.ofStatus(status, true, A_WHILE)).isEqualTo(new ExchangeResult.Busy(status, A_WHILE));
    }

    @Test
    void not_found_means_an_unknown_session_only_where_the_message_named_one() {
        assertThat(ExchangeResult.ofStatus(404, true, null)).isEqualTo(new ExchangeResult.UnknownSession(null));
        assertThat(ExchangeResult.ofStatus(404, false, null)).isEqualTo(new ExchangeResult.Rejected(404));
        assertThat(ExchangeResult.ofError(ERROR, 404, true)).isEqualTo(new ExchangeResult.UnknownSession(ERROR));
        assertThat(ExchangeResult.ofError(ERROR, 404, false)).isEqualTo(new ExchangeResult.Failure(ERROR));
        assertThat(ExchangeResult.ofError(ERROR, 400, true)).isEqualTo(new ExchangeResult.Failure(ERROR));
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 400, 401, 403, 405, 501, 505})
    void any_other_status_is_a_rejection(int status) {
        assertThat(ExchangeResult.ofStatus(status, true, null)).isEqualTo(new ExchangeResult.Rejected(status));
    }
}
