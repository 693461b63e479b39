// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.codec;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Ending;
import org.jspecify.annotations.Nullable;

/** Writes and reads events. */
public final class EventCodec {
    private static final int FORM = 1;

    private EventCodec() {}

    /**
     * Writes an event. {@code ending} is the ending of the task after the event: an equal outcome is not stored twice.
     */
    public static byte[] write(TaskEvent event, @Nullable Ending ending) {
        var out = new ByteWriter().octet(FORM).instant(event.at());
        switch (event.what()) {
            case EventDetail.Created created -> out.octet(0);
            case EventDetail.Started started -> out.octet(1).number(started.attempt());
            case EventDetail.Progressed progressed -> ProgressCodec.write(out.octet(2), progressed.progress());
            case EventDetail.Said said -> out.octet(3).text(said.message());
            case EventDetail.Logged logged -> {
                out.octet(4).text(logged.level()).textOrNull(logged.logger());
                out.block(logged.data().bytes());
            }
            case EventDetail.Emitted emitted ->
                out.octet(5).block(emitted.output().bytes());
            case EventDetail.StepDone step ->
                out.octet(6).text(step.name()).block(step.result().bytes());
            case EventDetail.Asked asked -> out.octet(7).text(asked.key());
            case EventDetail.Answered answered -> out.octet(8).text(answered.key());
            case EventDetail.Crashed crashed -> out.octet(9).number(crashed.attempt());
            case EventDetail.HandedBack handedBack -> out.octet(10);
            case EventDetail.Ended ended ->
                OutcomeCodec.write(
                        out.octet(11),
                        ended.outcome(),
                        ending != null && ended.outcome().equals(ending.outcome()));
            case EventDetail.WorkEnded workEnded -> out.octet(12);
        }
        return out.bytes();
    }

    public static TaskEvent read(long seq, byte[] bytes, PartSource parts) {
        var in = new ByteReader(bytes);
        in.form(FORM);
        return new TaskEvent(seq, in.instant(), happening(in, parts));
    }

    private static EventDetail happening(ByteReader in, PartSource parts) {
        return switch (in.octet()) {
            case 0 -> new EventDetail.Created();
            case 1 -> new EventDetail.Started(in.count());
            case 2 -> new EventDetail.Progressed(ProgressCodec.read(in));
            case 3 -> new EventDetail.Said(in.text());
            case 4 -> new EventDetail.Logged(in.text(), in.textOrNull(), TaskCodec.payload(in));
            case 5 -> new EventDetail.Emitted(TaskCodec.payload(in));
            case 6 -> new EventDetail.StepDone(in.text(), TaskCodec.payload(in));
            case 7 -> new EventDetail.Asked(in.text());
            case 8 -> new EventDetail.Answered(in.text());
            case 9 -> new EventDetail.Crashed(in.count());
            case 10 -> new EventDetail.HandedBack();
            case 11 -> new EventDetail.Ended(OutcomeCodec.read(in, parts));
            case 12 -> new EventDetail.WorkEnded();
            default -> throw ByteReader.damaged();
        };
    }
}
