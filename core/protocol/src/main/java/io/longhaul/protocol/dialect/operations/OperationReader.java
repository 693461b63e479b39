// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.operations;

import io.longhaul.protocol.call.Call.Alias;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.json.Params;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads requests of clients about operations. A method throws an exception that names a wrong field. */
final class OperationReader {

    /** The space of the tokens that clients choose. */
    static final String TOKENS = "sep-1391";

    private static final int LONGEST_TOKEN = 256;

    private OperationReader() {}

    /**
     * "A client will never have the option to choose": the tool alone decides whether a call becomes an operation. The
     * params of the operation count only where there is one.
     */
    static TaskWish wish(Params params) {
        if (!params.has("operation")) {
            return wish(null, null);
        }
        params.object("operation");
        var operation = params.inner("operation");
        String token = operation.optionalKey("token");
        return wish(keep(operation), token == null ? null : new Alias(TOKENS, chosen(operation, token)));
    }

    private static TaskWish wish(@Nullable Duration keep, @Nullable Alias token) {
        return new TaskWish.Terms(Created.BY_SERVER, Keep.From.COMPLETION, keep, token);
    }

    private static String chosen(Params operation, String token) {
        if (token.isEmpty()) {
            return operation.fail("token", "must not be empty");
        }
        return token.length() > LONGEST_TOKEN
                ? operation.fail("token", "must not be longer than " + LONGEST_TOKEN + " characters")
                : token;
    }

    /** "An `operation.keepAlive` of null represents an unlimited duration." */
    private static @Nullable Duration keep(Params operation) {
        if (!operation.has("keepAlive")) {
            return null;
        }
        var keep = operation.optionalTime("keepAlive", Duration.ofSeconds(1));
        return keep == null ? Params.LONGEST_TIME : keep;
    }
}
