// SPDX-License-Identifier: Apache-2.0
package io.longhaul.store.jdbc.sql;

import io.longhaul.engine.task.Ending;
import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.TaskEvent;
import org.jspecify.annotations.Nullable;

/** The stored form of events. */
final class EventForm {
    private static final int FORM = 1;

    private EventForm() {}

    /**
     * Writes an event. {@code ending} is the ending of the task after the event: an equal outcome is not stored twice.
     */
    static byte[] write(TaskEvent event, @Nullable Ending ending) {
        var out = new ByteWriter().octet(FORM).instant(event.at());
        switch (event.what()) {
            case Happening.Created created -> out.octet(0);
            case Happening.Started started -> out.octet(1).number(started.attempt());
            case Happening.Progressed progressed -> ProgressForm.write(out.octet(2), progressed.progress());
            case Happening.Said said -> out.octet(3).text(said.message());
            case Happening.Logged logged -> {
                out.octet(4).text(logged.level()).textOrNull(logged.logger());
                out.block(logged.data().bytes());
            }
            case Happening.Emitted emitted ->
                out.octet(5).block(emitted.output().bytes());
            case Happening.StepDone step ->
                out.octet(6).text(step.name()).block(step.result().bytes());
            case Happening.Asked asked -> out.octet(7).text(asked.key());
            case Happening.Answered answered -> out.octet(8).text(answered.key());
            case Happening.Crashed crashed -> out.octet(9).number(crashed.attempt());
            case Happening.HandedBack handedBack -> out.octet(10);
            case Happening.Ended ended ->
                OutcomeForm.write(
                        out.octet(11),
                        ended.outcome(),
                        ending != null && ended.outcome().equals(ending.outcome()));
            case Happening.WorkEnded workEnded -> out.octet(12);
        }
        return out.bytes();
    }

    static TaskEvent read(long seq, byte[] bytes, PartSource parts) {
        var in = new ByteReader(bytes);
        if (in.octet() != FORM) {
            throw ByteReader.damaged();
        }
        return new TaskEvent(seq, in.instant(), happening(in, parts));
    }

    private static Happening happening(ByteReader in, PartSource parts) {
        return switch (in.octet()) {
            case 0 -> new Happening.Created();
            case 1 -> new Happening.Started(in.count());
            case 2 -> new Happening.Progressed(ProgressForm.read(in));
            case 3 -> new Happening.Said(in.text());
            case 4 -> new Happening.Logged(in.text(), in.textOrNull(), TaskForm.payload(in));
            case 5 -> new Happening.Emitted(TaskForm.payload(in));
            case 6 -> new Happening.StepDone(in.text(), TaskForm.payload(in));
            case 7 -> new Happening.Asked(in.text());
            case 8 -> new Happening.Answered(in.text());
            case 9 -> new Happening.Crashed(in.count());
            case 10 -> new Happening.HandedBack();
            case 11 -> new Happening.Ended(OutcomeForm.read(in, parts));
            case 12 -> new Happening.WorkEnded();
            default -> throw ByteReader.damaged();
        };
    }
}
