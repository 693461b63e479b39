package io.longhaul.peer.receiver;

import io.longhaul.peer.feature.Features;
import io.longhaul.protocol.call.Call.Subscription;
import java.util.List;

/**
 * What a server offers, and who tells of its changes.
 *
 * @param features  what is offered
 * @param announcer tells of changes
 */
record Offered(Features features, Announcer announcer) {

    /** What of a subscription can be honoured, with the tasks that the subscriber may see. */
    Subscription honoured(Subscription wanted, List<String> tasks) {
        return new Subscription(wanted.toolsChanged() && features.tools().isUsed(), false, false, List.of(), tasks);
    }
}
