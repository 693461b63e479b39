// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.EventId.Kind;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.MessageStream.Unsent;
import io.longhaul.testkit.InterleavingContract;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;

/** One stream and its connection, whatever threads enqueue, write, and take back what is not written. */
public class MessageStreamThreadsTest extends InterleavingContract {

    private static final Session SESSION = new Session("s", Principal.LOCAL, new Share("local"), null);
    private static final TaskId TASK = new TaskId("a".repeat(TaskId.LENGTH));

    private final MessageStream stream = new MessageStream(
            EventId.start(Kind.SESSION, SESSION, "abcdefghijklmnopqrstuvwx", Mark.NONE, null), 1 << 20, false);
    private final RecordedStream connection = new RecordedStream();
    private final int[] enqueued = new int[5];
    private final Queue<Unsent> taken = new ConcurrentLinkedQueue<>();

    public MessageStreamThreadsTest() {
        stream.attach(connection, 0);
        enqueue(0);
        enqueue(0);
    }

    /** The next message of this thread. */
    @Operation
    public void enqueue(@Param(gen = ThreadIdGen.class) int thread) {
        stream.enqueue(message(thread, ++enqueued[thread]), new Mark(Instant.EPOCH, TASK, 1));
    }

    private static Json message(int thread, int number) {
        return Json.raw("\"" + thread + "-" + number + "\"");
    }

    @Operation
    public void flush() {
        stream.flush();
    }

    /** What is not written goes on another stream. */
    @Operation
    public void takeUnsent() {
        taken.addAll(stream.takeUnsent());
    }

    @Validate
    public void each_message_is_written_in_order_or_taken_and_never_both() {
        stream.flush();
        var told = new ArrayList<>(connection.messages());
        taken.forEach(unsent -> told.add(unsent.message().toString()));
        for (int thread = 0; thread < enqueued.length; thread++) {
            int before = -1;
            for (int number = 1; number <= enqueued[thread]; number++) {
                var message = message(thread, number).toString();
                require(told.remove(message) && !told.contains(message), message + " is not told once");
                int place = connection.messages().indexOf(message);
                require(place < 0 || place > before, message + " comes too early");
                before = Math.max(before, place);
            }
        }
    }
}
