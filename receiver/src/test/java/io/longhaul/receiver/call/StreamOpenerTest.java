package io.longhaul.receiver.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.receiver.RecordedExchange;
import io.longhaul.receiver.request.Reply;
import io.longhaul.receiver.session.Session;
import io.longhaul.testkit.Blocking;
import io.longhaul.testkit.FakeTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the stream of a reply is opened that takes its time. */
@Timeout(30)
class StreamOpenerTest {

    private final FakeTime time = new FakeTime();
    private final StreamOpener opener = new StreamOpener(time);
    private final Session session = ReceiverParts.session("s", ReceiverParts.ANN);
    private final DialectSelector dialects = new DialectSelector("parts", "1");
    private int requests;

    private RecordedExchange reply() {
        var exchange = new RecordedExchange(session.principal());
        var live = session.begin(new RequestId.Number(++requests), false).orElseThrow();
        opener.add(new Reply(exchange, live, dialects.ofSession("2025-11-25")), live);
        return exchange;
    }

    @Test
    void each_reply_has_its_stream_a_second_after_it_began_also_where_one_before_it_was_late() {
        var first = reply();
        time.advance(Duration.ofMillis(500));
        var second = reply();
        time.advance(Duration.ofMillis(500));
        Blocking.await(first.opened);
        assertThat(second.opened.getCount()).isEqualTo(1);
        time.advance(Duration.ofMillis(500));
        Blocking.await(second.opened);
    }
}
