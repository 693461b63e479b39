// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.ledger;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.slot.RunSlot;
import io.longhaul.engine.slot.RunThread;

/** The attempt that runs a live task, with the means of the engine to stop the attempt. */
public interface LiveRun extends Run {

    RunThread thread();

    RunSlot slot();

    /** The number of calls of this attempt that have returned: their children can be found. */
    int callsMade();
}
