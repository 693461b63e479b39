// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.observe;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells all observers of one server, and watches for patterns, also where it has no observer. Thread-safe. */
public final class ObservedServer {

    /** A server that nobody watches, which costs only a check of a constant. */
    public static final ObservedServer NONE = new ObservedServer(List.of(), () -> Instant.EPOCH);

    private static final Logger LOG = LoggerFactory.getLogger(ObservedServer.class);
    private static final Duration BETWEEN_TROUBLE = Duration.ofMinutes(1);

    private final List<ServerObserver> all;
    private final Supplier<Instant> clock;
    private final PatternWatch patterns = new PatternWatch();
    private final AtomicReference<Instant> trouble = new AtomicReference<>(Instant.MIN);

    /** @param clock gives the present time */
    public ObservedServer(List<? extends ServerObserver> all, Supplier<Instant> clock) {
        this.all = List.copyOf(all);
        this.clock = clock;
    }

    public boolean isSilent() {
        return this == NONE;
    }

    Instant now() {
        return clock.get();
    }

    public void tell(Supplier<ServerEvent> event) {
        if (!isSilent()) {
            tell(event.get());
        }
    }

    public void tell(ServerEvent event) {
        if (isSilent()) {
            return;
        }
        tellAll(event);
        patterns.note(event, now()).ifPresent(seen -> {
            LOG.warn(
                    "{} of one caller within {}: {} so far, from {}",
                    PatternWatch.words(seen.pattern()),
                    seen.window(),
                    seen.count(),
                    seen.caller().address() == null
                            ? "this machine"
                            : seen.caller().address());
            tellAll(seen);
        });
    }

    private void tellAll(ServerEvent event) {
        for (ServerObserver observer : all) {
            try {
                observer.on(event);
            } catch (RuntimeException | Error e) {
                warn(e);
            }
        }
    }

    private void warn(Throwable thrown) {
        Instant now = now();
        Instant last = trouble.get();
        if (!now.isBefore(last.plus(BETWEEN_TROUBLE)) && trouble.compareAndSet(last, now)) {
            LOG.warn("an observer of the server failed, which is told at most once a minute", thrown);
        }
    }
}
