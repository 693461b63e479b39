// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.batch;

import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.receiver.admit.Extension;
import io.longhaul.receiver.call.CallServices;
import io.longhaul.receiver.call.Calls;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Accepts batches in the sessions of the revision that has them. */
public final class Batches implements Extension {

    @Override
    public Optional<Runnable> accept(
            Revision spoken, List<Json> messages, Exchange exchange, BiFunction<Json, Exchange, Runnable> each) {
        return spoken.has(Capability.BATCHES) ? Optional.of(Batch.accept(messages, exchange, each)) : Optional.empty();
    }

    @Override
    public void addTo(CallServices services, Calls calls) {}
}
