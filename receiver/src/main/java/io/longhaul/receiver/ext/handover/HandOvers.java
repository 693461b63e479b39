package io.longhaul.receiver.ext.handover;

import io.longhaul.receiver.admit.Extension;
import io.longhaul.receiver.call.CallExtension;
import io.longhaul.receiver.call.CallServices;
import io.longhaul.receiver.call.Calls;
import java.util.Optional;

/** Hands long calls over to the models of hosts that know no tasks. */
public final class HandOvers implements Extension {

    @Override
    public Optional<CallExtension> calls(CallServices services, Calls calls) {
        return Optional.of(new HandOverCalls(services, calls));
    }
}
