// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.client.handle.HandleStoreRows;
import io.longhaul.client.question.QuestionTranslator;
import io.longhaul.client.request.ServerRequestors;
import io.longhaul.client.request.ServerResponses;
import io.longhaul.client.request.SystemRequestorTime;
import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.transport.client.Authorization;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.AnswerTaskRows;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.RequestorTime;
import io.longhaul.requestor.Timeouts;
import io.longhaul.requestor.TransportFactory;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.transport.ClientHttp;
import io.longhaul.transport.ClientStdio;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Configures the connection to a server. Not thread-safe. */
public final class McpClientBuilder {

    private static final Logger log = LoggerFactory.getLogger(McpClient.class);
    private static final Duration GRACE = Duration.ofSeconds(2);

    /** The requestor limits the time for an answer; the transport limits only the silence within a stream. */
    private static final ClientHttp.HttpTimeouts HTTP =
            new ClientHttp.HttpTimeouts(Duration.ofSeconds(10), Duration.ZERO, Duration.ofMinutes(5));

    private final ServerAddress address;
    private String name = "longhaul";
    private String version = "0.1";
    private @Nullable Generation generation;
    private QuestionHandler answers = QuestionHandler.NONE;
    private @Nullable Answerer answerer;
    private Timeouts timeouts = Timeouts.DEFAULT;
    private WireLimits limits = WireLimits.DEFAULT;
    private RequestorTime time = SystemRequestorTime.INSTANCE;
    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private @Nullable Authorization authorization;
    private @Nullable TransportFactory transports;
    private @Nullable HandleStore handles;
    private @Nullable HttpClient http;
    private Consumer<String> troubled = sentence -> {};

    McpClientBuilder(ServerAddress address) {
        this.address = address;
    }

    /** The name and version under which the client introduces itself. */
    public McpClientBuilder name(String clientName, String clientVersion) {
        name = clientName;
        version = clientVersion;
        return this;
    }

    /**
     * Speaks only this generation; by default the newest revision that the server speaks. Verbs that a draft lacks,
     * such as cancelling the task of another client, still go through the newest revision.
     */
    public McpClientBuilder generation(Generation only) {
        generation = only;
        return this;
    }

    /** Answers the server's questions with this handler; by default the client answers no questions. */
    public McpClientBuilder answers(QuestionHandler handler) {
        answers = handler;
        return this;
    }

    /** Answers the server's questions in the words of the protocol, instead of by a handler. */
    public McpClientBuilder answers(Answerer raw) {
        answerer = raw;
        return this;
    }

    /** Keeps calls so that they outlive this client; by default no call is kept. */
    public McpClientBuilder handles(HandleStore store) {
        handles = store;
        return this;
    }

    /** How long the client waits for an answer, and for a server that is away. */
    public McpClientBuilder timeouts(Timeouts newTimeouts) {
        timeouts = newTimeouts;
        return this;
    }

    /**
     * Tells {@code listener}, in one sentence, each trouble after which this client tries again, as while the server
     * is away. A call tells its own by {@link CallUpdate.Trouble}, too.
     */
    public McpClientBuilder onTrouble(Consumer<String> listener) {
        troubled = listener;
        return this;
    }

    /** Limits for what the server may send. */
    public McpClientBuilder limits(WireLimits wireLimits) {
        limits = wireLimits;
        return this;
    }

    /**
     * Adds a header to every HTTP request, such as the key that a gateway wants. The headers of the protocol itself
     * cannot be replaced. No effect over standard input and output.
     *
     * @throws IllegalArgumentException where the name or the value is not valid in a header
     */
    public McpClientBuilder header(String headerName, String value) {
        HttpRequest.newBuilder().setHeader(headerName, value);
        headers.put(headerName, value);
        return this;
    }

    /** Sends this token with every HTTP request. The client gets no other token when the server refuses this one. */
    public McpClientBuilder bearer(String token) {
        return header("Authorization", "Bearer " + token);
    }

    /**
     * Gets authorized in this way when the server asks for authorization. No effect over standard input and output:
     * there "the environment" of the started program holds its credentials.
     */
    public McpClientBuilder authorize(Authorization way) {
        authorization = way;
        return this;
    }

    /**
     * Sends HTTP requests by {@code client}, with its proxy, its certificates and its connect timeout. The HTTP client
     * stays open when this client closes, and may serve many clients. An authorization sends requests of its own: give
     * OAuth the same HTTP client. No effect over standard input and output.
     *
     * @throws IllegalArgumentException where the HTTP client follows redirects: tokens are meant for the server alone
     */
    public McpClientBuilder over(HttpClient client) {
        http = ClientHttp.checked(client);
        return this;
    }

    /** Another clock than the real one, for tests. */
    public McpClientBuilder time(RequestorTime clock) {
        time = clock;
        return this;
    }

    /** Reaches the server over this transport, such as one in memory. The server's address is then only a name. */
    public McpClientBuilder over(TransportFactory factory) {
        transports = factory;
        return this;
    }

    static QuestionTranslator translator(QuestionHandler answers, AnswerTaskRows rows) {
        return new QuestionTranslator(answers.forms, answers.links, answers.sampling, answers.roots, rows);
    }

    /**
     * Connects, and finds out what the server speaks.
     *
     * @throws McpClientException when there is no server, or the server speaks no generation that the client speaks
     */
    public McpClient connect() {
        var rows = handles == null ? AnswerTaskRows.NONE : new HandleStoreRows(handles, TaskReference.printed(address));
        var handler = translator(answers, rows);
        var info = JsonTree.write(JsonTree.object().put("name", name).put("version", version));
        var settings = new RequestorSettings(
                info,
                answerer == null ? handler : answerer,
                timeouts,
                time,
                Optional.ofNullable(generation),
                authorizer());
        try {
            var requestor = Requestor.open(transports(), settings);
            requestor.onTrouble(troubled);
            handler.serverIs(requestor.hello().name());
            return new McpClient(address, new ServerRequestors(requestor), handles);
        } catch (TransportException e) {
            throw ServerResponses.failed(e);
        }
    }

    private RequestAuthorizer authorizer() {
        var fixed = RequestAuthorizer.fixed(headers);
        return authorization != null && address instanceof ServerAddress.Http(var uri)
                ? authorization.at(uri).over(fixed)
                : fixed;
    }

    private TransportFactory transports() {
        var chosen = transports;
        if (chosen != null) {
            return chosen;
        }
        return switch (address) {
            case ServerAddress.Http(var uri) -> () -> clientHttp(uri);
            case ServerAddress.Command(var command) ->
                () -> ClientStdio.start(new ProcessBuilder(command), line -> log.debug("{}", line), limits, GRACE);
        };
    }

    private ClientHttp clientHttp(URI server) {
        return http == null ? new ClientHttp(server, limits, HTTP) : new ClientHttp(server, limits, HTTP, http);
    }
}
