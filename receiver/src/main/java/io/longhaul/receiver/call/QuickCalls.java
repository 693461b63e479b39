package io.longhaul.receiver.call;

import io.longhaul.engine.TaskTime;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.request.InboundRequest;
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
import org.jspecify.annotations.Nullable;

/** Calls that a handler answers while their caller waits. */
final class QuickCalls {

    private static final Duration LONG = Duration.ofSeconds(1);
    private static final int KEPT_BYTES = 256 << 10;

    private final Context context;
    private final ParkedCalls parked;

    QuickCalls(Context context, CallStates states) {
        this.context = context;
        parked = new ParkedCalls(context, states);
    }

    void call(InboundRequest visit, Interactive call, QuickHandler handling, @Nullable CarriedState carried)
            throws Exception {
        noticeLeaving(visit);
        letReturn(visit);
        if (carried != null) {
            parked.goOn(visit, call, handling, carried);
            return;
        }
        var capabilities = visit.capabilities();
        boolean mayAsk = capabilities.form() || capabilities.url() || capabilities.sampling() || capabilities.roots();
        if (!visit.dialect().traits().asksByRequest() && mayAsk) {
            parked.begin(visit, call, handling);
        } else {
            visit.answer(call, () -> {
                var way = new DirectCall(visit, call, context);
                return visit.live().interruptibly(() -> handling.answer(way));
            });
        }
    }

    /** That a client has left shows on a stream alone, so that a call that takes long gets one. */
    private void noticeLeaving(InboundRequest visit) {
        Reply reply = visit.reply();
        if (visit.dialect().traits().closingCancels() && !reply.isLasting()) {
            reply.onGone(visit.live()::cancel);
            reply.whenDone(openLater(reply)::cancel);
        }
    }

    /** A call that takes long gets a stream with an id to come back with, before its connection can break. */
    private void letReturn(InboundRequest visit) {
        Reply reply = visit.reply();
        if (visit.dialect().traits().resumable() && !reply.isLasting()) {
            var session = visit.session();
            var start = EventId.start(Kind.QUICK, session, context.newId(), Mark.NONE, null);
            var stream = new MessageStream(
                    start, KEPT_BYTES, visit.dialect().traits().comesBack());
            SessionStreams.of(session).begin(stream);
            reply.resumable(stream.keeper());
            TaskTime.Alarm alarm = visit.dialect().traits().comesBack() ? openLater(reply) : () -> {};
            reply.whenDone(() -> {
                alarm.cancel();
                SessionStreams.of(session).end(stream, stream.wasOpened());
            });
        }
    }

    private TaskTime.Alarm openLater(Reply reply) {
        return context.engine()
                .time()
                .at(
                        context.now().plus(LONG),
                        () -> Thread.ofVirtual().name("open-stream").start(() -> reply.open(null)));
    }
}
