// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.server.McpServerBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Serves your own tools to the tests of a class: a server in memory for each test, which the test can crash and
 * restart, clients of every generation, and a clock that only the test moves. A test takes {@link TestServer},
 * {@link TestClient} and {@link TestClock} as parameters.
 *
 * <pre>{@code
 * class RolloutTest {
 *
 *     @RegisterExtension
 *     final LonghaulExtension longhaul = LonghaulExtension.serving(server -> server.toolsOf(new Rollout()));
 *
 *     @EveryGeneration(that = Capability.ELICITATION)
 *     void releases_what_a_person_approves(TestClient client) {
 *         var task = client.call("rollout", Map.of("version", "1.4"));
 *         assertThat(task).asked("release");
 *         task.answer("release", Map.of("approved", true));
 *         assertThat(task).completedWith("1.4 is released");
 *     }
 * }
 * }</pre>
 *
 * <p>No wait is a fixed sleep: a wait ends when its condition holds, and fails the test where the condition never
 * holds.
 */
public final class LonghaulExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {

    static final Namespace HERE = Namespace.create(LonghaulExtension.class);

    private final BiConsumer<McpServerBuilder, TestClock> definition;
    private final @Nullable StoreOpener opener;
    private final Duration patience;

    private LonghaulExtension(
            BiConsumer<McpServerBuilder, TestClock> definition, @Nullable StoreOpener opener, Duration patience) {
        this.definition = definition;
        this.opener = opener;
        this.patience = patience;
    }

    /** Opens a store on files. */
    @FunctionalInterface
    public interface StoreOpener {

        /**
         * Opens the store, anew for each start of a server.
         *
         * @param folder the folder of this test only, empty at first
         */
        TaskStore open(Path folder) throws Exception;
    }

    /**
     * Serves a server that {@code definition} completes. The server has the store and the clock of the test, also where
     * the definition sets others. The definition runs for each start of the server, so that tools are new as in a new
     * process.
     */
    public static LonghaulExtension serving(Consumer<McpServerBuilder> definition) {
        return serving((server, clock) -> definition.accept(server));
    }

    /** As {@link #serving(Consumer)}, for tools that use the test's clock. */
    public static LonghaulExtension serving(BiConsumer<McpServerBuilder, TestClock> definition) {
        return new LonghaulExtension(definition, null, Duration.ofSeconds(10));
    }

    /** Uses a real store instead of memory, in a folder that is deleted after each test. */
    public LonghaulExtension store(StoreOpener real) {
        return new LonghaulExtension(definition, real, patience);
    }

    /** Sets how long a wait may take in real time before it fails the test; ten seconds by default. */
    public LonghaulExtension patience(Duration longest) {
        return new LonghaulExtension(definition, opener, longest);
    }

    /** The objects of one test. */
    private record Site(TestClock clock, Storage storage, TestServer server) {}

    @Override
    public void beforeEach(ExtensionContext context) {
        var clock = new TestClock();
        var storage = opener == null ? Storage.memory() : Storage.files(opener);
        var server = new TestServer(definition, storage, clock, new News(patience));
        context.getStore(HERE).put(this, new Site(clock, storage, server));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        var site = context.getStore(HERE).remove(this, Site.class);
        if (site != null) {
            site.server.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        var type = parameter.getParameter().getType();
        return type == TestServer.class || type == TestClient.class || type == TestClock.class;
    }

    /**
     * Gives a parameter. A client has the generation of an {@link EveryGeneration} test, else the newest generation.
     */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        var site = context.getStore(HERE).get(this, Site.class);
        if (site == null) {
            throw new IllegalStateException(
                    "the server of a test is there for the test itself: take it as a parameter of the"
                            + " method of the test, or of one that runs before each");
        }
        var type = parameter.getParameter().getType();
        if (type == TestClock.class) {
            return site.clock;
        }
        if (type == TestServer.class) {
            return site.server;
        }
        var generation = context.getStore(HERE).get(Generation.class, Generation.class);
        return site.server.client(generation == null ? ClientDialects.newest().generation() : generation);
    }
}
