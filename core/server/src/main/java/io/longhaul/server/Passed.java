// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import org.jspecify.annotations.Nullable;

/** The answer of another server, which goes to the caller unchanged. */
record Passed(Json answer) {

    static <R> Object of(Passing<? super R> way, R request, Object call) throws Exception {
        return new Passed(way.answer(request, (PassingContext) call));
    }

    /** The answer of another server, where a handler has passed the request on; else null. */
    static @Nullable Json in(@Nullable Object returned) {
        return returned instanceof Passed(var answer) ? answer : null;
    }
}
