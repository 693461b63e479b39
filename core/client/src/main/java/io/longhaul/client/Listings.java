// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.call.CallEnd;
import io.longhaul.requestor.call.Requestor;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What resources and prompts have in common: how they are listed, and completed. */
final class Listings {

    private static final Logger LOG = LoggerFactory.getLogger(Listings.class);

    private Listings() {}

    /**
     * A list of definitions, each of which is an object. It is empty where the server has declared the feature and does
     * not know the method, as a server that has only resources or only templates may.
     *
     * @param feature the capability to which the list belongs
     */
    static KeptList<Json> of(String what, String feature, Requestor requestor, Function<@Nullable String, Call> page) {
        var told = new AtomicBoolean();
        return new KeptList<>(
                what,
                requestor.settings().time(),
                cursor -> {
                    var end = requestor.ask(page.apply(cursor));
                    if (end instanceof CallEnd.Refused(var error)
                            && error.code() == RpcError.METHOD_NOT_FOUND
                            && JsonTree.read(requestor.hello().capabilities()).has(feature)) {
                        if (!told.getAndSet(true)) {
                            LOG.warn(
                                    "the server {} declares {} and cannot list its {}, which count as none: {}",
                                    requestor.hello().name(),
                                    feature,
                                    what,
                                    error.message());
                        }
                        return new KeptList.FreshPage<>(new Pages.Page<>(List.of(), null), Freshness.NONE);
                    }
                    if (Replies.require(end) instanceof Answer.Listed(var kind, var definitions, var next, var fresh)) {
                        return new KeptList.FreshPage<>(new Pages.Page<>(definitions, next), fresh);
                    }
                    throw new UnusableAnswerException(
                            "The server answered something else than its " + what + ".", null);
                },
                Json::size);
    }

    static Suggestions complete(Requestor requestor, Call.Complete call) {
        if (Replies.require(requestor.ask(call)) instanceof Answer.Completions(var values, var total)) {
            return new Suggestions(values, total);
        }
        throw new UnusableAnswerException("The server answered something else than a completion.", null);
    }
}
