package io.longhaul.receiver.call;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.receiver.request.InboundRequest;
import java.util.List;
import java.util.Optional;

/** The extensions of one receiver that answer calls. */
record CallExtensions(List<CallExtension> all) {

    /** The extension that answers a call in place of the core. */
    Optional<CallExtension> of(Call call) {
        return all.stream().filter(one -> one.handles(call)).findFirst();
    }

    /** The extension that answers calls with this wish when their task is there. */
    Optional<CallExtension> of(TaskWish wish) {
        return all.stream().filter(one -> one.handles(wish)).findFirst();
    }

    void refuse(InboundRequest request, Call call, Refusal why) {
        Optional<CallExtension> extension = call instanceof Call.CallTool tool ? of(tool.wish()) : Optional.empty();
        request.reply()
                .answer(call, extension.map(one -> one.refused(request, why)).orElseGet(() -> new Answer.Refused(why)));
    }
}
