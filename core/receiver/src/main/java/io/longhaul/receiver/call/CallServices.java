// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.plan.Manner;
import io.longhaul.receiver.plan.Planner;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CallStates;
import io.longhaul.receiver.session.Sessions;
import io.longhaul.receiver.stream.Deliveries;
import io.longhaul.receiver.task.TaskVerbs;
import java.util.Optional;

/**
 * The services that all classes share which answer calls in one receiver.
 *
 * @param verbs      what can be asked of a task
 * @param deliveries tell clients what happens to tasks
 * @param states     what clients carry between the rounds of their calls
 */
public record CallServices(
        Context context,
        DialectSelector dialects,
        Sessions sessions,
        TaskVerbs verbs,
        Deliveries deliveries,
        CallStates states) {

    /** How the sender of a request is answered part by part. */
    Optional<Manner> inParts(InboundRequest request) {
        var facts = request.manner().inSession() ? request.session().facts() : null;
        return dialects.inParts(facts == null ? null : facts.version()).map(Planner::manner);
    }
}
