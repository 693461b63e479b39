// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

import io.longhaul.client.CallOutcome;
import io.longhaul.gateway.limit.CallFigures;
import io.longhaul.gateway.limit.CallLimits;
import io.longhaul.gateway.limit.CallLine;
import io.longhaul.gateway.limit.Circuit;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets calls at one upstream begin as its limits say, and none while the upstream fails; counts them. Thread-safe. */
public final class CallDesk {

    private static final Logger LOG = LoggerFactory.getLogger(CallDesk.class);

    private final UpstreamServer upstream;
    private final InstantSource clock;
    private final CallLine all;
    private final Map<String, CallLine> tools = new ConcurrentHashMap<>();
    private final Circuit circuit;
    private final CallFigures figures = new CallFigures();

    CallDesk(UpstreamServer upstream, InstantSource clock) {
        this.upstream = upstream;
        this.clock = clock;
        all = new CallLine(upstream.bounds().all(), clock);
        circuit = new Circuit(clock);
    }

    /** A call that is under way until it is closed. */
    public final class Turn implements AutoCloseable {
        private final @Nullable CallLine ofTool;
        private final long begun = System.nanoTime();
        private boolean isError = true;

        private Turn(@Nullable CallLine ofTool) {
            this.ofTool = ofTool;
            figures.begun();
        }

        /** Takes how the call has ended. */
        public void ended(CallOutcome outcome) {
            isError = outcome instanceof CallOutcome.Failed;
            if (isUnanswered(outcome)) {
                failed();
            } else if (!(outcome instanceof CallOutcome.Left)) {
                circuit.close();
            }
        }

        /** The call was not made, since the upstream is away. */
        public void failed() {
            circuit.failed()
                    .ifPresent(pause -> LOG.warn(
                            "{} gave no answer to {} calls in a row, and is not called for {} s",
                            upstream,
                            Circuit.FAILURES,
                            pause.toSeconds()));
        }

        @Override
        public void close() {
            figures.ended(ofTool == null ? -1 : System.nanoTime() - begun, isError);
            all.leave();
            if (ofTool != null) {
                ofTool.leave();
            }
        }
    }

    /** Waits until a quick call may begin. */
    public Turn quick(String tool) throws InterruptedException, UpstreamAwayException {
        refuse(circuit.isOpen() ? circuit.refusal() : Optional.empty());
        var line = tools.computeIfAbsent(
                tool, name -> new CallLine(upstream.bounds().of(name), clock));
        line.enter();
        try {
            enterAll();
        } catch (InterruptedException | UpstreamAwayException e) {
            line.leave();
            throw e;
        }
        return new Turn(line);
    }

    /**
     * Waits until a long call may begin; its tool has its own line in the engine.
     *
     * @param isBegun whether the call has begun before, so that it is not held back
     */
    public Turn lasting(boolean isBegun) throws InterruptedException, UpstreamAwayException {
        if (isBegun) {
            all.enterAgain();
        } else {
            refuse(circuit.isOpen() ? circuit.refusal() : Optional.empty());
            enterAll();
        }
        return new Turn(null);
    }

    private void enterAll() throws InterruptedException, UpstreamAwayException {
        all.enter();
        try {
            refuse(circuit.refusal());
        } catch (UpstreamAwayException e) {
            all.leave();
            throw e;
        }
    }

    private void refuse(Optional<Duration> left) throws UpstreamAwayException {
        if (left.isPresent()) {
            throw new UpstreamAwayException("The server '" + upstream.name() + "' behind this gateway gave no answer to"
                    + " the last calls, and is not called for another "
                    + Math.max(1, left.get().toSeconds()) + " s. Try again then.");
        }
    }

    private static boolean isUnanswered(CallOutcome outcome) {
        return switch (outcome) {
            case CallOutcome.Lost lost -> true;
            case CallOutcome.OutcomeUnknown unknown -> true;
            case CallOutcome.TimedOut late -> true;
            default -> false;
        };
    }

    /** Whether a call is to be made again that ended so. */
    public static boolean isRepeatable(CallOutcome outcome, boolean isBegun, boolean repeats) {
        return isUnanswered(outcome) && (repeats || outcome instanceof CallOutcome.Lost && !isBegun);
    }

    /**
     * Waits before a call is made again.
     *
     * @param made how often it was made
     * @return false where it is not made again
     */
    public static boolean pause(CallLimits limits, int made) throws InterruptedException {
        if (made > limits.retry().count()) {
            return false;
        }
        Thread.sleep(limits.retry().pauseAfter(made));
        return true;
    }

    /** The upstream is there again. */
    void isThere() {
        circuit.close();
    }

    boolean isRefusing() {
        return circuit.isOpen();
    }

    CallFigures.Reading figures() {
        return figures.read();
    }

    /** How many calls wait for their turn. */
    int waiting() {
        return all.waiting()
                + tools.values().stream().mapToInt(CallLine::waiting).sum();
    }
}
