package io.longhaul.requestor;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.rpc.RequestId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One call to a server, which may take several requests until it is answered, and can be given up. */
public final class Ask {

    private static final Consumer<String> SILENT = sentence -> {};
    private static final Consumer<Notice> DEAF = notice -> {};

    private final Call call;
    private final ReentrantLock lock = new ReentrantLock();
    private Map<String, String> headers = Map.of();
    private volatile boolean repeatable = true;
    private boolean quick = true;
    private @Nullable Duration within;
    private @Nullable Duration grace;
    private Consumer<String> onTrouble = SILENT;
    private Consumer<Notice> onNotice = DEAF;
    private @Nullable Runnable giveUp;
    private Runnable dropped = () -> {};
    private boolean givenUp;
    private boolean withdrawn;
    private boolean told;
    private int times;
    private @Nullable Session session;
    private @Nullable RequestId request;
    private final Set<RequestId> requests = new HashSet<>();

    public Ask(Call call) {
        this.call = call;
    }

    /** Further HTTP headers. */
    public Ask headers(Map<String, String> more) {
        this.headers = Map.copyOf(more);
        return this;
    }

    /** Whether the server may get it twice, when what became of the first is not known. True unless set. */
    public Ask repeatable(boolean safe) {
        this.repeatable = safe;
        return this;
    }

    /** The answer may take as long as it takes. */
    public Ask patient() {
        this.quick = false;
        return this;
    }

    /** The answer may take this long. */
    Ask within(Duration limit) {
        this.quick = false;
        this.within = limit;
        return this;
    }

    /**
     * To give it up is to give up work that goes on already, and the server has to hear of that: so it goes out even
     * where it was given up before. The server is told at once, and, where it does not answer, again after this long:
     * the first may have been there before the call.
     */
    public Ask sentBeforeGivenUp(Duration grace) {
        this.grace = grace;
        return this;
    }

    /** Told in one sentence what is in the way, each time before it is tried again. */
    public Ask onTrouble(Consumer<String> listener) {
        this.onTrouble = listener;
        return this;
    }

    /** Told what the server says while it works on the call. */
    public Ask onNotice(Consumer<Notice> listener) {
        this.onNotice = listener;
        return this;
    }

    /** Gives the call up, and tells the server in the way of its generation. */
    public void giveUp() {
        Runnable action;
        lock.lock();
        try {
            givenUp = true;
            action = giveUp;
        } finally {
            lock.unlock();
        }
        if (action != null) {
            action.run();
        }
    }

    /** Stops waiting for the answer, and tells the server nothing: it goes on. */
    public void leave() {
        lock.lock();
        try {
            givenUp = true;
            withdrawn = true;
        } finally {
            lock.unlock();
        }
        again();
    }

    /** Whether the server was asked more than once, because what became of the first request was not known. */
    public boolean wasRepeated() {
        lock.lock();
        try {
            return times > 1;
        } finally {
            lock.unlock();
        }
    }

    Call call() {
        return call;
    }

    /** It goes out now, as this request of this session. */
    void sending(Session used, RequestId id) {
        lock.lock();
        try {
            times++;
            session = used;
            request = id;
            requests.add(id);
        } finally {
            lock.unlock();
        }
    }

    /** Whether it ever went out as this request. */
    boolean was(RequestId id) {
        lock.lock();
        try {
            return requests.contains(id);
        } finally {
            lock.unlock();
        }
    }

    /** The request as which it went out last, where that was in this session. */
    Optional<RequestId> requestIn(Session used) {
        lock.lock();
        try {
            return used.equals(session) ? Optional.ofNullable(request) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    Map<String, String> moreHeaders() {
        return headers;
    }

    boolean isRepeatable() {
        return repeatable;
    }

    /**
     * How long the answer may take; empty for as long as it takes.
     *
     * @param usual for a call that should be quick
     */
    Optional<Duration> limit(Duration usual) {
        lock.lock();
        try {
            return quick ? Optional.of(usual) : Optional.ofNullable(within);
        } finally {
            lock.unlock();
        }
    }

    /** How long after it has gone out it may be given up, or null where that is the same at any time. */
    @Nullable
    Duration grace() {
        return grace;
    }

    /** The server was told that it is given up; an answer may still come. */
    void told() {
        lock.lock();
        try {
            told = true;
        } finally {
            lock.unlock();
        }
    }

    boolean isTold() {
        lock.lock();
        try {
            return told;
        } finally {
            lock.unlock();
        }
    }

    /** Its answer is wanted no more from now on. */
    void withdraw() {
        lock.lock();
        try {
            withdrawn = true;
        } finally {
            lock.unlock();
        }
    }

    /** Whether its answer is not wanted any more. */
    boolean isGivenUp() {
        lock.lock();
        try {
            return withdrawn || givenUp && grace == null;
        } finally {
            lock.unlock();
        }
    }

    void trouble(String sentence) {
        onTrouble.accept(sentence);
    }

    void notice(Notice notice) {
        onNotice.accept(notice);
    }

    /** The answer should be there by now: asks again, and no longer waits as long as it takes. */
    void hurry() {
        lock.lock();
        try {
            quick = true;
        } finally {
            lock.unlock();
        }
        again();
    }

    /** Waits no longer for the answer to the request that is under way, and asks again. */
    private void again() {
        Runnable action;
        lock.lock();
        try {
            action = dropped;
        } finally {
            lock.unlock();
        }
        action.run();
    }

    /** How to give up the request that is under way now, which runs at once where it was; and how to ask it again. */
    void underway(Runnable action, Runnable forget) {
        lock.lock();
        boolean now;
        try {
            giveUp = action;
            dropped = forget;
            now = givenUp;
        } finally {
            lock.unlock();
        }
        if (now) {
            action.run();
        }
    }
}
