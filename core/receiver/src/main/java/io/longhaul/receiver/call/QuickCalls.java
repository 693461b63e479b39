// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.plan.Left;
import io.longhaul.receiver.plan.StreamEnd;
import io.longhaul.receiver.request.EqualWaits;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.request.Ongoing;
import io.longhaul.receiver.request.Reply;
import io.longhaul.receiver.rounds.CallStates;
import io.longhaul.receiver.rounds.CarriedState;
import io.longhaul.receiver.rounds.ParkedCalls;
import io.longhaul.receiver.stream.EventId;
import io.longhaul.receiver.stream.EventId.Kind;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.stream.MessageStream;
import io.longhaul.receiver.stream.SessionStreams;
import io.longhaul.receiver.tool.QuickHandler;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls that a handler answers while their caller waits. */
final class QuickCalls {

    private static final int KEPT_BYTES = 256 << 10;
    private static final Duration UNTIL_STREAM = Duration.ofSeconds(1);

    private final Context context;
    private final ParkedCalls parked;
    /** The waits until a stream is opened for a reply that has not been sent yet. Nearly all are sent earlier. */
    private final EqualWaits opening;

    private final Ongoing ongoing = new Ongoing();

    QuickCalls(Context context, CallStates states) {
        this.context = context;
        parked = new ParkedCalls(context, states);
        opening = new EqualWaits(context.engine().time(), UNTIL_STREAM);
    }

    void call(InboundRequest request, Interactive call, QuickHandler handling, @Nullable CarriedState carried)
            throws Exception {
        ongoing.begin();
        try {
            carryOut(request, call, handling, carried);
        } finally {
            ongoing.end();
        }
    }

    /** As {@link Ongoing#awaitNone}. */
    Optional<Duration> awaitNone(Duration longest) {
        return ongoing.awaitNone(longest);
    }

    private void carryOut(
            InboundRequest request, Interactive call, QuickHandler handling, @Nullable CarriedState carried)
            throws Exception {
        noticeLeaving(request);
        letReturn(request);
        if (carried != null) {
            parked.resume(request, call, handling, carried);
            return;
        }
        var capabilities = request.capabilities();
        boolean mayAsk = capabilities.form() || capabilities.url() || capabilities.sampling() || capabilities.roots();
        if (!request.asking().byRequest() && mayAsk) {
            parked.begin(request, call, handling);
        } else {
            request.answer(call, new DirectCall(request, call, context, handling));
        }
    }

    /** Opens a stream for a call that takes long: only on a stream can the server see that the client has left. */
    private void noticeLeaving(InboundRequest request) {
        Reply reply = request.reply();
        if (request.manner().streamEnd() == StreamEnd.CANCELS && !reply.isOnConnection()) {
            reply.onGone(() -> request.live().leave(Left.CANCELLED));
            openLater(request);
        }
    }

    private void openLater(InboundRequest request) {
        Reply reply = request.reply();
        var alarm = opening.begin(() -> Thread.ofVirtual().name("open-stream").start(() -> reply.open(null)));
        request.live().ended().thenRun(alarm::cancel);
    }

    /** Opens a resumable stream for a call that takes long, before its connection can break. */
    private void letReturn(InboundRequest request) {
        Reply reply = request.reply();
        if (request.manner().streamEnd().isResumed() && !reply.isOnConnection()) {
            reply.resumable(() -> kept(request));
            if (request.manner().streamEnd() == StreamEnd.POLLS) {
                openLater(request);
            }
        }
    }

    /** The resumable stream of a call that sends messages before its response. Few calls do. */
    private Reply.Keeper kept(InboundRequest request) {
        var session = request.session();
        var start = EventId.start(Kind.QUICK, session, context.newId(), Mark.NONE, null);
        var stream = new MessageStream(start, KEPT_BYTES, request.manner().streamEnd() == StreamEnd.POLLS);
        var streams = SessionStreams.of(session);
        streams.begin(stream);
        request.live().ended().thenRun(() -> streams.end(stream, stream.wasOpened()));
        return stream;
    }
}
