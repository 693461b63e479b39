// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.ledger;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.slot.RunSlot;
import io.longhaul.engine.slot.RunThread;
import org.jspecify.annotations.Nullable;

/** The attempt that runs a live task, with the means of the engine to stop the attempt. */
public interface LiveRun extends Run {

    RunThread thread();

    RunSlot slot();

    /** The work as it was when this attempt began; null where it was not offered then. */
    @Nullable
    Work work();

    /** The number of calls of this attempt that have returned: their children can be found. */
    int callsMade();
}
