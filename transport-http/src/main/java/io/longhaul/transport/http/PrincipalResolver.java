package io.longhaul.transport.http;

import io.longhaul.protocol.transport.Principal;
import java.util.Optional;
import java.util.function.Function;

/** Finds out on whose behalf a request was sent. Thread-safe; asked for every request anew. */
@FunctionalInterface
public interface PrincipalResolver {

    /** What was found. */
    sealed interface Resolution {

        /** The request is served on behalf of {@code principal}. */
        record Granted(Principal principal) implements Resolution {}

        /**
         * The request is not served.
         *
         * @param status    401 or 403
         * @param challenge the value of {@code WWW-Authenticate}
         * @param message   one sentence for the client that says what to do
         */
        record Refused(int status, String challenge, String message) implements Resolution {}
    }

    /**
     * Looks at the headers of one request.
     *
     * @param header gives a header by its name, without regard to case
     */
    Resolution resolve(Function<String, Optional<String>> header);

    /** The same principal for everybody. */
    static PrincipalResolver always(Principal principal) {
        var granted = new Resolution.Granted(principal);
        return header -> granted;
    }
}
