// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.question;

import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Passes questions of upstreams to callers, without the parts that concern only the link to the upstream. */
final class ForwardedQuestions {

    private ForwardedQuestions() {}

    /** The params for a caller, without the task and the tokens of the upstream, which mean nothing to the caller. */
    static Json passedOn(Json params) {
        var object = (ObjectNode) JsonTree.read(params);
        object.remove(List.of("_meta", "_operation", "task"));
        return JsonTree.write(object);
    }

    /** The capabilities of a caller as the upstream sees them: only for questions, not for tasks. */
    static Capabilities askable(Capabilities can) {
        return new Capabilities(can.form(), can.url(), can.sampling(), can.roots(), false, can.more());
    }
}
