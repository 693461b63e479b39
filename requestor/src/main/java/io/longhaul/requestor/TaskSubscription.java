package io.longhaul.requestor;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * A subscription to the changes of one task, opened again where it breaks. A server may refuse it, or acknowledge it
 * without the task: then the task is told of by looks alone. Thread-safe.
 */
final class TaskSubscription implements AutoCloseable {

    /** How many tasks one client hears of at once; the others are looked at. Servers allow few subscriptions. */
    static final int MOST = 4;

    private final Requestor requestor;
    private final Ask ask;
    private final Registration notices;
    private final Thread listening;
    private volatile boolean stands;

    /**
     * Opens a subscription, if there is a place for one more.
     *
     * @param changed is given each state that the server tells; must not block
     */
    TaskSubscription(String taskId, Requestor requestor, Consumer<TaskView> changed) {
        this.requestor = requestor;
        var wanted = new Call.Subscription(false, false, false, List.of(), List.of(taskId));
        ask = new Ask(new Call.Listen(wanted)).patient().onTrouble(sentence -> stands = false);
        notices = requestor.onTask(taskId, notice -> {
            switch (notice) {
                case Notice.Subscribed subscribed -> stands = true;
                case Notice.TaskChanged(var task) -> changed.accept(task);
                default -> {}
            }
        });
        listening = Thread.ofVirtual().name("longhaul-client-listen").start(this::listen);
    }

    /** Whether the server tells of each change now, so that there is no hurry to look. */
    boolean stands() {
        return stands;
    }

    private void listen() {
        if (!requestor.subscriptions().tryAcquire()) {
            return;
        }
        try {
            var settings = requestor.settings();
            var backoff = new Backoff(settings.time(), settings.patience().trouble());
            while (requestor.ask(ask) instanceof Asked.Answered) {
                stands = false;
                var wait = backoff.next(Duration.ZERO);
                if (wait == null) {
                    return;
                }
                settings.time().pause(wait);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            stands = false;
            requestor.subscriptions().release();
        }
    }

    @Override
    public void close() {
        notices.close();
        ask.giveUp();
        listening.interrupt();
    }
}
