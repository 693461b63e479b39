// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import io.longhaul.protocol.json.Json;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the principal on whose behalf a request was sent. Thread-safe; the transport asks for every request. */
@FunctionalInterface
public interface PrincipalResolver {

    /** The result of a resolution. */
    sealed interface Resolution {

        /**
         * The request is served on behalf of {@code principal}.
         *
         * @param permit what the request may do
         * @param until  when the authorization expires, by {@link System#nanoTime}, or null for never. The transport
         *               then closes a stream that answers the request, and the client reconnects with a new token
         */
        record Granted(
                Principal principal,
                Permit permit,
                @Nullable Long until) implements Resolution {

            public Granted(Principal principal) {
                this(principal, Permit.of(principal), null);
            }
        }

        /**
         * The request is not served.
         *
         * @param status  401 or 403 with a challenge, or 503 where the authorization cannot be checked now
         * @param headers of the response
         * @param message one sentence for the client that says what to do
         */
        record Refused(int status, Map<String, String> headers, String message) implements Resolution {

            public Refused {
                headers = Map.copyOf(headers);
            }

            /** @param challenge the value of {@code WWW-Authenticate} */
            public Refused(int status, String challenge, String message) {
                this(status, Map.of("WWW-Authenticate", challenge), message);
            }
        }
    }

    /**
     * Resolves the principal from the headers of one request.
     *
     * @param header returns a header by its name, without regard to case
     */
    Resolution resolve(Function<String, Optional<String>> header);

    /** Public JSON documents by their paths, such as metadata that tell clients where to get a token. Called once. */
    default Map<String, Json> documents() {
        return Map.of();
    }

    /** Resolves every request to the same principal. */
    static PrincipalResolver always(Principal principal) {
        var granted = new Resolution.Granted(principal);
        return header -> granted;
    }
}
