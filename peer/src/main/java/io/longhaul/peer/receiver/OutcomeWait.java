package io.longhaul.peer.receiver;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Refusal;
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
    }

    private final Context context;

    OutcomeWait(Context context) {
        this.context = context;
    }

    void run(Visit visit, Wait wait) throws Exception {
        Session session = visit.session();
        boolean told = !wait.isCall() || visit.dialect().traits().tasks().told();
        if (wait.isCall()) {
            visit.live().waitsFor(wait.task().id());
        }
        if (told) {
            session.sideline().await(wait.task().id());
        }
        try {
            block(visit, wait);
        } finally {
            if (told) {
                session.sideline().awaitNoMore(wait.task().id());
            }
        }
    }

    private void block(Visit visit, Wait wait) throws Exception {
        boolean cancels = visit.dialect().traits().closingCancels() && wait.isCall() && !wait.survives();
        boolean ended = wait.task().state().isTerminal() && !wait.resumed();
        if (!ended && !visit.reply().isLasting()) {
            LiveCall live = visit.live();
            String prime = visit.dialect().traits().comesBack() ? wait.cursor().text() : null;
            visit.reply().onGone(cancels ? live::cancel : live::stop);
            visit.reply().open(prime);
        }
        try {
            follow(visit, wait);
        } catch (InterruptedException e) {
            giveUp(visit, wait);
        } catch (PeerGoneException e) {
            if (cancels) {
                visit.live().cancel();
            }
            giveUp(visit, wait);
        }
    }

    private void follow(Visit visit, Wait wait) throws Exception {
        var follower = new OutcomeFollower(visit, wait, context);
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
