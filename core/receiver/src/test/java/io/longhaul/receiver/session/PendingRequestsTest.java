// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import org.junit.jupiter.api.Test;

/** Requests of the server that wait for the response of one client. */
class PendingRequestsTest {

    private static final RequestId ID = new RequestId.Number(1);
    private static final JsonRpcMessage RESPONSE = new JsonRpcMessage.Result(ID, Json.EMPTY_OBJECT);

    private final PendingRequests pending = new PendingRequests();

    @Test
    void a_response_goes_to_the_request_of_its_id_once() {
        var response = pending.expect(ID);
        assertThat(pending.complete(new RequestId.Number(2), RESPONSE)).isFalse();
        assertThat(pending.complete(new RequestId.Text("1"), RESPONSE)).isFalse();
        assertThat(response).isNotDone();
        assertThat(pending.complete(ID, RESPONSE)).isTrue();
        assertThat(response).isCompletedWithValue(RESPONSE);
        assertThat(pending.complete(ID, RESPONSE)).isFalse();
    }

    @Test
    void a_request_that_was_forgotten_takes_no_response() {
        var response = pending.expect(ID);
        pending.forget(ID);
        assertThat(pending.complete(ID, RESPONSE)).isFalse();
        assertThat(response).isNotDone();
    }

    @Test
    void no_request_waits_when_no_response_can_come_any_more() {
        var before = pending.expect(ID);
        pending.close();
        assertThat(before).isCancelled();
        assertThat(pending.expect(ID)).isCancelled();
    }
}
