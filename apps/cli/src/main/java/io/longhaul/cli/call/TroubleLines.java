// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import io.longhaul.cli.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Says once, of each trouble that a client repeats, that the command goes on in spite of it. Thread-safe. */
public final class TroubleLines implements Consumer<String> {
    /** Longer than the pauses between the attempts of a client: the same trouble after that is a new one. */
    private static final Duration QUIET = Duration.ofMinutes(1);

    private final Consumer<String> out;
    private final InstantSource clock;
    private @Nullable String last;
    private Instant heard = Instant.MIN;

    public TroubleLines(Consumer<String> out) {
        this(out, InstantSource.system());
    }

    TroubleLines(Consumer<String> out, InstantSource clock) {
        this.out = out;
        this.clock = clock;
    }

    @Override
    public synchronized void accept(String trouble) {
        var now = clock.instant();
        if (!trouble.equals(last) || now.isAfter(heard.plus(QUIET))) {
            out.accept(SafeText.line(trouble) + " (still trying)");
        }
        last = trouble;
        heard = now;
    }

    /** Whether the trouble that was heard last is this reason, or a part of it. */
    synchronized boolean areWhy(String reason) {
        return last != null && reason.contains(last);
    }
}
