package io.longhaul.receiver;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.transport.PeerGoneException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Blocks a request until its task has ended, and streams what happens meanwhile. */
final class OutcomeWait {

    /**
     * One such request.
     *
     * @param call         as it was asked
     * @param task         what it waits for
     * @param cursor       names the stream and the last event that the client has of it
     * @param resumed      whether the client goes on with a stream that broke
     * @param survives     whether the task goes on though the client closes the response
     * @param requestState what the client carries to its next round, or null where it is asked by requests
     */
    record Wait(
            Call call,
            Task task,
            StreamCursor cursor,
            boolean resumed,
            boolean survives,
            @Nullable Supplier<String> requestState) {
        boolean isCall() {
            return cursor.isCall();
        }

        /** The same, where the client has had everything up to an event. */
        private Wait behind(long seq) {
            return new Wait(call, task, cursor.at(seq), resumed, survives, requestState);
        }
    }

    private final Context context;

    OutcomeWait(Context context) {
        this.context = context;
    }

    void run(Visit visit, Wait wait) throws Exception {
        if (wait.isCall()) {
            visit.live().waitsFor(wait.task().id());
        }
        if (wait.isCall() && visit.dialect().traits().tasks().told() == Dialect.Told.NOWHERE) {
            block(visit, wait, new OutcomeFollower(visit, wait, context));
            return;
        }
        var tellers = visit.session().sideline().tellers();
        long seq = wait.cursor().seq();
        var turn = wait.isCall() || wait.resumed()
                ? tellers.repeat(wait.task().id(), seq)
                : tellers.goOn(wait.task().id(), seq);
        Wait taken = wait.behind(turn.after());
        var follower = new OutcomeFollower(visit, taken, context);
        try {
            block(visit, taken, follower);
        } finally {
            turn.over(follower.told());
        }
    }

    private void block(Visit visit, Wait wait, OutcomeFollower follower) throws Exception {
        boolean cancels = visit.dialect().traits().closingCancels() && wait.isCall() && !wait.survives();
        boolean ended = wait.task().state().isTerminal() && !wait.resumed();
        if (!ended && !visit.reply().isLasting()) {
            LiveCall live = visit.live();
            String prime = visit.dialect().traits().comesBack() ? wait.cursor().text() : null;
            visit.reply().onGone(cancels ? live::cancel : live::stop);
            visit.reply().open(prime);
        }
        try {
            follow(visit, wait, follower);
        } catch (InterruptedException e) {
            giveUp(visit, wait);
        } catch (PeerGoneException e) {
            if (cancels) {
                visit.live().cancel();
            }
            giveUp(visit, wait);
        }
    }

    private void follow(Visit visit, Wait wait, OutcomeFollower follower) throws Exception {
        long from = wait.resumed() || wait.isCall() ? 0 : wait.cursor().seq();
        boolean found = visit.live()
                .interruptibly(() -> new Followed(context.engine(), follower.until())
                        .follow(visit.owner(), wait.task().id(), from, follower));
        if (!found) {
            visit.reply()
                    .answer(
                            wait.call(),
                            new Answer.Refused(
                                    new Refusal.UnknownTask(wait.task().id().value())));
        }
    }

    /** The client has cancelled its call, or its way back is gone. */
    private void giveUp(Visit visit, Wait wait) {
        if (wait.isCall() && visit.live().isCancelled()) {
            context.engine().cancel(visit.owner(), wait.task().id(), "The caller cancelled its call.");
        }
        visit.reply().silently();
    }
}
