// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.cli.text.JsonText;
import io.longhaul.testkit.LocalHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import tools.jackson.databind.JsonNode;

/** A recipient that is told of the ends of tasks, and answers as a test wants. */
public final class TestRecipient implements AutoCloseable {

    /** An answer that comes when the recipient is closed. */
    public static final int NEVER = 0;

    /**
     * A message that came in.
     *
     * @param isSigned whether its signature is good for the secret
     */
    public record Message(String id, JsonNode body, boolean isSigned) {

        /** Of which task it tells. */
        public String task() {
            return body.at("/data/taskId").asString();
        }

        String type() {
            return body.path("type").asString();
        }
    }

    private final String secret;
    private final LocalHttp http;
    private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
    private final Queue<Integer> answers = new ConcurrentLinkedQueue<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile int usual = 204;
    private volatile String retryAfter = "";

    /** @param secret that signs what it is told */
    public TestRecipient(String secret) throws IOException {
        this.secret = secret;
        http = new LocalHttp("/", this::serve);
    }

    /** Its address. */
    public String url() {
        return http.origin() + "/hook";
    }

    /** Answers the next messages with these, and all others with 204. */
    public void answer(int... statuses) {
        for (int status : statuses) {
            answers.add(status);
        }
    }

    /** Answers all messages with this from now on. */
    public void answerAlways(int status) {
        usual = status;
    }

    void askFor(String pause) {
        retryAfter = pause;
    }

    /** The next message; waits for it. */
    public Message take() throws InterruptedException {
        return messages.take();
    }

    /** The messages that came in and were not taken. */
    public List<Message> rest() {
        return List.copyOf(messages);
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = exchange.getRequestBody().readAllBytes();
            var headers = exchange.getRequestHeaders();
            var claim = SignedHeaders.of(
                    SignatureScheme.STANDARD,
                    name -> Optional.ofNullable(headers.getFirst(name)),
                    Instant.ofEpochSecond(Long.parseLong(headers.getFirst(SignedHeaders.TIME))));
            var isSigned =
                    claim.isPresent() && claim.get().isSigned(List.of(secret.getBytes(StandardCharsets.UTF_8)), body);
            var status = Optional.ofNullable(answers.poll()).orElse(usual);
            messages.add(new Message(
                    headers.getFirst(SignedHeaders.ID),
                    JsonText.read(new String(body, StandardCharsets.UTF_8)),
                    isSigned));
            if (status == NEVER) {
                closed.await();
                return;
            }
            if (!retryAfter.isEmpty()) {
                exchange.getResponseHeaders().set("Retry-After", retryAfter);
            }
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(status, -1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        http.close();
    }
}
