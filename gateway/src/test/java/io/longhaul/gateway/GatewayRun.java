// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.testkit.RememberingRun;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A run of a long tool without an engine, which keeps its handle in memory. */
class GatewayRun extends RememberingRun {

    private static final Payload NO_ARGUMENTS = Payload.ofText("{}");

    private volatile @Nullable Payload handle;

    GatewayRun() {
        super(TaskId.of(1, 2, 3), NO_ARGUMENTS);
    }

    @Override
    public TaskSpec spec() {
        var origin = Payload.ofText("{\"dialect\":\"test\"}");
        return new TaskSpec(Owner.LOCAL, "job", NO_ARGUMENTS, origin, null, Instant.EPOCH);
    }

    @Override
    public boolean isStopping() {
        return false;
    }

    @Override
    public boolean isHandingBack() {
        return false;
    }

    @Override
    public void partial(Payload output) {
        throw new AssertionError("no output was told");
    }

    @Override
    public int partialCount() {
        return 0;
    }

    @Override
    public Optional<Payload> handle() {
        return Optional.ofNullable(handle);
    }

    @Override
    public void saveHandle(Payload saved) {
        handle = saved;
    }
}
