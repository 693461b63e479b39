// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import io.longhaul.client.CallOptions;
import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.requestor.Timeouts;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client of the {@link TestServer}, of one generation: a real {@link McpClient} over a transport in memory. The
 * client supports questions with forms, with links and to a model, and the test answers them with
 * {@link TestTask#answer}. Each call has a connection of its own. Immutable.
 */
public final class TestClient {

    private static final URI ADDRESS = URI.create("http://longhaul-test/mcp");

    /**
     * A message in memory takes no time: time that a test lets pass must never count as a server that does not answer.
     */
    private static final Timeouts TIMEOUTS = new Timeouts(
            Duration.ofDays(10_000), Duration.ofDays(10_000), Timeouts.DEFAULT.trouble(), Timeouts.DEFAULT.poll());

    private final TestServer server;
    private final Generation generation;
    private final Principal principal;
    private final @Nullable QuestionHandler handler;

    TestClient(TestServer server, Generation generation, Principal principal, @Nullable QuestionHandler handler) {
        this.server = server;
        this.generation = generation;
        this.principal = principal;
        this.handler = handler;
    }

    /** This client with another user of this name; by default a client is the local user. */
    public TestClient as(String user) {
        return new TestClient(server, generation, new Principal(user, Principal.Kind.AUTHORIZED), handler);
    }

    /**
     * This client with {@code own} answering its questions; with {@link QuestionHandler#NONE} the client supports no
     * questions.
     */
    public TestClient answering(QuestionHandler own) {
        return new TestClient(server, generation, principal, own);
    }

    /** The generation that the client speaks. */
    public Generation generation() {
        return generation;
    }

    /** Calls a tool with the default options, see {@link #call(String, Object, CallOptions)}. */
    public TestTask call(String tool, Object arguments) {
        return call(tool, arguments, CallOptions.DEFAULT);
    }

    /**
     * Calls a tool. Returns when the handler has begun, when the task waits for a slot, for the test's store or for an
     * answer, or when the call has ended.
     *
     * @param arguments a record, a {@link java.util.Map}, or a JSON object
     */
    public TestTask call(String tool, Object arguments, CallOptions options) {
        var name = server.nextCall();
        var questions = new Questions(server.news());
        var client = connect(name, handler == null ? questions.handler() : handler);
        var task = new TestTask(server, name, tool, generation, questions, client.call(tool, arguments, options));
        task.awaitBegin();
        return task;
    }

    /** Connects a client for requests other than calls of tools; the client is closed at the end of the test. */
    public McpClient connect() {
        return connect(server.nextCall(), handler == null ? QuestionHandler.NONE : handler);
    }

    private McpClient connect(String name, QuestionHandler answers) {
        var client = McpClient.to(ADDRESS)
                .over(() -> server.way(principal, name))
                .name("longhaul-test", name)
                .generation(generation)
                .answers(answers)
                .time(new ClientTime(server.clock(), server.news()))
                .timeouts(TIMEOUTS)
                .connect();
        server.opened(client);
        return client;
    }

    @Override
    public String toString() {
        return "a client of " + generation;
    }
}
