// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.ledger;

import io.longhaul.engine.TestEngine;
import io.longhaul.engine.slot.RunSlot;
import io.longhaul.engine.slot.Slots;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.transition.Command;
import io.longhaul.store.contract.TaskFixtures;
import io.longhaul.testkit.ThreadsContract;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;

/** The reports of one task, whatever threads of its work report and store them. */
@Param(name = "percent", gen = IntGen.class, conf = "1:4")
public class LiveTaskThreadsTest extends ThreadsContract {

    private final LiveTask live = new LiveTask(
            TaskFixtures.id(1),
            new Owner("ann"),
            "ann",
            new RunSlot(new Slots(1, List.of(), TestEngine.NO_TIME), TaskFixtures.id(1), "work"),
            TaskFixtures.task(1));

    @Operation
    public boolean progress(@Param(name = "percent") int percent) {
        return live.note(new Progress(percent, null, null), null);
    }

    @Operation
    public boolean message(@Param(name = "percent") int percent) {
        return live.note(null, "at " + percent);
    }

    @Operation
    public String take() {
        return text(live.takeUnsaved());
    }

    @Operation
    public void putBack(@Param(name = "percent") int percent) {
        live.putBack(new Command.Report(null, "back " + percent));
    }

    @Operation
    public String shown() {
        var status = live.shown().status();
        return text(new Command.Report(status.progress(), status.message()));
    }

    private static String text(Command.@Nullable Report report) {
        if (report == null) {
            return "none";
        }
        return (report.progress() == null ? "" : report.progress().current()) + " " + report.message();
    }
}
