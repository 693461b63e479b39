// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.requestor.Registration;
import io.longhaul.requestor.call.ChangeSubscription;
import io.longhaul.requestor.call.Requestor;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to the changes of one task. A server may refuse it, or acknowledge it without the task: then only
 * polls show the task. Thread-safe.
 */
final class TaskSubscription implements AutoCloseable {

    private final Requestor requestor;
    private final Registration notices;
    private final Semaphore opened = new Semaphore(0);
    private final Thread looking;
    private final @Nullable ChangeSubscription changes;
    private volatile boolean active;

    /**
     * Opens a subscription, unless the client has reached its limit of subscriptions.
     *
     * @param changed takes each state that the server tells; must not block
     * @param look    looks at the task, each time that a subscription begins: what came before is not told
     * @param trouble hears why a subscription is opened again: polls are too rare then to tell it soon
     */
    TaskSubscription(
            String taskId, Requestor requestor, Consumer<TaskView> changed, Runnable look, Consumer<String> trouble) {
        this.requestor = requestor;
        notices = requestor.listeners().onTask(taskId, notice -> {
            switch (notice) {
                case Notice.Subscribed subscribed -> begun();
                case Notice.TaskChanged(var task) -> changed.accept(task);
                default -> {}
            }
        });
        looking = Thread.ofVirtual().name("longhaul-client-look").start(() -> lookOnceOpened(look));
        var wanted = new Call.Subscription(false, false, false, List.of(), List.of(taskId));
        changes = requestor.subscriptions().tryAcquire()
                ? new ChangeSubscription(requestor, wanted, notice -> {}, () -> {}, why -> lost(why, trouble))
                : null;
    }

    private void lost(Optional<String> why, Consumer<String> trouble) {
        active = false;
        why.ifPresent(trouble);
    }

    private void begun() {
        if (!active) {
            active = true;
            opened.release();
        }
    }

    private void lookOnceOpened(Runnable look) {
        try {
            while (true) {
                opened.acquire();
                look.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the server now tells of each change, so that polls can be rare. */
    boolean isActive() {
        return active;
    }

    @Override
    public void close() {
        notices.close();
        looking.interrupt();
        if (changes != null) {
            changes.close();
            requestor.subscriptions().release();
        }
    }
}
