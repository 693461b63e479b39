// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.task.Payload;
import io.longhaul.fakes.FaultyNetwork;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.gateway.call.LongTool;
import io.longhaul.gateway.link.Link;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.testkit.BackendContract;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The contract over calls at a server that the gateway speaks one generation with: a job is a task of that server. */
abstract class GatewayBackendContract extends BackendContract {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Generation generation;

    GatewayBackendContract(Generation generation) {
        this.generation = generation;
    }

    @Override
    protected Outside outside(Path home) throws Exception {
        return new Calls();
    }

    private final class Calls implements Outside {
        private final AtomicInteger begun = new AtomicInteger();
        private final Semaphore beginnings = new Semaphore(0);
        private final Semaphore ends = new Semaphore(0);
        private final CountDownLatch gate = new CountDownLatch(1);
        private final int port;
        private final FaultyNetwork network;
        private McpServer server;
        private boolean hidden;
        private @Nullable Link link;

        Calls() {
            var http = Http.onPort(0);
            server = server(http);
            port = http.port();
            network = new FaultyNetwork(port);
        }

        private McpServer server(Http http) {
            return McpServer.builder("behind", "1.0")
                    .store(new MemoryTaskStore())
                    .tool(Tool.define("job").longRunning().handler((input, task) -> {
                        begun.incrementAndGet();
                        beginnings.release();
                        try {
                            gate.await();
                            return "done";
                        } finally {
                            ends.release();
                        }
                    }))
                    .serve(http);
        }

        @Override
        public Backend newBackend() throws InterruptedException {
            close(link);
            var address = URI.create("http://127.0.0.1:" + network.port() + "/mcp");
            var upstream = Upstream.at("behind", address).generation(generation);
            link = new Link(upstream.server, listing -> {});
            link.start();
            if (!hidden) {
                link.awaitLook(PATIENCE);
            }
            return new LongTool(
                    Map.of(upstream.name(), link), upstream.server, "job", false, new ConcurrentHashMap<>());
        }

        private static void close(@Nullable Link link) {
            if (link != null) {
                link.close();
            }
        }

        @Override
        public Payload origin() {
            return Payload.ofText("{\"dialect\":\"test\"}");
        }

        @Override
        public void endJobs() {
            gate.countDown();
        }

        /** The server comes back without what it had stored. */
        @Override
        public void deleteJobs() {
            server.close();
            server = server(Http.onPort(port));
        }

        @Override
        public int begun() {
            return begun.get();
        }

        @Override
        public void awaitBegun(int jobs) throws InterruptedException {
            assertThat(beginnings.tryAcquire(jobs, PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("%s jobs have begun", jobs)
                    .isTrue();
        }

        @Override
        public boolean isBegun(Payload handle) {
            return handle.text().contains("\"task\":");
        }

        @Override
        public int running() {
            return begun.get() - ends.availablePermits();
        }

        /** A server says that a task is cancelled before its handler has ended. */
        @Override
        public void assertRunning(int jobs) throws InterruptedException {
            int ended = begun.get() - jobs;
            assertThat(ends.tryAcquire(ended, PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("%s of %s jobs have ended", ended, begun)
                    .isTrue();
            ends.release(ended);
            assertThat(running()).isEqualTo(jobs);
        }

        /** A server of Longhaul finds the task of a call that is made again with its key. */
        @Override
        public boolean findsLostStarts() {
            return true;
        }

        @Override
        public boolean canHide() {
            return true;
        }

        @Override
        public void hide(boolean isHidden) {
            hidden = isHidden;
            if (isHidden) {
                network.vanish();
            } else {
                network.heal();
            }
        }

        @Override
        public void awaitLook() {
            network.awaitVanished();
        }

        @Override
        public void holdAnswersOfStarts() {
            network.hold();
        }

        @Override
        public void answerStarts() {
            network.release();
        }

        @Override
        public void close() {
            gate.countDown();
            close(link);
            network.close();
            server.close();
        }
    }
}
