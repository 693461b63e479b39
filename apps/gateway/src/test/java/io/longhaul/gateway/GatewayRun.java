// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.testkit.RunInMemory;
import java.time.Instant;

/** A run of a long tool without an engine, which keeps its handle in memory, and is told no output. */
public class GatewayRun extends RunInMemory {

    public GatewayRun() {
        super("{}");
    }

    @Override
    public TaskSpec spec() {
        var origin = Payload.ofText("{\"dialect\":\"test\"}");
        return new TaskSpec(Owner.LOCAL, "job", Payload.ofText("{}"), origin, null, Instant.EPOCH);
    }

    @Override
    public void partial(Payload output) {
        throw new AssertionError("no output was told");
    }
}
