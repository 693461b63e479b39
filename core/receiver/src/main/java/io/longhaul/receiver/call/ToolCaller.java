// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.receiver.feature.Features;
import io.longhaul.receiver.plan.Manner;
import io.longhaul.receiver.plan.Planner;
import io.longhaul.receiver.plan.Sender;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.request.InboundRequest;
import java.util.Optional;

/**
 * The sender of a call of a tool.
 *
 * @param handsOver whether calls are handed over to models whose host gives up
 */
record ToolCaller(InboundRequest request, CallTool call, CallServices services, Features features, boolean handsOver)
        implements Sender {

    @Override
    public Manner manner() {
        return request.manner();
    }

    @Override
    public Asking asking() {
        return request.asking();
    }

    @Override
    public boolean isOfferedTasks() {
        return features.hasTasks();
    }

    @Override
    public boolean isOfferedTasksOfAnyTool() {
        return features.mayBeTask(call);
    }

    @Override
    public boolean takesParts() {
        return inParts().isPresent();
    }

    /** How the sender is answered part by part. */
    Optional<Manner> inParts() {
        var facts = request.manner().inSession() ? request.session().facts() : null;
        return services.dialects()
                .inParts(facts == null ? null : facts.version())
                .map(Planner::manner);
    }

    /** A client that comes again for the result, by its creation key, needs no answer that names a task. */
    @Override
    public Host host() {
        if (!handsOver || !request.takesOnlyResults()) {
            return Host.WAITS;
        }
        boolean isDeployed =
                services.context().hosts().host(request.host().name()).isPresent();
        return call.extras().creationKey() != null && !isDeployed ? Host.COMES_AGAIN : Host.GIVES_UP;
    }
}
