package io.longhaul.receiver.ext.resume;

import io.longhaul.receiver.CallExtension;
import io.longhaul.receiver.Extension;
import java.util.Optional;

/** Answers calls part by part, to clients that bring resume tokens. */
public final class ResumedCalls implements Extension {

    @Override
    public Optional<CallExtension> calls(CallExtension.Core core) {
        return Optional.of(new PartCalls(core));
    }
}
