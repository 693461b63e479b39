// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import io.longhaul.engine.TaskTime;
import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Task;
import io.longhaul.file.webhook.EndNotice.About;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.observe.ObservedCaller;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.server.McpServer;
import io.longhaul.server.ServerMonitor;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the recipients of a file of the ends of tasks, at least once each. The notifier wraps the store: a notice is a
 * row of the store from before the end until the recipient has taken it. So at whatever point a server dies, its
 * successor or another server of the database finds the row and sends it. Thread-safe.
 */
public final class Notifier implements ServerMonitor, AutoCloseable {

    /** The interval of looks for rows that another server has left. */
    static final Duration LOOK = Duration.ofMinutes(1);

    /** How long a due notice is left to another server. */
    static final Duration GRACE = Duration.ofSeconds(30);

    /** How long an attempt keeps other servers from trying. */
    private static final Duration CLAIM = Recipient.TIMEOUT.multipliedBy(2);

    private static final Logger log = LoggerFactory.getLogger(Notifier.class);
    private static final int PAGE = 500;
    private static final ObservedCaller SERVER = new ObservedCaller(Principal.LOCAL, null, null);

    private final Map<String, Recipient> recipients = new LinkedHashMap<>();
    private final TaskTime time;
    private final RandomGenerator random;
    private final Consumer<ServerEvent> observers;
    private final Set<String> inTurn = ConcurrentHashMap.newKeySet();
    private volatile @Nullable TaskStore store;
    private volatile boolean isClosed;

    /** The services that a notifier needs. */
    public record Parts(Map<String, String> env, TaskTime time, RandomGenerator random) {}

    /** @param observers are told of notices that are given up */
    public Notifier(List<NotifyEntry> entries, Parts parts, Consumer<ServerEvent> observers) {
        entries.forEach(entry -> recipients.put(entry.name(), new Recipient(entry, parts.env())));
        time = parts.time();
        random = parts.random();
        this.observers = observers;
    }

    @Override
    public TaskStore around(TaskStore own) {
        store = own;
        return recipients.isEmpty() ? own : new ToldStore(own);
    }

    /** Sends the notices that an earlier server has left. */
    @Override
    public void started(McpServer server) {
        if (!recipients.isEmpty()) {
            Thread.ofVirtual().name("longhaul-notices").start(this::lookAgainAndAgain);
        }
    }

    /** Writes notices before the end of their task. */
    private final class ToldStore extends ForwardingStore {

        ToldStore(TaskStore store) {
            super(store);
        }

        @Override
        public CommitResult commit(Change change) {
            var notices = isEnd(change) ? of(change.after()) : List.<EndNotice>of();
            notices.forEach(Notifier.this::intend);
            var result = super.commit(change);
            if (result instanceof CommitResult.Committed) {
                notices.forEach(notice -> send(notice.key(), Optional.of(notice.about())));
            }
            return result;
        }

        private static boolean isEnd(Change change) {
            var before = change.before();
            return change.after().ending() != null && before != null && before.ending() == null;
        }
    }

    private List<EndNotice> of(Task task) {
        return recipients.values().stream()
                .flatMap(recipient -> EndNotice.of(recipient.entry(), task).stream())
                .toList();
    }

    /** Writes the row of an intended end, unless another end is known to have come. */
    private void intend(EndNotice notice) {
        var known = rows().change(
                        EndNotice.SPACE,
                        notice.key(),
                        time.now(),
                        row -> EndNotice.of(row).isSure() ? row : notice.row());
        if (known.isEmpty()) {
            rows().put(notice.row());
        }
    }

    private RowStore rows() {
        var own = store;
        if (own == null) {
            throw new IllegalStateException("there is no store yet");
        }
        return own.rows();
    }

    private void lookAgainAndAgain() {
        if (isClosed) {
            return;
        }
        try {
            look();
        } catch (StoreException e) {
            log.warn("notices that are due could not be read; they are looked for again: {}", e.getMessage());
        }
        time.at(
                time.now().plus(LOOK),
                () -> Thread.ofVirtual().name("longhaul-notices").start(this::lookAgainAndAgain));
    }

    private void look() {
        var now = time.now();
        var page = rows().list(EndNotice.SPACE, null, PAGE, now);
        while (!page.isEmpty()) {
            page.forEach(row -> found(row, now));
            page = rows().list(EndNotice.SPACE, page.getLast().key(), PAGE, now);
        }
    }

    /** Handles one row, so that an unreadable row does not stop the others. */
    private void found(StoredRow row, Instant now) {
        try {
            found(EndNotice.of(row), now);
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException e) {
            log.error("the notice {} cannot be read; it is looked at again", row.key(), e);
        }
    }

