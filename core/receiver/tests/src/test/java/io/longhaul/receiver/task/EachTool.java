// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import io.longhaul.server.Served;
import io.longhaul.server.Tools;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;

/** A server with a tool of each kind. */
public abstract class EachTool {

    /** Until it opens, the tool that waits does not end. */
    public final CountDownLatch gate = new CountDownLatch(1);

    @AutoClose
    public final Served served = Served.with(Tools.all(gate));
}
