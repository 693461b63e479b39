// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transcripts;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.server.McpServer;
import io.longhaul.server.Prompt;
import io.longhaul.server.Resource;
import io.longhaul.server.Tool;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A whole server, reached over HTTP and over a lasting connection, and what can happen at it. */
final class Site implements AutoCloseable {

    /** For how long a request for an outcome has no stream. */
    private static final Duration QUIET = Duration.ofMillis(20);

    /** A call for the next part waits no longer. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    /** And one for the first part, no longer than this. */
    private static final Duration FIRST_WAIT = Duration.ofSeconds(3);

    private final FakeTime time = new FakeTime();
    private final Offer offer = new Offer();
    private final MemoryTaskStore store = new MemoryTaskStore();
    private final MemoryTransport memory = new MemoryTransport();
    private final Http http = Http.onPort(0).legacySse();
    private final McpServer server;

    /** @param names what it offers, apart from each other by a comma and a blank */
    Site(String names) {
        var made = McpServer.builder("reports", "1.0").store(store).time(time);
        for (var name : names.split(", ")) {
            offer.add(name, made);
        }
        server = made.serve(memory, http);
    }

    Connection connect() {
        return new Connection(memory.connect(Principal.LOCAL));
    }

    URI address() {
        return http.url();
    }

    private void hasBegun() throws InterruptedException {
        if (!offer.begun.tryAcquire(1, TimeUnit.MINUTES)) {
            throw new AssertionError("what is slow has not begun within a minute");
        }
    }

    private void passes(Duration wait) throws InterruptedException {
        time.awaitAlarmIn(wait);
        time.advance(wait);
    }

    /** Does what a line of a transcript says. */
    void happen(String sentence) throws InterruptedException {
        switch (sentence) {
            case "what is slow has begun" -> hasBegun();
            case "what is slow goes on" -> offer.gate.release();
            case "the outcome does not come soon" -> passes(QUIET);
            case "the first part does not come" -> passes(FIRST_WAIT);
            case "a call waits in vain" -> passes(LONGEST_WAIT);
            case "the host would give up soon" -> passes(PlainHosts.DEFAULT.hold());
            case "an hour passes" -> time.advance(Duration.ofHours(1));
            case "a week passes" -> time.advance(Duration.ofDays(7));
            case "a tool is added" -> server.addTool(Tool.define("more").handler((none, task) -> "more"));
            case "a prompt is added" -> server.addPrompt(Prompt.define("more").text("More of it"));
            case "a resource is added" ->
                server.addResource(Resource.define("note://more").text("more"));
            case "note://one changes" -> server.notifyResourceUpdated("note://one");
            case "the account is connected" -> {
                offer.connected.set(true);
                server.notifyElicitationComplete("e-1");
            }
            case "the server stops" -> server.close();
            default -> throw new IllegalArgumentException("nothing like that can happen: " + sentence);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
