// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.stub.StreamObserver;
import io.longhaul.backend.temporal.request.TemporalConnections;
import io.longhaul.engine.run.Starts;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.history.v1.History;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.WorkflowExecutionCompletedEventAttributes;
import io.temporal.api.history.v1.WorkflowExecutionContinuedAsNewEventAttributes;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse;
import io.temporal.api.workflowservice.v1.GetSystemInfoRequest;
import io.temporal.api.workflowservice.v1.GetSystemInfoResponse;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryRequest;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryResponse;
import io.temporal.api.workflowservice.v1.QueryWorkflowRequest;
import io.temporal.api.workflowservice.v1.QueryWorkflowResponse;
import io.temporal.api.workflowservice.v1.RequestCancelWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.RequestCancelWorkflowExecutionResponse;
import io.temporal.api.workflowservice.v1.SignalWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.SignalWorkflowExecutionResponse;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionResponse;
import io.temporal.api.workflowservice.v1.TerminateWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.TerminateWorkflowExecutionResponse;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceImplBase;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** What Temporal answers, where a test says all of it. Each run is over at once, with the text "done" unless said. */
final class ScriptedTemporal extends WorkflowServiceImplBase implements AutoCloseable {

    final List<StartWorkflowExecutionRequest> starts = new CopyOnWriteArrayList<>();
    final List<RequestCancelWorkflowExecutionRequest> cancels = new CopyOnWriteArrayList<>();
    final List<TerminateWorkflowExecutionRequest> terminations = new CopyOnWriteArrayList<>();
    final List<SignalWorkflowExecutionRequest> signals = new CopyOnWriteArrayList<>();
    final List<QueryWorkflowRequest> queries = new CopyOnWriteArrayList<>();
    final List<Metadata> headers = new CopyOnWriteArrayList<>();

    /** Who has shown a certificate. */
    final List<String> peers = new CopyOnWriteArrayList<>();

    /** The last events of runs by their ids, where the present run has none. */
    final Map<String, HistoryEvent> ends = new ConcurrentHashMap<>();

    /** What each query is answered in turn, as JSON; the last one again and again. */
    final List<String> looks = new ArrayList<>(List.of("{}"));

    /** The details of the heartbeats of the pending activities as JSON, from the oldest heartbeat to the newest. */
    final List<String> heartbeats = new CopyOnWriteArrayList<>();

    /** What all requests but that for what the server is are refused with. */
    volatile Status refusal = Status.OK;

    volatile int refused;

    /** What happens at each request that is not refused already, by its method; gives what it is refused with. */
    volatile Function<String, Status> atRequest = method -> Status.OK;

    /** What is done where runs go on, of which each request for the end is told at once; null where they have ended. */
    volatile @Nullable Runnable whileOpen;

    /** How many milliseconds the requests for ends had. */
    final List<Long> deadlines = new CopyOnWriteArrayList<>();

    private final Server server;

    /** A backend whose pauses take no time, but by the clock. */
    static TemporalBackend backend(AtomicReference<Instant> now) {
        return new TemporalBackend(new TemporalBackend.Machinery(
                new TemporalConnections(),
                new Starts<>(),
                time -> now.updateAndGet(instant -> instant.plus(time)),
                now::get,
                () -> 0.5));
    }

    ScriptedTemporal(@Nullable SslContext encryption) throws IOException {
        var builder = NettyServerBuilder.forPort(0).addService(this).intercept(new Seen());
        server = (encryption == null ? builder : builder.sslContext(encryption))
                .build()
                .start();
    }

    static HistoryEvent completed(String json) {
        return HistoryEvent.newBuilder()
                .setWorkflowExecutionCompletedEventAttributes(
                        WorkflowExecutionCompletedEventAttributes.newBuilder().setResult(json(json)))
                .build();
    }

    static HistoryEvent continuedAs(String run) {
        return HistoryEvent.newBuilder()
                .setWorkflowExecutionContinuedAsNewEventAttributes(
                        WorkflowExecutionContinuedAsNewEventAttributes.newBuilder()
                                .setNewExecutionRunId(run))
                .build();
    }

