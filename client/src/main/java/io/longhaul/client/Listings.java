// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.json.Json;
import io.longhaul.requestor.call.Requestor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What resources and prompts have in common: how they are listed, and completed. */
final class Listings {

    private Listings() {}

    /** A list of definitions, each of which is an object. */
    static KeptList<Json> of(String what, Requestor requestor, Function<@Nullable String, Call> page) {
        return new KeptList<>(
                what,
                requestor.settings().time(),
                cursor -> {
                    if (Replies.require(requestor.ask(page.apply(cursor)))
                            instanceof Answer.Listed(var kind, var definitions, var next, var fresh)) {
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
