// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.ReceiverParts;
import org.junit.jupiter.api.Test;

/** So many things at once of each caller. */
class QuotaTest {

    private static final Share ANN = new Share("ann");

    private final Quota quota = new Quota(1);

    private final Session session = ReceiverParts.session("s", ReceiverParts.ANN);

    @Test
    void a_call_gives_its_place_back_once_right_before_it_is_answered() {
        var first = call(1);
        var second = call(2);
        assertThat(quota.acquire(ANN, first)).isTrue();
        assertThat(quota.acquire(ANN, second)).isFalse();
        session.end(second);
        assertThat(quota.acquire(ANN, call(3))).isFalse();
        session.end(first);
        session.end(first);
        assertThat(quota.acquire(ANN, call(4))).isTrue();
        assertThat(quota.acquire(ANN, call(5))).isFalse();
    }

    @Test
    void one_caller_takes_nothing_from_another() {
        var first = call(1);
        assertThat(quota.acquire(ANN, first)).isTrue();
        assertThat(quota.acquire(new Share("bob"), call(2))).isTrue();
        session.end(first);
        assertThat(quota.acquire(ANN, call(3))).isTrue();
    }

    private LiveCall call(long id) {
        return session.begin(new RequestId.Number(id), false).orElseThrow();
    }
}
