// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.list;

import io.longhaul.client.Suggestions;
import io.longhaul.client.request.ServerResponses;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.call.CallResult;
import io.longhaul.requestor.call.Requestor;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What resources and prompts have in common: how they are listed, and completed. */
public final class Listings {

    private static final Logger LOG = LoggerFactory.getLogger(Listings.class);

    private Listings() {}

    /**
     * A list of definitions, each of which is an object. It is empty where the server has declared the feature and does
     * not know the method, as a server that has only resources or only templates may.
     *
     * @param feature the capability to which the list belongs
     */
    public static KeptList<Json> of(
            String what, String feature, Requestor requestor, Function<@Nullable String, Call> pages) {
        var told = new AtomicBoolean();
        return new KeptList<>(
                what,
                requestor.settings().time(),
                cursor -> {
                    var end = requestor.ask(pages.apply(cursor));
                    if (end instanceof CallResult.Refused(var error)
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
                        return new Pages.Page<>(List.of(), null);
                    }
                    var page = ServerResponses.require(CallResponse.Listed.class, end, "its " + what);
                    return new Pages.Page<>(page.definitions(), page.nextCursor(), page.fresh());
                },
                Json::size);
    }

    public static Suggestions complete(Requestor requestor, Call.Complete call) {
        var completed = ServerResponses.require(CallResponse.Completions.class, requestor.ask(call), "a completion");
        return new Suggestions(completed.values(), completed.total());
    }
}
