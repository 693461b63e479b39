// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.ToolInfo;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.receiver.call.CallExtension.Restated;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.Wait;
import io.longhaul.receiver.tool.ServedTool.Kind;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The extensions of one receiver that answer calls. */
record CallExtensions(List<CallExtension> all) {

    /** The extension that answers a call in place of the core. */
    Optional<CallExtension> of(Call call) {
        return first(one -> one.handles(call) ? Optional.of(one) : Optional.empty());
    }

    /** The extension that answers calls with this wish after their task was created. */
    Optional<CallExtension> of(TaskWish wish) {
        return first(one -> one.handles(wish) ? Optional.of(one) : Optional.empty());
    }

    Optional<Restated> restated(InboundRequest request, CallTool call, Kind.LongRunning tool) {
        return first(one -> one.restated(request, call, tool));
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

    void refuse(InboundRequest request, Call call, Refusal why) {
        Optional<CallExtension> extension = call instanceof Call.CallTool tool ? of(tool.wish()) : Optional.empty();
        request.reply()
                .answer(
                        call,
                        extension.map(one -> one.refused(request, why)).orElseGet(() -> new CallResponse.Refused(why)));
    }
}
