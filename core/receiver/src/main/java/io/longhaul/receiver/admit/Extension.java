// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.admit;

import io.longhaul.engine.run.Work;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.receiver.call.CallServices;
import io.longhaul.receiver.call.Calls;
import io.longhaul.receiver.feature.Features;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The part of a receiver that only one draft or one revision needs. A receiver takes its extensions as a list, and its
 * code names none of them. Implementations are thread-safe.
 */
@FunctionalInterface
public interface Extension {

    /**
     * Accepts messages that came in one array, as {@link io.longhaul.protocol.transport.Endpoint#accept} accepts one;
     * empty where the revision has no such arrays.
     *
     * @param each accepts one of the messages, and answers on the exchange that it is given
     */
    default Optional<Runnable> accept(
            Revision spoken, List<Json> messages, Exchange exchange, BiFunction<Json, Exchange, Runnable> each) {
        return Optional.empty();
    }

    /** Work that the engine needs in addition to the work of the tools. */
    default List<Work> works(Features features) {
        return List.of();
    }

    /** Adds what answers calls in one receiver. */
    void addTo(CallServices services, Calls calls);
}