    private static Payloads json(String json) {
        return Payloads.newBuilder()
                .addPayloads(Payload.newBuilder()
                        .putMetadata("encoding", ByteString.copyFromUtf8("json/plain"))
                        .setData(ByteString.copyFromUtf8(json)))
                .build();
    }

    private final class Seen implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> next) {
            headers.add(metadata);
            var method = call.getMethodDescriptor().getBareMethodName();
            var status = "GetSystemInfo".equals(method) ? Status.OK : refusal;
            status = status.isOk() ? atRequest.apply(String.valueOf(method)) : status;
            if (!status.isOk()) {
                refused++;
                call.close(status, new Metadata());
                return new ServerCall.Listener<>() {};
            }
            var session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
            try {
                if (session != null) {
                    peers.add(session.getPeerPrincipal().getName());
                }
            } catch (SSLPeerUnverifiedException none) {
                peers.add("nobody");
            }
            return next.startCall(call, metadata);
        }
    }

    private static <A> void answer(StreamObserver<A> to, A answer) {
        to.onNext(answer);
        to.onCompleted();
    }

    @Override
    public void getSystemInfo(GetSystemInfoRequest request, StreamObserver<GetSystemInfoResponse> to) {
        answer(to, GetSystemInfoResponse.getDefaultInstance());
    }

    @Override
    public void startWorkflowExecution(
            StartWorkflowExecutionRequest request, StreamObserver<StartWorkflowExecutionResponse> to) {
        starts.add(request);
        answer(to, StartWorkflowExecutionResponse.newBuilder().setRunId("run-1").build());
    }

    @Override
    public void getWorkflowExecutionHistory(
            GetWorkflowExecutionHistoryRequest request, StreamObserver<GetWorkflowExecutionHistoryResponse> to) {
        var open = whileOpen;
        if (open != null) {
            deadlines.add(Context.current().getDeadline().timeRemaining(TimeUnit.MILLISECONDS));
            open.run();
            answer(to, GetWorkflowExecutionHistoryResponse.getDefaultInstance());
            return;
        }
        var end = ends.getOrDefault(request.getExecution().getRunId(), completed("\"done\""));
        answer(
                to,
                GetWorkflowExecutionHistoryResponse.newBuilder()
                        .setHistory(History.newBuilder().addEvents(end))
                        .build());
    }

    @Override
    public void queryWorkflow(QueryWorkflowRequest request, StreamObserver<QueryWorkflowResponse> to) {
        queries.add(request);
        String look;
        synchronized (looks) {
            look = looks.size() > 1 ? looks.removeFirst() : looks.getFirst();
        }
        answer(to, QueryWorkflowResponse.newBuilder().setQueryResult(json(look)).build());
    }

    @Override
    public void describeWorkflowExecution(
            DescribeWorkflowExecutionRequest request, StreamObserver<DescribeWorkflowExecutionResponse> to) {
        var answer = DescribeWorkflowExecutionResponse.newBuilder();
        for (var details : heartbeats) {
            answer.addPendingActivitiesBuilder()
                    .setHeartbeatDetails(json(details))
                    .setLastHeartbeatTime(Timestamp.newBuilder().setSeconds(answer.getPendingActivitiesCount()));
        }
        answer(to, answer.build());
    }

    @Override
    public void signalWorkflowExecution(
            SignalWorkflowExecutionRequest request, StreamObserver<SignalWorkflowExecutionResponse> to) {
        signals.add(request);
        answer(to, SignalWorkflowExecutionResponse.getDefaultInstance());
    }

    @Override
    public void requestCancelWorkflowExecution(
            RequestCancelWorkflowExecutionRequest request, StreamObserver<RequestCancelWorkflowExecutionResponse> to) {
        cancels.add(request);
        answer(to, RequestCancelWorkflowExecutionResponse.getDefaultInstance());
    }

    @Override
    public void terminateWorkflowExecution(
            TerminateWorkflowExecutionRequest request, StreamObserver<TerminateWorkflowExecutionResponse> to) {
        terminations.add(request);
        answer(to, TerminateWorkflowExecutionResponse.getDefaultInstance());
    }

    String address() {
        return "127.0.0.1:" + server.getPort();
    }

    @Override
    public void close() throws InterruptedException {
        server.shutdownNow().awaitTermination();
    }
}