    /**
     * Handles one notice. A notice to a recipient that is no longer in the file is left to a server that knows the
     * recipient, or to its expiry.
     */
    private void found(EndNotice notice, Instant now) {
        if (!recipients.containsKey(notice.about().recipient())) {
            return;
        }
        var due = rows().isShared() ? notice.next().plus(GRACE) : notice.next();
        if (due.isAfter(now.plus(LOOK))) {
            return;
        }
        if (notice.isSure()) {
            sendAt(notice.key(), due);
            return;
        }
        var task = store == null
                ? Optional.<Task>empty()
                : store.find(notice.about().task());
        if (task.isPresent() && task.get().ending() == null) {
            return;
        }
        // The server that wrote the row may have died before the end, and another end may have come.
        task.ifPresent(ended -> correct(notice, ended));
        sendAt(notice.key(), due);
    }

    private void correct(EndNotice notice, Task ended) {
        var entry = recipients.get(notice.about().recipient()).entry();
        var told = EndNotice.of(entry, ended);
        if (told.isEmpty()) {
            rows().remove(EndNotice.SPACE, notice.key());
            return;
        }
        rows().change(EndNotice.SPACE, notice.key(), time.now(), row -> {
            var found = EndNotice.of(row);
            return found.isSure() ? row : found.about(told.get().about()).row();
        });
    }

    private void sendAt(String key, Instant when) {
        if (when.isAfter(time.now())) {
            time.at(when, () -> send(key, Optional.empty()));
        } else {
            send(key, Optional.empty());
        }
    }

    /**
     * @param end the end that this server has just stored, in place of any end that another server has intended
     *     meanwhile
     */
    private void send(String key, Optional<About> end) {
        if (isClosed || !inTurn.add(key)) {
            return;
        }
        boolean isRun = recipient(key).inTurn(() -> {
            inTurn.remove(key);
            attempt(key, end);
        });
        if (!isRun) {
            inTurn.remove(key);
        }
    }

    private Recipient recipient(String key) {
        return recipients.get(key.substring(0, key.indexOf('/')));
    }

    private void attempt(String key, Optional<About> end) {
        try {
            var claimed = claim(key, end);
            if (claimed.isPresent()) {
                settle(claimed.get(), recipient(key).tell(claimed.get(), time.now()));
            }
        } catch (StoreException e) {
            log.warn("a notice was not settled in the store; it is looked at again: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            if (!isClosed) {
                log.error("a notice was not sent; it is looked at again", e);
            }
        }
    }

    /** Claims a due notice for sending; empty where it was sent, or another server sends it. */
    private Optional<EndNotice> claim(String key, Optional<About> end) {
        var now = time.now();
        var mine = Long.toHexString(random.nextLong());
        return rows().change(EndNotice.SPACE, key, now, row -> {
                    var notice = EndNotice.of(row);
                    return notice.next().isAfter(now)
                            ? row
                            : notice.about(end.orElse(notice.about()))
                                    .claimed(mine, now.plus(CLAIM))
                                    .row();
                })
                .map(EndNotice::of)
                .filter(notice -> notice.sender().equals(mine));
    }

    private void settle(EndNotice notice, NoticeReception reception) {
        switch (reception) {
            case NoticeReception.Taken taken -> rows().remove(EndNotice.SPACE, notice.key());
            case NoticeReception.Gone gone -> giveUp(notice, "it is gone (410)");
            case NoticeReception.Again(var why, var asked) -> {
                var pause = NoticeReception.pause(notice.tries(), random);
                var when = time.now()
                        .plus(asked.filter(wait -> wait.compareTo(pause) > 0).orElse(pause));
                if (notice.isOverAt(when)) {
                    giveUp(notice, why);
                } else {
                    again(notice, why, when);
                }
            }
        }
    }

    private void again(EndNotice notice, String why, Instant when) {
        log.info(
                "the recipient {} was not told of the end of task {}, and is told again at {}: {}",
                notice.about().recipient(),
                notice.about().task(),
                when,
                why);
        // A server that takes longer than its claim may have lost it to another server.
        rows().change(
                        EndNotice.SPACE,
                        notice.key(),
                        time.now(),
                        row -> EndNotice.of(row).sender().equals(notice.sender())
                                ? notice.again(when).row()
                                : row);
        sendAt(notice.key(), when);
    }

    private void giveUp(EndNotice notice, String why) {
        var about = notice.about();
        log.warn(
                "the recipient {} is not told of the end of task {}, after {} tries: {}",
                about.recipient(),
                about.task(),
                notice.tries(),
                why);
        observers.accept(
                new ServerEvent.NoticeGivenUp(SERVER, about.task().value(), about.recipient(), notice.tries()));
        rows().remove(EndNotice.SPACE, notice.key());
    }

    /** Gives up the messages that are being sent; the next server sends them. */
    @Override
    public void close() {
        isClosed = true;
        recipients.values().forEach(Recipient::close);
    }
}
