// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;

/** A server with a tool of each kind. */
abstract class EachTool {

    /** Until it opens, the tool that waits does not end. */
    final CountDownLatch gate = new CountDownLatch(1);

    @AutoClose
    final Served served = Served.with(Tools.all(gate));
}
