// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer.Given;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Questions of upstreams on their way to callers, without what is about the link to the upstream alone. */
final class PassedQuestions {

    private PassedQuestions() {}

    /** The same params for another caller: neither a task nor a token of the upstream means anything to that one. */
    static Json passedOn(Json params) {
        var object = (ObjectNode) JsonTree.read(params);
        object.remove(List.of("_meta", "_operation", "task"));
        return JsonTree.write(object);
    }

    /** What a caller can be asked, as an upstream is told of it: by questions alone, and not by tasks. */
    static Capabilities askable(Capabilities can) {
        return new Capabilities(can.form(), can.url(), can.sampling(), can.roots(), false, can.more());
    }

    /**
     * The reply of a caller who cannot be asked: a form is dismissed, because a task that waits for an answer takes no
     * error.
     */
    static Given unanswered(String method, RpcError why) {
        return method.equals("elicitation/create")
                ? new Given.Result(Json.raw("{\"action\":\"cancel\"}"))
                : new Given.Cannot(why);
    }
}
