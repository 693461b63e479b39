// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.receiver.stream.EventId.Kind;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.store.contract.TaskFixtures;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The stream of a call that was answered with its task, to which the client comes back. */
@Timeout(60)
class CallStreamTest extends DeliveryParts {

    @Test
    void what_is_repeated_there_waits_there_for_the_client_and_goes_on_no_other_stream() {
        changes(TaskFixtures.progress(now, 1));
        changes(TaskFixtures.progress(now, 2));
        var stream = ofCall();
        var connection = new RecordedStream();
        delivery.open(stream, connection, now, task.position().lastEvent());
        while (delivery.position() < last) {
            Thread.onSpinWait();
        }
        assertThat(stream.takeUnsent())
                .noneMatch(unsent -> unsent.message().toString().contains("notifications/progress"));
        stream.flush();
        assertThat(connection.messages())
                .filteredOn(message -> message.contains("notifications/progress"))
                .hasSize(2);
    }

    @Test
    void what_waits_for_the_record_is_told_once_to_a_client_that_comes_back_twice() throws Exception {
        recorded(TaskFixtures.progress(now, 1));
        recorded(TaskFixtures.progress(now, 2));
        var restarted = new Delivery(deliveries, session, now, manner);
        storeFails = true;
        restarted.open(ofCall(), new RecordedStream(), now, task.position().lastEvent());
        parts.time.awaitAlarmIn(Duration.ofSeconds(1));
        storeFails = false;
        var stream = ofCall();
        var connection = new RecordedStream();
        restarted.open(stream, connection, now, task.position().lastEvent());
        while (restarted.position() < last) {
            Thread.onSpinWait();
        }
        stream.flush();
        assertThat(connection.messages())
                .filteredOn(message -> message.contains("notifications/progress"))
                .hasSize(2);
    }

    private MessageStream ofCall() {
        var start = EventId.start(Kind.CALL, session, "0".repeat(24), Mark.of(task), null);
        return new MessageStream(start, SessionStreams.SESSION_BYTES, false);
    }
}
