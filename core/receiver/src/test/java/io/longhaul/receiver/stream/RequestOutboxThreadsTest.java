// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.receiver.RecordedExchange;
import io.longhaul.receiver.plan.Planner;
import io.longhaul.receiver.request.Reply;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.RequestOutbox.Step;
import io.longhaul.testkit.ThreadsContract;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;

/** The full outbox of one request, whatever threads enqueue and wait for room while that of the request writes. */
public class RequestOutboxThreadsTest extends ThreadsContract {

    private static final DialectSelector DIALECTS = new DialectSelector("parts", "1");

    private final RequestOutbox outbox = new RequestOutbox(null);
    private final RecordedExchange exchange = new RecordedExchange(ReceiverParts.ANN);
    private final Reply reply = new Reply(
            exchange,
            ReceiverParts.session("s", ReceiverParts.ANN)
                    .begin(new RequestId.Number(1), false)
                    .orElseThrow(),
            Planner.manner(DIALECTS.ofSession("2025-11-25")));
    private final int[] added = new int[5];
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();

    public RequestOutboxThreadsTest() {
        for (int message = 0; message < RequestOutbox.ROOM; message++) {
            add(0);
        }
    }

    /** The next message of this thread. */
    @Operation
    public void add(@Param(gen = ThreadIdGen.class) int thread) {
        outbox.add(new Step.Send(message(thread, ++added[thread]), Mark.NONE, null, null));
    }

    private static JsonRpcMessage message(int thread, int number) {
        return new JsonRpcMessage.Notification(thread + "-" + number, Json.EMPTY_OBJECT);
    }

    @Operation
    public void whenRoom() {
        waiting.incrementAndGet();
        outbox.whenRoom(told::incrementAndGet);
    }

    @Operation(nonParallelGroup = "the thread of the request")
    public void write() {
        for (var step = outbox.poll(); step != null; step = outbox.poll()) {
            outbox.write((Step.Send) step, reply);
        }
    }

    @Validate
    public void each_message_is_written_once_in_order_and_who_waits_for_room_is_told_once() {
        write();
        require(told.get() == waiting.get(), told.get() + " of " + waiting.get() + " were told that there is room");
        var next = new int[added.length];
        for (var sent : exchange.sent) {
            var name = sent.replaceAll(".*\"method\":\"(\\d-\\d+)\".*", "$1").split("-");
            int thread = Integer.parseInt(name[0]);
            require(++next[thread] == Integer.parseInt(name[1]), sent + " comes out of order");
        }
        for (int thread = 0; thread < added.length; thread++) {
            require(next[thread] == added[thread], next[thread] + " messages were written");
        }
    }
}
