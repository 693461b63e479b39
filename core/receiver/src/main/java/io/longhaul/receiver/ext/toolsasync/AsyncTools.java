// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.toolsasync;

import io.longhaul.engine.TaskEngine;
import io.longhaul.protocol.Guard;
import io.longhaul.receiver.admit.Extension;
import io.longhaul.receiver.call.CallExtension;
import io.longhaul.receiver.call.CallServices;
import io.longhaul.receiver.call.Calls;
import io.longhaul.receiver.session.JoinedTasks;
import java.util.List;
import java.util.Optional;

/** Answers the calls of {@code tools/async}. */
public final class AsyncTools implements Extension {

    private final List<Guard> locks = TaskMembers.newLocks();

    @Override
    public Optional<JoinedTasks> joined(TaskEngine engine) {
        return Optional.of(new TaskMembers(engine, locks));
    }

    @Override
    public Optional<CallExtension> calls(CallServices services, Calls calls) {
        return Optional.of(
                new JoinedCalls(services, new TaskMembers(services.context().engine(), locks)));
    }
}
