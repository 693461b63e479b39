// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.json.Json;
import org.jspecify.annotations.Nullable;

/** What another server answered: it goes out as it is. */
record Passed(Json answer) {

    static <R> Object of(Passing<? super R> way, R request, Object call) throws Exception {
        return new Passed(way.answer(request, (PassingContext) call));
    }

    /** What a handler returned, where it was passed on; else null. */
    static @Nullable Json in(@Nullable Object returned) {
        return returned instanceof Passed(var answer) ? answer : null;
    }
}
