package io.longhaul.receiver.ext.resume;

import io.longhaul.receiver.admit.Extension;
import io.longhaul.receiver.call.CallExtension;
import io.longhaul.receiver.call.CallServices;
import io.longhaul.receiver.call.Calls;
import java.util.Optional;

/** Answers calls part by part, to clients that bring resume tokens. */
public final class ResumedCalls implements Extension {

    @Override
    public Optional<CallExtension> calls(CallServices services, Calls calls) {
        return Optional.of(new PartCalls(services));
    }
}
