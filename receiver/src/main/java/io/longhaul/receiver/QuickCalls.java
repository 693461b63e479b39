package io.longhaul.receiver;

import io.longhaul.engine.TaskTime;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.EventId.Kind;
import io.longhaul.receiver.EventId.Mark;
import io.longhaul.receiver.SealedState.State;
import io.longhaul.receiver.tool.RpcException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Calls that a handler answers while their caller waits. */
final class QuickCalls {

    private static final Duration LONG = Duration.ofSeconds(1);
    private static final int KEPT_BYTES = 256 << 10;
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;

    private final Context context;
    private final ParkedCalls parked;

    QuickCalls(Context context) {
        this.context = context;
        parked = new ParkedCalls(context);
    }

    void call(Visit visit, Interactive call, Handling handling, @Nullable State carried) throws Exception {
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
            finish(visit, call, () -> {
                var way = new DirectCall(visit, call, context);
                return visit.live().interruptibly(() -> handling.answer(way));
            });
        }
    }

    /** That a client has left shows on a stream alone, so that a call that takes long gets one. */
    private void noticeLeaving(Visit visit) {
        Reply reply = visit.reply();
        if (visit.dialect().traits().closingCancels() && !reply.isLasting()) {
            reply.onGone(visit.live()::cancel);
            reply.whenDone(openLater(reply)::cancel);
        }
    }

    /** A call that takes long gets a stream with an id to come back with, before its connection can break. */
    private void letReturn(Visit visit) {
        Reply reply = visit.reply();
        if (visit.dialect().traits().resumable() && !reply.isLasting()) {
            var session = visit.session();
            var start = EventId.start(Kind.QUICK, session, context.newId(), Mark.NONE, null);
            var stream = new MessageStream(
                    start, KEPT_BYTES, visit.dialect().traits().comesBack());
            session.streams().begin(stream);
            reply.resumable(stream);
            TaskTime.Alarm alarm = visit.dialect().traits().comesBack() ? openLater(reply) : () -> {};
            reply.whenDone(() -> {
                alarm.cancel();
                session.streams().end(stream, stream.wasOpened());
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

    /** Answers with what {@code result} gives or throws. */
    static void finish(Visit visit, Interactive call, Callable<Answer> result) throws Exception {
        try {
            Answer given = result.call();
            if (visit.live().isOver()) {
                visit.reply().silently();
            } else {
                visit.reply().answer(call, given);
            }
        } catch (RpcException e) {
            RpcError error = e.error();
            visit.session().linked().told(error);
            boolean declare = error.code() == RpcError.MISSING_CLIENT_CAPABILITY;
            visit.reply().fail(error, declare ? BAD_REQUEST : OK);
        } catch (Exception e) {
            if (!visit.live().isOver()) {
                throw e;
            }
            visit.reply().silently();
        }
    }

    static void refuse(Visit visit, Interactive call, String problem) {
        visit.reply().answer(call, new Answer.Refused(new Refusal.InvalidParams(problem)));
    }
}
