// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.ToolInfo;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.receiver.plan.Answering;
import io.longhaul.receiver.plan.Sender.Host;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.Wait;
import io.longhaul.receiver.tool.ServedTool.Kind;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The extensions of one receiver that answer calls. */
record CallExtensions(List<CallExtension> all) {

    /** The extension that answers a call in place of the core. */
    Optional<CallExtension> of(Call call) {
        return first(one -> one.handles(call) ? Optional.of(one) : Optional.empty());
    }

    /** The extension that answers calls in this way after their task was created. */
    Optional<CallExtension> of(Answering answering) {
        return first(one -> one.handles(answering) ? Optional.of(one) : Optional.empty());
    }

    Host host(InboundRequest request, CallTool call) {
        return first(one -> Optional.of(one.host(request, call)).filter(host -> host != Host.WAITS))
                .orElse(Host.WAITS);
    }

    boolean takesParts(InboundRequest request) {
        return all.stream().anyMatch(one -> one.takesParts(request));
    }

    Optional<CallResponse> missing(InboundRequest request, CallTool call, Kind.LongRunning tool) {
        return first(one -> one.missing(request, call, tool));
    }

    /** The first result that any extension finds. A loop, because a stream would cost a twentieth of a creation. */
    private <T> Optional<T> first(Function<CallExtension, Optional<T>> find) {
        for (CallExtension one : all) {
            var found = find.apply(one);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    List<ToolInfo> listed(InboundRequest request, List<ToolInfo> tools, boolean isLastPage) {
        var seen = tools;
        for (CallExtension one : all) {
            seen = one.listed(request, seen, isLastPage);
        }
        return seen;
    }

    boolean outlives(Task task, Session session, Call.CancelRequest cancellation) {
        return all.stream().anyMatch(one -> one.outlives(task, session, cancellation));
    }

    boolean resumes(InboundRequest request, Wait wait) throws Exception {
        for (CallExtension one : all) {
            if (one.resumes(request, wait)) {
                return true;
            }
        }
        return false;
    }

    /** @param answering how the call would have been answered; null where it would have been in no such way */
    void refuse(InboundRequest request, Call call, @Nullable Answering answering, Refusal why) {
        var refused = answering == null
                ? Optional.<CallResponse>empty()
                : of(answering).map(one -> one.refused(request, why));
        request.reply().answer(call, refused.orElseGet(() -> new CallResponse.Refused(why)));
    }
}
