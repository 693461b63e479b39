// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.fakes.Blocking;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each test here is itself the one that leaves something behind. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class NothingLeftTest {

    private final NothingLeft impatient = new NothingLeft(Duration.ZERO);
    private final NothingLeft patient = new NothingLeft(Duration.ofSeconds(50));
    private ExtensionContext context;

    @RegisterExtension
    @SuppressWarnings("unused")
    private final BeforeEachCallback contexts = own -> context = own;

    /** One way to leave something behind each; closing what it gives takes it away. */
    private enum Leak {
        PLATFORM_THREAD("thread") {
            @Override
            AutoCloseable begin() {
                return parked(Thread.ofPlatform().name("leaked"));
            }
        },
        VIRTUAL_THREAD("virtual thread") {
            @Override
            AutoCloseable begin() {
                return parked(Thread.ofVirtual().name("leaked"));
            }
        },
        VIRTUAL_THREAD_OF_AN_EXECUTOR("virtual thread") {
            @Override
            AutoCloseable begin() {
                var executor = Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("leaked").factory());
                var end = new CountDownLatch(1);
                executor.execute(() -> Blocking.await(end));
                return end::countDown;
            }
        },
        PROCESS("process") {
            @Override
            AutoCloseable begin() throws Exception {
                var process = new ProcessBuilder("cat").start();
                return () -> {
                    process.destroyForcibly().waitFor();
                    process.getOutputStream().close();
                };
            }
        },
        PROCESS_OF_A_PROCESS("sleep 1000") {
            @Override
            AutoCloseable begin() throws Exception {
                var process = new ProcessBuilder("/bin/sh", "-c", "sleep 1000 & echo begun; wait").start();
                process.inputReader().readLine();
                return () -> {
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                    process.destroyForcibly().waitFor();
                    process.getOutputStream().close();
                };
            }
        },
        LISTENING_SOCKET("socket:") {
            @Override
            AutoCloseable begin() throws Exception {
                return ServerSocketChannel.open().bind(null);
            }
        },
        CONNECTED_SOCKET("socket:") {
            @Override
            AutoCloseable begin() throws Exception {
                try (var server = ServerSocketChannel.open().bind(null)) {
                    return SocketChannel.open(server.getLocalAddress());
                }
            }
        },
        PIPE("pipe:") {
            @Override
            AutoCloseable begin() throws Exception {
                var pipe = Pipe.open();
                return () -> {
                    pipe.sink().close();
                    pipe.source().close();
                };
            }
        };

        private final String told;

        Leak(String told) {
            this.told = told;
        }

        abstract AutoCloseable begin() throws Exception;

        private static AutoCloseable parked(Thread.Builder builder) {
            var end = new CountDownLatch(1);
            builder.start(() -> Blocking.await(end));
            return end::countDown;
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_test_that_leaves_something_behind_fails_and_says_what(Leak leak) throws Exception {
        impatient.beforeEach(context);
        try (var left = leak.begin()) {
            assertThatThrownBy(() -> impatient.afterEach(context))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("left behind:\n")
                    .hasMessageContaining(leak.told);
        }
        patient.afterEach(context);
    }

    @Test
    void what_was_there_before_the_test_may_stay() throws Exception {
        try (var before = Leak.VIRTUAL_THREAD.begin();
                var alsoBefore = Leak.LISTENING_SOCKET.begin()) {
            impatient.beforeEach(context);
            assertThatCode(() -> impatient.afterEach(context)).doesNotThrowAnyException();
        }
    }

    @Test
    void what_is_about_to_end_is_waited_for() throws Exception {
        patient.beforeEach(context);
        var test = Thread.currentThread();
        var ending = Thread.ofVirtual().start(() -> {
            while (test.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
        });
        patient.afterEach(context);
        assertThat(ending.isAlive()).isFalse();
    }
}
