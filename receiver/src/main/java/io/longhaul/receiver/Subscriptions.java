package io.longhaul.receiver;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.transport.PeerGoneException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Streams of notifications that clients ask for by name. */
final class Subscriptions {

    private static final Logger LOG = LoggerFactory.getLogger(Subscriptions.class);

    private final Context context;
    private final TaskVerbs verbs;
    private final Offered offered;
    private final Quota open;

    Subscriptions(Context context, TaskVerbs verbs, Offered offered) {
        this.context = context;
        this.verbs = verbs;
        this.offered = offered;
        open = new Quota(context.limits().subscriptions());
    }

    /** Blocks while the stream is open. */
    void listen(Visit visit, Call.Listen call) {
        var share = visit.share();
        if (!open.enter(share)) {
            int most = context.limits().subscriptions();
            visit.reply().answer(call, new Answer.Refused(new Refusal.LimitReached("open subscriptions", most)));
            return;
        }
        List<Thread> followers = new ArrayList<>();
        try {
            serve(visit, call, followers);
        } catch (InterruptedException | PeerGoneException e) {
            visit.live().stop();
        } finally {
            followers.forEach(Thread::interrupt);
            open.leave(share);
        }
        if (visit.live().isCancelled()) {
            visit.reply().silently();
        } else {
            visit.reply().answer(call, new Answer.Done());
        }
    }

    private void serve(Visit visit, Call.Listen call, List<Thread> followers) throws InterruptedException {
        List<Task> tasks = call.wanted().taskIds().stream()
                .distinct()
                .flatMap(id -> verbs.find(visit, id).stream())
                .toList();
        var over = new CountDownLatch(1);
        visit.live().whenOver(over::countDown);
        visit.reply().onGone(visit.live()::stop);
        visit.reply().open(null);
        var ids = tasks.stream().map(task -> task.id().value()).toList();
        var honoured = offered.honoured(call.wanted(), ids);
        var outbox = new Outbox(notice -> tell(visit, notice));
        visit.live().whenOver(offered.announcer().subscribe(honoured, outbox));
        visit.reply().notice(null, new Notice.Subscribed(honoured), visit.id());
        outbox.open();
        tasks.forEach(task ->
                followers.add(Thread.ofVirtual().name("listen-" + task.id()).start(() -> follow(visit, task))));
        over.await();
    }

    private static void tell(Visit visit, Notice notice) {
        try {
            visit.reply().notice(null, notice, visit.id());
        } catch (PeerGoneException e) {
            visit.live().stop();
        }
    }

    private void follow(Visit visit, Task task) {
        try {
            new Followed(context.engine())
                    .follow(visit.owner(), task.id(), task.stamp().lastEvent(), new Changes(visit));
        } catch (InterruptedException e) {
            // The subscription is over.
        } catch (PeerGoneException e) {
            visit.live().stop();
        } catch (StoreException e) {
            LOG.warn("a subscription ends, because the store cannot be read: {}", e.getMessage());
            visit.live().stop();
        }
    }

    /**
     * Tells how a task stands at once, so that nothing is missed between a look at it and the subscription, and then
     * each change.
     */
    private final class Changes implements Followed.Follower {

        private final Visit visit;

        Changes(Visit visit) {
            this.visit = visit;
        }

        @Override
        public boolean event(Task task, TaskEvent event) {
            return true;
        }

        @Override
        public boolean current(Task task) {
            AuditLog.seen(task, visit);
            visit.reply().notice(null, new Notice.TaskChanged(context.views().of(task)), visit.id());
            return !task.state().isTerminal();
        }
    }
}
