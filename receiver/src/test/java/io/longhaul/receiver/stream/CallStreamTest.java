// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.receiver.stream.EventId.Kind;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.store.contract.TaskFixtures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The stream of a call that was answered with its task, to which the client comes back. */
@Timeout(60)
class CallStreamTest extends DeliveryParts {

    @Test
    void what_is_repeated_there_waits_there_for_the_client_and_goes_on_no_other_stream() {
        changes(TaskFixtures.progress(now, 1));
        changes(TaskFixtures.progress(now, 2));
        var start = EventId.start(Kind.CALL, session, "0".repeat(24), Mark.of(task), null);
        var stream = new MessageStream(start, SessionStreams.SESSION_BYTES, false);
        var connection = new RecordedStream();
        delivery.open(stream, connection, now, task.stamp().lastEvent());
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
}
