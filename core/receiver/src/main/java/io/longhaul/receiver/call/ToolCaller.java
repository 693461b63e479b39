// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.receiver.feature.Features;
import io.longhaul.receiver.plan.Sender;
import io.longhaul.receiver.plan.Sender.Host;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.request.InboundRequest;

/** The sender of a call of a tool, as the extensions of the receiver know it. */
record ToolCaller(InboundRequest request, CallTool call, Features features, CallExtensions extensions)
        implements Sender {

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
        return extensions.takesParts(request);
    }

    @Override
    public Host host() {
        return extensions.host(request, call);
    }
}
