// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

import io.longhaul.client.LogLevel;
import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientException;
import io.longhaul.client.RefusedException;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.gateway.caller.CallerClient;
import io.longhaul.gateway.caller.CallerClients;
import io.longhaul.gateway.caller.CallerRefusedException;
import io.longhaul.protocol.Guard;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.requestor.Registration;
import io.longhaul.requestor.Timeouts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link to one upstream: a client that connects as soon as the upstream can be reached, and stays for as long as the
 * gateway. One thread of the link connects and reads the lists of the upstream. It reads the lists again when the
 * upstream tells of a change, when a caller found the upstream away, and each minute. Where the gateway has started the
 * upstream, it may end it while it is idle: the next call starts it again. Thread-safe.
 */
public final class Link implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    /** How long a call tries to reach an upstream that does not answer; tasks are followed for longer. */
    private static final Timeouts TIMEOUTS = Timeouts.DEFAULT.withTrouble(Duration.ofSeconds(10));

    /** An upstream that answers nothing for longer counts as silent. */
    private static final Duration SILENCE = Duration.ofSeconds(2);

    private static final Duration LOOK = Duration.ofMinutes(1);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

    private final UpstreamServer upstream;
    private final RunHandles handles;
    private final RequestAuthorizer headers;
    private final RequestAuthorizer own;
    private final CallerClients callers = new CallerClients(InstantSource.system());
    private final Heard heard;
    private final CompletableFuture<Void> looked = new CompletableFuture<>();
    private final Semaphore wanted = new Semaphore(0);
    private final CallDesk desk;
    private final @Nullable LaunchedServer launched;
    private volatile CompletableFuture<McpClient> client = new CompletableFuture<>();
    private @Nullable Thread thread;
    private volatile boolean away = true;
    private volatile String why = "";
    private volatile boolean isRefused;
    private volatile @Nullable Instant looking;
    private volatile boolean closed;
    private final Guard using = new Guard();
    private int uses;
    private int watches;
    private Instant used = Instant.now();
    private volatile boolean asleep;
    private boolean isRetired;

    /** Takes what the upstream tells. No method may block for long. */
    public interface Heard {

        /** Takes the lists of the upstream each time they were read, on the thread of the link. */
        void listing(Listing listing);

        /** Takes the id of a visit to an address that a person has completed. */
        default void elicitationCompleted(String id) {}
    }

    public Link(UpstreamServer upstream, Heard heard) {
        this.upstream = upstream;
        this.heard = heard;
        handles = new RunHandles(upstream.name());
        headers = upstream.readHeaders();
        own = upstream.authorized(upstream.reach().rights().own());
        desk = new CallDesk(upstream, InstantSource.system());
        launched = upstream.launched(InstantSource.system());
    }

    public UpstreamServer upstream() {
        return upstream;
    }

    /** Where calls wait for their turn. */
    public CallDesk desk() {
        return desk;
    }

    public RunHandles handles() {
        return handles;
    }

    public void start() {
        thread = Thread.ofVirtual().name("longhaul-gateway-" + upstream.name()).start(this::run);
    }

    /**
     * The client of an upstream that was reached at some time. It may be away again, which the client finds out. While
     * the link looks at the upstream for the first time, waits for as long as a call tries to reach an upstream.
     */
    public McpClient client() throws UpstreamAwayException, InterruptedException {
        if (asleep) {
            look();
            awaitConnection(TIMEOUTS.trouble());
        } else if (!client.isDone()) {
            awaitLook(TIMEOUTS.trouble());
        }
        return clientNow();
    }

    private void awaitConnection(Duration limit) throws InterruptedException {
        try {
            client.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.debug("{} has not started yet", upstream);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The client of an upstream that was reached at some time; waits for nothing. */
    McpClient clientNow() throws UpstreamAwayException {
        var connected = client.getNow(null);
        if (connected == null) {
            throw new UpstreamAwayException(upstream);
        }
        return connected;
    }

    public boolean awaitLook(Duration limit) throws InterruptedException {
        return awaitLooks(List.of(this), limit);
    }

    /** Waits until each upstream was read for the first time, or found away; false where the limit comes first. */
    public static boolean awaitLooks(Collection<Link> links, Duration limit) throws InterruptedException {
        var all = links.stream().map(link -> link.looked).toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(all).get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Has the link stay until that is closed, also where the gateway has it no longer. */
    public LinkUse use() {
        using.run(() -> uses++);
        return new LinkUse(this, null, once(() -> {
            using.run(() -> {
                uses--;
                used = Instant.now();
            });
            closeUnused();
        }));
    }

    /** Uses the link for a call, as {@link #use()}, with the rights that the calls of the caller have. */
    public LinkUse use(CallerInfo caller) throws CallerRefusedException {
        var rights = upstream.reach().rights();
        if (!rights.isPerCaller()) {
            return use();
        }
        var filled = RequestAuthorizer.fixed(rights.filled(caller, upstream.name()));
        var tokens =
                rights.ofCaller() == null ? own : upstream.authorized(rights.authorization(caller, upstream.name()));
        var access = tokens.over(filled).over(headers);
        var whose = new CallerClients.Caller(caller.principal(), caller.scopes());
        var logins = rights.logins();
        var login = logins == null ? null : logins.apply(caller);
        var client = callers.acquire(whose, () -> new CallerClient(upstream.name(), access, this::connect, login));
        var begun = use();
        return new LinkUse(this, client, once(() -> {
            callers.release(client);
            begun.close();
        }));
    }

    /** Hears that a person is done at the page of a login. */
    void loggedIn(String id) {
        heard.elicitationCompleted(id);
    }

    /** Whether calls have the rights of their callers. */
    public boolean isPerCaller() {
        return upstream.reach().rights().isPerCaller();
    }

    /** Has the upstream stay until that is closed, also where nobody calls it. */
    Registration watch() {
        using.run(() -> watches++);
        return once(() -> using.run(() -> watches--));
    }

    private static Registration once(Runnable close) {
        var isOpen = new AtomicBoolean(true);
        return () -> {
            if (isOpen.getAndSet(false)) {
                close.run();
            }
        };
    }

    /** Closes the link as soon as nobody uses it. */
    public void retire() {
        using.run(() -> isRetired = true);
        closeUnused();
    }

    private void closeUnused() {
        if (using.get(() -> isRetired && uses == 0)) {
            close();
        }
    }

    public boolean isClosed() {
        return closed;
    }

    /** The client of an upstream; waits for an upstream that was never reached. */
    public McpClient awaitClient() throws InterruptedException {
        try {
            if (asleep) {
                look();
            }
            return client.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether the upstream answers now; has the link look at the upstream where it does not. */
    public boolean answers(McpClient connected) {
        try {
            connected.ping();
            return true;
        } catch (RefusedException e) {
            return true;
        } catch (McpClientException e) {
            look();
            return false;
        }
    }

    /** Has the link look at the upstream now. */
    public void look() {
        if (wanted.availablePermits() == 0) {
            wanted.release();
        }
    }

    private void run() {
        var pause = FIRST_PAUSE;
        try {
            while (!closed) {
                boolean isThere = readOnce();
                looked.complete(null);
                callers.closeIdle();
                if (isThere) {
                    pause = FIRST_PAUSE;
                    waitFor(LOOK);
                    sleepWhileIdle();
                } else {
                    Thread.sleep(pause);
                    var doubled = pause.multipliedBy(2);
                    pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("{} is looked after no longer", upstream);
        }
    }

    /** Ends an upstream that nobody has used for long, until somebody does. */
    private void sleepWhileIdle() throws InterruptedException {
        var ended = using.get(() -> {
            var idle = upstream.reach().world().idle();
            boolean isIdle =
                    idle != null && uses + watches == 0 && !Instant.now().isBefore(used.plus(idle));
            asleep = isIdle;
            var before = client;
            if (isIdle) {
                client = new CompletableFuture<>();
            }
            return Optional.ofNullable(isIdle ? before.getNow(null) : null);
        });
        if (ended.isPresent()) {
            ended.get().close();
            LOG.info("{} was idle, and is started again for its next call", upstream);
            wanted.acquire();
            using.run(() -> used = Instant.now());
        }
    }

    private void waitFor(Duration time) throws InterruptedException {
        // An upstream that tells of changes without end is not read without a pause.
        Thread.sleep(FIRST_PAUSE);
        var idle = upstream.reach().world().idle();
        var longest = idle != null && idle.compareTo(time) < 0 ? idle : time;
        if (wanted.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS)) {
            wanted.drainPermits();
        }
    }

    /** Reads the lists of the upstream once; false where the upstream is away. */
    private boolean readOnce() {
        looking = Instant.now();
        try {
            var connected = client.getNow(null);
            heard.listing(Listing.of(connected == null ? connect() : connected));
            if (away) {
                LOG.info("{} is there", upstream);
                desk.isThere();
            }
            away = false;
            why = "";
            return true;
        } catch (McpClientException e) {
            why = String.valueOf(e.getMessage());
            isRefused = !(e instanceof ServerUnreachableException);
            if (!away || !looked.isDone()) {
                LOG.warn("{} is away: {}", upstream, e.getMessage());
            }
            away = true;
            return false;
        } catch (RuntimeException e) {
            LOG.error("what {} lists cannot be served now", upstream, e);
            return false;
        } finally {
            looking = null;
            asleep = false;
        }
    }

    /** How the upstream is now. */
    public LinkState state() {
        var begun = looking;
        boolean isSilent = begun != null && Instant.now().isAfter(begun.plus(SILENCE));
        var word = asleep
                ? LinkState.Standing.IDLE
                : isSilent
                        ? LinkState.Standing.SILENT
                        : !looked.isDone()
                                ? LinkState.Standing.STARTING
                                : away
                                        ? isRefused ? LinkState.Standing.REFUSED : LinkState.Standing.AWAY
                                        : desk.isRefusing() ? LinkState.Standing.PAUSED : LinkState.Standing.UP;
        var connected = client.getNow(null);
        return new LinkState(
                word, connected == null ? "" : connected.server().version(), why, desk.waiting(), desk.figures());
    }

    private McpClient connect() {
        var connected = connect(own.over(headers));
        try {
            wish("tell of changes", () -> connected.onListChange(list -> look()));
        } catch (McpClientException e) {
            connected.close();
            throw e;
        }
        if (!client.complete(connected) || closed) {
            connected.close();
        }
        return connected;
    }

    private McpClient connect(RequestAuthorizer access) {
        var connected = upstream.client(access, launched)
                .name("longhaul-gateway", "0.1")
                .timeouts(TIMEOUTS)
                .handles(handles)
                .answers(new UnknownCaller(upstream))
                .connect();
        try {
            listen(connected);
        } catch (McpClientException e) {
            connected.close();
            throw e;
        }
        return connected;
    }

    private void listen(McpClient connected) {
        connected.onElicitationComplete(heard::elicitationCompleted);
        if (JsonTree.read(connected.server().capabilities()).has("logging")) {
            wish("take a level of log lines", () -> connected.logLevel(LogLevel.DEBUG));
        }
    }

    /** Asks the upstream for what the link can do without; only an upstream out of reach fails the connection. */
    private void wish(String what, Runnable asking) {
        try {
            asking.run();
        } catch (ServerUnreachableException e) {
            throw e;
        } catch (McpClientException e) {
            LOG.info("{} does not {}: {}", upstream, what, e.getMessage());
        }
    }

    @Override
    public void close() {
        closed = true;
        if (thread != null) {
            thread.interrupt();
        }
        var connected = client.getNow(null);
        if (connected != null) {
            connected.close();
        }
        callers.close();
    }
}
