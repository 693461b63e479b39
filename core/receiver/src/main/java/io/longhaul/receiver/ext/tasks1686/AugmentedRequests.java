// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.tasks1686;

import io.longhaul.engine.run.Work;
import io.longhaul.protocol.call.Call;
import io.longhaul.receiver.admit.Extension;
import io.longhaul.receiver.call.CallServices;
import io.longhaul.receiver.call.Calls;
import io.longhaul.receiver.call.DraftCalls;
import io.longhaul.receiver.feature.Features;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CarriedState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs requests that call no long-running tool as tasks, for clients that ask for that. */
public final class AugmentedRequests implements Extension {

    @Override
    public List<Work> works(Features features) {
        return features.augmented().isEmpty() ? List.of() : List.of(RequestWork.of(features));
    }

    @Override
    public void addTo(CallServices services, Calls calls) {
        calls.add(new AugmentedCalls(calls));
    }

    private record AugmentedCalls(Calls calls) implements DraftCalls {

        @Override
        public boolean handles(Call call) {
            return call instanceof Call.Augmented;
        }

        @Override
        public void answer(InboundRequest request, Call call, @Nullable CarriedState carried) throws Exception {
            var augmented = (Call.Augmented) call;
            var asked = augmented.of();
            if (calls.offers().handler(asked).isEmpty() || !calls.mayBeTask(asked)) {
                calls.answer(request, asked);
            } else {
                calls.run(request, RequestWork.NAME, RequestWork.stored(asked), augmented);
            }
        }
    }
}
