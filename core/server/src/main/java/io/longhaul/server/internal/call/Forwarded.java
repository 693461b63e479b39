// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.call;

import io.longhaul.protocol.json.Json;
import io.longhaul.server.ForwardContext;
import io.longhaul.server.ForwardHandler;
import org.jspecify.annotations.Nullable;

/** The answer of another server, which goes to the caller unchanged. */
public record Forwarded(Json answer) {

    public static <R> Object of(ForwardHandler<? super R> way, R request, Object call) throws Exception {
        return new Forwarded(way.answer(request, (ForwardContext) call));
    }

    /** The answer of another server, where a handler has passed the request on; else null. */
    public static @Nullable Json in(@Nullable Object returned) {
        return returned instanceof Forwarded(var answer) ? answer : null;
    }
}
