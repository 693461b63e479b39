package io.longhaul.receiver.ext.toolsasync;

import io.longhaul.receiver.CallExtension;
import io.longhaul.receiver.Extension;
import java.util.Optional;

/** Answers the calls of {@code tools/async}. */
public final class AsyncTools implements Extension {

    @Override
    public Optional<CallExtension> calls(CallExtension.Core core) {
        return Optional.of(new JoinedCalls(core));
    }
}
