// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer.Given;
import tools.jackson.databind.node.ObjectNode;

/** Questions of upstreams, without what is about the link to the upstream alone. */
final class QuestionParams {

    private QuestionParams() {}

    /** The same params for another caller: neither a task nor a token of the upstream means anything to that one. */
    static Json passedOn(Json params) {
        var object = (ObjectNode) JsonTree.read(params);
        object.remove("_meta");
        object.remove("task");
        return JsonTree.write(object);
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
