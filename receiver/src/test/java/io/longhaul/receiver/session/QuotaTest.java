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

    @Test
    void a_call_gives_its_place_back_once_right_before_it_is_answered() {
        var session = ReceiverParts.session("s", ReceiverParts.ANN);
        var first = session.begin(new RequestId.Number(1), false).orElseThrow();
        var second = session.begin(new RequestId.Number(2), false).orElseThrow();
        assertThat(quota.acquire(ANN, first)).isTrue();
        assertThat(quota.acquire(ANN, second)).isFalse();
        session.end(second);
        assertThat(quota.acquire(ANN)).isFalse();
        session.end(first);
        session.end(first);
        assertThat(quota.acquire(ANN)).isTrue();
        assertThat(quota.acquire(ANN)).isFalse();
    }

    @Test
    void one_caller_takes_nothing_from_another() {
        assertThat(quota.acquire(ANN)).isTrue();
        assertThat(quota.acquire(new Share("bob"))).isTrue();
        quota.release(ANN);
        assertThat(quota.acquire(ANN)).isTrue();
    }
}
