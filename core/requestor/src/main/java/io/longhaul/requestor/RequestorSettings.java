// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a requestor presents itself, and how long it waits.
 *
 * @param info       name and version of the requestor, as the JSON object that goes into messages
 * @param answerer   answers the server's questions
 * @param timeouts   how long the requestor waits
 * @param time       the clock
 * @param only       the only generation to speak, or empty for the newest that the server speaks
 * @param authorizer authorizes requests over HTTP
 */
public record RequestorSettings(
        Json info,
        Answerer answerer,
        Timeouts timeouts,
        RequestorTime time,
        Optional<Generation> only,
        RequestAuthorizer authorizer) {

    /** These settings, for one generation. */
    public RequestorSettings only(Generation generation) {
        return new RequestorSettings(info, answerer, timeouts, time, Optional.of(generation), authorizer);
    }

    /** These settings, with another answerer; null keeps the present one. */
    public RequestorSettings answeredBy(@Nullable Answerer other) {
        return other == null ? this : new RequestorSettings(info, other, timeouts, time, only, authorizer);
    }

    /** What the requestor says of itself in a generation. */
    public ClientProfile profile(ClientDialect dialect) {
        return new ClientProfile(
                dialect.generation().version(), answerer.capabilities(), info, authorizer.extensions());
    }

    /** A new backoff with the timeout for a server that cannot be reached. */
    public Backoff backoff() {
        return new Backoff(time, timeouts.trouble());
    }

    /** A new backoff that never gives up. */
    public Backoff endlessBackoff() {
        return new Backoff(time, Duration.ofDays(10_000));
    }
}
