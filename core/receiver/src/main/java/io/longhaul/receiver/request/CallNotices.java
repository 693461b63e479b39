// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.request;

import io.longhaul.protocol.Guard;
import io.longhaul.protocol.Pace;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.receiver.plan.Left;
import io.longhaul.receiver.plan.StreamEnd;
import io.longhaul.receiver.session.LogLevels;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Sends the progress and log lines of one quick call while its handler works. "The progress value MUST increase with
 * each notification". The rate of both is limited to what a client can bear. After a cancellation nothing more is sent.
 * Thread-safe.
 */
public final class CallNotices {

    private static final Json LEFT_OUT = Json.raw("\"More was logged than is passed on at once: some is left out\"");

    private final Supplier<Instant> now;
    private final Guard lock = new Guard();
    private final Pace steps = Pace.ofProgress();
    private final Pace logs = Pace.ofLogs();
    private double last = Double.NEGATIVE_INFINITY;
    private boolean leftOut;

    public CallNotices(Supplier<Instant> now) {
        this.now = now;
    }

    /** Sends progress to a caller that gave a token for it, where the progress has risen. */
    public void progress(InboundRequest request, Interactive call, ProgressView progress) {
        Json token = call.extras().progressToken();
        if (token == null || request.live().isCancelled()) {
            return;
        }
        lock.run(() -> {
            if (progress.current() > last && Double.isFinite(progress.current()) && steps.takes(now.get())) {
                last = progress.current();
                send(request, new Notice.Progress(token, progress, null));
            }
        });
    }

    public void log(InboundRequest request, Interactive call, Notice.Log log) {
        String least = LogLevels.least(
                request.session(), request.manner().inSession(), call.extras().logLevel());
        if (least == null
                || !LogLevels.reaches(log.level(), least)
                || request.live().isCancelled()) {
            return;
        }
        lock.run(() -> {
            if (logs.takes(now.get())) {
                send(request, log);
            } else if (!leftOut) {
                leftOut = true;
                send(request, new Notice.Log(log.level(), log.logger(), LEFT_OUT, null));
            }
        });
    }

    /** Sends a notice while the call is answered; a client that has left is not told. */
    public static void send(InboundRequest request, Notice notice) {
        try {
            request.reply().notice(notice, null);
        } catch (PeerGoneException e) {
            if (request.manner().streamEnd() == StreamEnd.CANCELS) {
                request.live().leave(Left.CANCELLED);
            }
        }
    }
}
