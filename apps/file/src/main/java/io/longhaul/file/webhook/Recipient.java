// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import io.longhaul.backend.http.exchange.AskedPause;
import io.longhaul.engine.secret.Secret;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A recipient of notices. It gets a few messages at a time, so that a slow one does not delay others. Thread-safe. */
final class Recipient implements AutoCloseable {

    /** The most messages that are being sent to one recipient. */
    static final int AT_ONCE = 4;

    /** The most messages that wait to be sent. The rows of all others are found by a later look. */
    static final int WAITING = 1_000;

    /** The time limit from the beginning of an attempt to the end of the answer. */
    static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final NotifyEntry entry;
    private final List<Secret> secrets;
    private final ExecutorService lane;
    private @Nullable HttpClient client;

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
        HttpRequest request;
        try {
            request = request(notice, now);
        } catch (IOException e) {
            return again("its secret cannot be used: " + e.getMessage());
        }
        var exchange = client().sendAsync(request, BodyHandlers.discarding());
        try {
            return answer(exchange.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS), now);
        } catch (TimeoutException e) {
            return again("it did not answer within " + TIMEOUT.toSeconds() + " s");
        } catch (ExecutionException e) {
            return again(e.getCause() instanceof ConnectException ? "no connection" : "the connection broke");
        } finally {
            exchange.cancel(true);
        }
    }

    private static NoticeReception answer(HttpResponse<Void> response, Instant now) {
        return NoticeReception.of(response.statusCode(), AskedPause.of(response.headers(), now));
    }

    private static NoticeReception again(String why) {
        return new NoticeReception.Again(why, Optional.empty());
    }

    private HttpRequest request(EndNotice notice, Instant now) throws IOException {
        var body = notice.about().body().bytes();
        long seconds = now.getEpochSecond();
        var signatures = new ArrayList<String>();
        for (var secret : secrets) {
            signatures.add(Signatures.sign(Signatures.key(secret.read()), notice.id(), seconds, body));
        }
        return HttpRequest.newBuilder(entry.url())
                .header("Content-Type", "application/json")
                .header("User-Agent", "longhaul")
                .header(SignedHeaders.ID, notice.id())
                .header(SignedHeaders.TIME, Long.toString(seconds))
                .header(SignedHeaders.SIGNATURE, String.join(" ", signatures))
                .POST(BodyPublishers.ofByteArray(body))
                .build();
    }

    /** The HTTP client, created at the first message: a server without messages starts faster. */
    private synchronized HttpClient client() {
        if (client == null) {
            client = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(TIMEOUT)
                    .build();
        }
        return client;
    }

    /** Gives up the messages that are being sent; the next server sends them again. */
    @Override
    public void close() {
        lane.shutdownNow();
        closeClient();
    }

    private synchronized void closeClient() {
        if (client != null) {
            client.shutdownNow();
        }
    }
}
