// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import io.longhaul.backend.http.exchange.ApiRequest;
import io.longhaul.backend.http.exchange.JobConnections;
import io.longhaul.backend.http.exchange.NotSentException;
import io.longhaul.backend.http.exchange.RequestBody;
import io.longhaul.engine.secret.Secret;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A recipient of notices. It gets a few messages at a time, so that a slow one does not delay others. Thread-safe. */
final class Recipient implements AutoCloseable {

    /** The most messages that are being sent to one recipient. */
    static final int AT_ONCE = 4;

    /** The most messages that wait to be sent. The rows of all others are found by a later look. */
    static final int WAITING = 1_000;

    /** The time limit from the beginning of an attempt to the end of the answer. */
    static final Duration TIMEOUT = Duration.ofSeconds(15);

    /** The most bytes of an answer that are read, so that its connection serves for the next message. */
    private static final int READ = 64 * 1024;

    private final NotifyEntry entry;
    private final List<Secret> secrets;
    private final ExecutorService lane;
    private final JobConnections connections = new JobConnections(AT_ONCE, TIMEOUT);

    Recipient(NotifyEntry entry, Map<String, String> env) {
        this.entry = entry;
        secrets = entry.secrets().apply(env);
        lane = new ThreadPoolExecutor(
                AT_ONCE,
                AT_ONCE,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING),
                Thread.ofVirtual().name("longhaul-notify").factory());
    }

    NotifyEntry entry() {
        return entry;
    }

    /**
     * Runs an attempt when a place is free.
     *
     * @return whether it is run; false where too many wait, and after the close
     */
    boolean inTurn(Runnable telling) {
        try {
            lane.execute(telling);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Sends a message once. */
    NoticeReception tell(EndNotice notice, Instant now) throws InterruptedException {
        ApiRequest request;
        try {
            request = request(notice, now);
        } catch (IOException e) {
            return again("its secret cannot be used: " + e.getMessage());
        }
        try (var permit = connections.acquire()) {
            var response = permit.send(request, TIMEOUT, READ);
            return NoticeReception.of(response.status(), response.retryAfter(now));
        } catch (NotSentException e) {
            return again("no connection");
        } catch (IOException e) {
            return again(
                    e.getCause() instanceof TimeoutException
                            ? "it did not answer within " + TIMEOUT.toSeconds() + " s"
                            : "the connection broke");
        }
    }

    private static NoticeReception again(String why) {
        return new NoticeReception.Again(why, Optional.empty());
    }

    private ApiRequest request(EndNotice notice, Instant now) throws IOException {
        var body = notice.about().body().bytes();
        long seconds = now.getEpochSecond();
        var signatures = new ArrayList<String>();
        for (var secret : secrets) {
            signatures.add(Signatures.sign(Signatures.key(secret.read()), notice.id(), seconds, body));
        }
        var headers = Map.of(
                "User-Agent",
                "longhaul",
                SignedHeaders.ID,
                notice.id(),
                SignedHeaders.TIME,
                Long.toString(seconds),
                SignedHeaders.SIGNATURE,
                String.join(" ", signatures));
        return new ApiRequest(
                "POST", entry.url(), headers, Optional.of(new RequestBody("application/json", body)), true);
    }

    /** Gives up the messages that are being sent; the next server sends them again. */
    @Override
    public void close() {
        lane.shutdownNow();
        connections.close();
    }
}
