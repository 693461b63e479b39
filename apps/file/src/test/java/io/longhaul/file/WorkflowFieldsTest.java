// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.stub.StreamObserver;
import io.longhaul.backend.temporal.TemporalBackend;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.file.tree.ConfigException;
import io.longhaul.file.work.WorkflowEntry;
import io.longhaul.testkit.Certificates;
import io.longhaul.testkit.LocalHttp;
import io.longhaul.testkit.RunInMemory;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.history.v1.History;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.WorkflowExecutionCompletedEventAttributes;
import io.temporal.api.workflowservice.v1.GetSystemInfoRequest;
import io.temporal.api.workflowservice.v1.GetSystemInfoResponse;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryRequest;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryResponse;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionResponse;
import io.temporal.api.workflowservice.v1.TerminateWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.TerminateWorkflowExecutionResponse;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceImplBase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Each field of {@code workflow} does what it says, at a server that wants to see a certificate. */
@Timeout(60)
class WorkflowFieldsTest {

    /** With the certificates, and the file of each test. */
    @TempDir
    private static Path folder;

    private static Certificates certificates;

    private final Temporal temporal = new Temporal();
    private final TemporalBackend workflows = TemporalBackend.create();
    private Server server;

    /** Ends each run at once. */
    private static final class Temporal extends WorkflowServiceImplBase implements ServerInterceptor {
        private final List<StartWorkflowExecutionRequest> starts = new CopyOnWriteArrayList<>();
        private final List<String> terminated = new CopyOnWriteArrayList<>();
        private final List<String> callers = new CopyOnWriteArrayList<>();
        private final List<String> keys = new CopyOnWriteArrayList<>();

        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> next) {
            try {
                var session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
                callers.add(session.getPeerPrincipal().getName());
            } catch (SSLPeerUnverifiedException e) {
                throw new IllegalStateException(e);
            }
            keys.add(metadata.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER)));
            return next.startCall(call, metadata);
        }

        @Override
        public void getSystemInfo(GetSystemInfoRequest request, StreamObserver<GetSystemInfoResponse> to) {
            to.onNext(GetSystemInfoResponse.getDefaultInstance());
            to.onCompleted();
        }

        @Override
        public void startWorkflowExecution(
                StartWorkflowExecutionRequest request, StreamObserver<StartWorkflowExecutionResponse> to) {
            starts.add(request);
            to.onNext(
                    StartWorkflowExecutionResponse.newBuilder().setRunId("run").build());
            to.onCompleted();
        }

        @Override
        public void getWorkflowExecutionHistory(
                GetWorkflowExecutionHistoryRequest request, StreamObserver<GetWorkflowExecutionHistoryResponse> to) {
            var done = Payloads.newBuilder()
                    .addPayloads(io.temporal.api.common.v1.Payload.newBuilder()
                            .putMetadata("encoding", ByteString.copyFromUtf8("json/plain"))
                            .setData(ByteString.copyFromUtf8("\"done\"")));
            var end = HistoryEvent.newBuilder()
                    .setWorkflowExecutionCompletedEventAttributes(WorkflowExecutionCompletedEventAttributes.newBuilder()
                            .setResult(done));
            to.onNext(GetWorkflowExecutionHistoryResponse.newBuilder()
                    .setHistory(History.newBuilder().addEvents(end))
                    .build());
            to.onCompleted();
        }

        @Override
        public void terminateWorkflowExecution(
                TerminateWorkflowExecutionRequest request, StreamObserver<TerminateWorkflowExecutionResponse> to) {
            terminated.add(request.getWorkflowExecution().getWorkflowId());
            to.onNext(TerminateWorkflowExecutionResponse.getDefaultInstance());
            to.onCompleted();
        }
    }

    @BeforeAll
    static void make() throws Exception {
        certificates = Certificates.in(folder);
    }

    @BeforeEach
    void serve() throws Exception {
        var context = GrpcSslContexts.forServer(
                        certificates.certificate("server").toFile(),
                        certificates.key("server").toFile())
                .trustManager(certificates.certificate("authority").toFile())
                .clientAuth(ClientAuth.REQUIRE)
                .build();
        server = NettyServerBuilder.forPort(0)
                .addService(temporal)
                .intercept(temporal)
                .sslContext(context)
                .build()
                .start();
    }

    @AfterEach
    void end() throws InterruptedException {
        workflows.close();
        server.shutdownNow().awaitTermination();
    }

    private WorkflowEntry entry(String more) throws IOException, ConfigException {
        var yaml = """
            tools:
              report:
                input: {quarter: string, rows?: integer, kinds?: [string], note?: string}
                workflow:
                  type: Report
                  taskQueue: reports
                  address: 127.0.0.1:PORT
                  tls: {authority: authority.pem, certificate: client.pem, key: client.key}
            """.replace("PORT", String.valueOf(server.getPort())) + more.indent(6);
        var file = ServerFile.read(Files.writeString(folder.resolve("tools.yaml"), yaml));
        return (WorkflowEntry) file.tools().getFirst().work();
    }

    private Backend backend(WorkflowEntry entry, Map<String, String> env) {
        return workflows.running(
                entry.job().apply(env),
                request -> JsonMapper.shared().readTree(request.bytes()),
                end -> new Outcome.Result(Payload.ofText(end.text()), !end.succeeded()));
    }

    private static RunInMemory done(Backend backend) throws Exception {
        var run = new RunInMemory("{\"quarter\":\"2026Q3\"}");
        assertThat(backend.run(run)).isEqualTo(new Outcome.Result(Payload.ofText("done"), false));
        return run;
    }

    @Test
    void what_a_file_leaves_out_is_as_usual() throws Exception {
        done(backend(entry(""), Map.of()));
        var start = temporal.starts.getFirst();
        assertThat(start.getWorkflowType().getName()).isEqualTo("Report");
        assertThat(start.getTaskQueue().getName()).isEqualTo("reports");
        assertThat(start.getNamespace()).isEqualTo("default");
        assertThat(start.getWorkflowId()).startsWith("longhaul-");
        assertThat(temporal.callers).containsOnly("CN=client");
    }

    @Test
    void a_workflow_has_the_id_of_its_task_where_the_file_says_so() throws Exception {
        var run = done(backend(entry("id: task\n"), Map.of()));
        assertThat(temporal.starts.getFirst().getWorkflowId())
                .isEqualTo(run.id().value());
    }

    @Test
    void what_a_file_says_is_done() throws Exception {
        var entry = entry("""
            namespace: finance
            idPrefix: report-
            apiKey: {env: KEY}
            ui: http://localhost:8233/
            terminate: true
            every: 1ms
            patience: 5s
            """);
        var backend = backend(entry, Map.of("KEY", "secret"));
        var run = done(backend);
        backend.stop(run);
        var start = temporal.starts.getFirst();
        assertThat(start.getNamespace()).isEqualTo("finance");
        assertThat(start.getWorkflowId()).startsWith("report-");
        assertThat(temporal.keys).containsOnly("Bearer secret");
        assertThat(run.logs.getFirst()).contains("http://localhost:8233/namespaces/finance/workflows/report-");
        assertThat(temporal.terminated).containsExactly(start.getWorkflowId());
    }

    private List<String> sent(WorkflowEntry entry, String arguments) throws Exception {
        backend(entry, Map.of()).run(new RunInMemory(arguments));
        return temporal.starts.getFirst().getInput().getPayloadsList().stream()
                .map(payload -> payload.getData().toStringUtf8())
                .toList();
    }

    @Test
    void a_workflow_has_one_argument_where_the_file_names_none() throws Exception {
        assertThat(sent(entry(""), "{\"quarter\":\"2026Q3\",\"rows\":7}"))
                .containsExactly("{\"quarter\":\"2026Q3\",\"rows\":7}");
    }

    @Test
    void a_workflow_has_the_arguments_that_the_file_names() throws Exception {
        var entry = entry("arguments: ['{quarter}', {title: 'Of {quarter}', rows: '{rows}', note: '{note}'}, '{kinds}',"
                + " '{note}', 7]\n");
        assertThat(sent(entry, "{\"quarter\":\"2026Q3\",\"rows\":7,\"kinds\":[\"a\"]}"))
                .containsExactly("\"2026Q3\"", "{\"title\":\"Of 2026Q3\",\"rows\":7}", "[\"a\"]", "null", "7");
    }

    @Test
    void a_workflow_without_arguments_gets_none() throws Exception {
        assertThat(sent(entry("arguments: []\n"), "{\"quarter\":\"2026Q3\"}")).isEmpty();
    }

    @Test
    void an_argument_that_names_no_input_is_a_mistake() {
        assertThatThrownBy(() -> entry("arguments: ['{quater}']\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("workflow.arguments[0]")
                .hasMessageContaining("{quater} is no input of this tool");
    }

    @Test
    void payloads_go_by_the_codec_server_that_the_file_names() throws Exception {
        var asked = new CopyOnWriteArrayList<String>();
        try (var codec = new LocalHttp("/", exchange -> {
            asked.add(exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Authorization") + " "
                    + exchange.getRequestHeaders().getFirst("X-Team"));
            var body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        })) {
            var entry = entry("codec: {url: '" + codec.origin()
                    + "/v1', headers: {X-Team: blue, Authorization: {env: KEY, before: 'Bearer '}}}\n");
            done(backend(entry, Map.of("KEY", "secret")));
        }
        assertThat(asked).contains("/v1/encode Bearer secret blue", "/v1/decode Bearer secret blue");
    }

    @Test
    void a_codec_server_has_an_address_of_http() {
        assertThatThrownBy(() -> entry("codec: {url: codec.example.com}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("'codec.example.com' is no address of a codec server");
    }
}
