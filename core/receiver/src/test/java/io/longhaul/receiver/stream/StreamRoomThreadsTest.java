// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.receiver.stream.EventId.Kind;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.testkit.ThreadsContract;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;

/** The full stream of one request, whatever threads enqueue and wait for room while that of the request writes. */
public class StreamRoomThreadsTest extends ThreadsContract {

    private final MessageStream stream = MessageStream.unkept(
            EventId.start(
                    Kind.WAIT,
                    ReceiverParts.session("s", ReceiverParts.ANN),
                    "abcdefghijklmnopqrstuvwx",
                    Mark.NONE,
                    new RequestId.Number(1)),
            true);
    private final RecordedStream connection = new RecordedStream();
    private final int[] added = new int[5];
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();

    public StreamRoomThreadsTest() {
        stream.attach(connection, 0);
        for (int message = 0; message < MessageStream.WAITING; message++) {
            add(0);
        }
    }

    /** The next message of this thread. */
    @Operation
    public void add(@Param(gen = ThreadIdGen.class) int thread) {
        stream.enqueue(message(thread, ++added[thread]), Mark.NONE);
    }

    private static Json message(int thread, int number) {
        return Json.raw("\"" + thread + "-" + number + "\"");
    }

    @Operation
    public void whenRoom() {
        waiting.incrementAndGet();
        stream.whenRoom(told::incrementAndGet);
    }

    @Operation(nonParallelGroup = "the thread of the request")
    public void write() {
        stream.flush();
    }

    @Validate
    public void each_message_is_written_once_in_order_and_who_waits_for_room_is_told_once() {
        write();
        require(told.get() == waiting.get(), told.get() + " of " + waiting.get() + " were told that there is room");
        var next = new int[added.length];
        for (var sent : connection.messages()) {
            var name = sent.replace("\"", "").split("-");
            int thread = Integer.parseInt(name[0]);
            require(++next[thread] == Integer.parseInt(name[1]), sent + " comes out of order");
        }
        for (int thread = 0; thread < added.length; thread++) {
            require(next[thread] == added[thread], next[thread] + " messages were written");
        }
    }
}
