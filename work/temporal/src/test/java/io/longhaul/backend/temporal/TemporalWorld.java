// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.grpc.BindableService;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.RespondActivityTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskCompletedResponse;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionResponse;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowException;
import io.temporal.common.converter.DataConverter;
import io.temporal.internal.testservice.TestServicesStarter;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Temporal as the test server has it, on a port for Longhaul, where a test can hide it and hold answers back, and in
 * this process for a worker, whose SDK gives a connection a few seconds only. It goes on while servers of Longhaul come
 * and go.
 */
final class TemporalWorld implements AutoCloseable {

    static final String QUEUE = "jobs";

    /** What gives a worker a workflow task. */
    private static final Set<String> STIRRING =
            Set.of("StartWorkflowExecution", "SignalWorkflowExecution", "RequestCancelWorkflowExecution");

    private final TestServicesStarter services = new TestServicesStarter(true, 0);
    private final Server front;
    private final Server back;
    private final ManagedChannel way;
    private WorkflowServiceStubs workerStubs;
    private final WorkflowServiceStubs stubs;
    private WorkerFactory workers;
    private final WorkflowClient client;

    final List<Metadata> headers = new ArrayList<>();
    final List<String> methods = new ArrayList<>();
    private final Set<String> workflows = ConcurrentHashMap.newKeySet();
    private final Set<String> runs = ConcurrentHashMap.newKeySet();
    private CompletableFuture<Void> answers = CompletableFuture.completedFuture(null);
    private Status refusal = Status.OK;
    private boolean isEnded;

    /** Completed when the activities shall end. */
    final CompletableFuture<Void> endOfActivities = new CompletableFuture<>();

    /** The test server loses the end of a workflow that comes in one task with a query, so that nobody queries then. */
    private volatile boolean isBusy;

    private int refused;

    private final DataConverter converter;

    TemporalWorld() throws IOException {
        this(DataConverter.getDefaultInstance());
    }

    /** @param converter what the workers make payloads by */
    TemporalWorld(DataConverter converter) throws IOException {
        this.converter = converter;
        front = server(NettyServerBuilder.forPort(0), services.getServices(), new Front());
        var name = InProcessServerBuilder.generateName();
        back = server(InProcessServerBuilder.forName(name), services.getServices(), new Back());
        way = InProcessChannelBuilder.forName(name).build();
        stubs = stubs();
        client = WorkflowClient.newInstance(stubs);
        workers = workers();
    }

    private WorkflowServiceStubs stubs() {
        return WorkflowServiceStubs.newServiceStubs(
                WorkflowServiceStubsOptions.newBuilder().setChannel(way).build());
    }

    /** Without a cache each task of a workflow replays its history. */
    private WorkerFactory workers() {
        workerStubs = stubs();
        var options = WorkerFactoryOptions.newBuilder().setWorkflowCacheSize(0).build();
        var coding =
                WorkflowClientOptions.newBuilder().setDataConverter(converter).build();
        var factory = WorkerFactory.newInstance(WorkflowClient.newInstance(workerStubs, coding), options);
        var worker = factory.newWorker(QUEUE);
        worker.registerWorkflowImplementationTypes(Workflows.TYPES);
        worker.registerActivitiesImplementations(new Workflows.PagesUntil(endOfActivities));
        factory.start();
        return factory;
    }

    private static Server server(
            ServerBuilder<?> builder, List<BindableService> services, ServerInterceptor interceptor)
            throws IOException {
        services.forEach(service -> builder.addService(ServerInterceptors.intercept(service, interceptor)));
        return builder.build().start();
    }

    /** Sees which workflow tasks are done. */
    private final class Back implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> next) {
            var answer = new SimpleForwardingServerCall<Q, A>(call) {
                @Override
                public void sendMessage(A message) {
                    if (message instanceof RespondWorkflowTaskCompletedResponse) {
                        isBusy = false;
                    }
                    super.sendMessage(message);
                }
            };
            return new SimpleForwardingServerCallListener<Q>(next.startCall(answer, metadata)) {
                @Override
                public void onMessage(Q message) {
                    if (message instanceof RespondActivityTaskCompletedRequest) {
                        isBusy = true;
                    }
                    super.onMessage(withoutSticking(message));
                }
            };
        }
    }

    /** The test server never takes back what it has put on the own queue of a worker that is gone. */
    @SuppressWarnings("unchecked")
    private static <Q> Q withoutSticking(Q message) {
        return message instanceof RespondWorkflowTaskCompletedRequest completed
                ? (Q) completed.toBuilder().clearStickyAttributes().build()
                : message;
    }

    private final class Front implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> next) {
            var method = call.getMethodDescriptor().getBareMethodName();
            if (STIRRING.contains(method)) {
                isBusy = true;
            }
            var why = seen(method, metadata);
            if (!why.isOk()) {
                call.close(why, new Metadata());
                return new ServerCall.Listener<>() {};
            }
            var answer = new Answer<Q, A>(call);
            return new SimpleForwardingServerCallListener<Q>(next.startCall(answer, metadata)) {
                @Override
                public void onMessage(Q message) {
                    if (message instanceof StartWorkflowExecutionRequest start) {
                        workflows.add(start.getWorkflowId());
                    }
                    super.onMessage(message);
                }
            };
        }
    }

    private synchronized Status seen(String method, Metadata metadata) {
        headers.add(metadata);
        methods.add(method);
        refused += refusal.isOk() ? 0 : 1;
        notifyAll();
        return refusal.isOk() && isBusy && "QueryWorkflow".equals(method) ? Status.UNAVAILABLE : refusal;
    }

    /** The answer to a start may be held back. */
    private final class Answer<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private CompletableFuture<Void> before = CompletableFuture.completedFuture(null);

        Answer(ServerCall<Q, A> call) {
            super(call);
        }

        @Override
        public void sendMessage(A message) {
            if (message instanceof StartWorkflowExecutionResponse started) {
                before = begun(started.getRunId());
            }
            before.thenRun(() -> super.sendMessage(message));
        }

        @Override
        public void close(Status status, Metadata trailers) {
            // What is refused gives a worker nothing to do.
            if (!status.isOk() && STIRRING.contains(getMethodDescriptor().getBareMethodName())) {
                isBusy = false;
            }
            before.thenRun(() -> super.close(status, trailers));
        }
    }

    private synchronized CompletableFuture<Void> begun(String run) {
        runs.add(run);
        notifyAll();
        if (isEnded) {
            CompletableFuture.runAsync(this::endAll);
        }
        return answers;
    }

    /** Ends each {@link Workflows.Hold}, those too that begin later. */
    synchronized void endHolds() {
        isEnded = true;
        endAll();
    }

    private void endAll() {
        workflows.forEach(id -> {
            try {
                client.newUntypedWorkflowStub(id).signal("end");
            } catch (WorkflowException hasEnded) {
                // All the better.
            }
        });
    }

    /** Ends all workflows, and knows none of them any more. */
    void delete() {
        workflows.forEach(id -> client.newUntypedWorkflowStub(id).terminate("deleted"));
        refuse(Status.NOT_FOUND);
    }

    Set<String> workflows() {
        return Set.copyOf(workflows);
    }

    WorkflowClient client() {
        return client;
    }

    String address() {
        return "127.0.0.1:" + front.getPort();
    }

    /** From now on all requests of Longhaul are answered so. */
    synchronized void refuse(Status status) {
        refusal = status;
        refused = 0;
    }

    synchronized void awaitRefused() throws InterruptedException {
        while (refused == 0) {
            wait();
        }
    }

    synchronized void holdAnswersOfStarts() {
        answers = new CompletableFuture<>();
    }

    synchronized void answerStarts() {
        answers.complete(null);
    }

    synchronized int begun() {
        return runs.size();
    }

    synchronized void awaitBegun(int jobs) throws InterruptedException {
        while (runs.size() < jobs) {
            wait();
        }
    }

    synchronized Set<String> runs() {
        return Set.copyOf(runs);
    }

    /** An action in which no worker is there; the one behind it knows nothing of the one before. */
    void restartWorkers(Meanwhile action) throws Exception {
        workers.shutdownNow();
        workerStubs.shutdownNow();
        action.run();
        workers = workers();
    }

    /** What happens without a worker. */
    @FunctionalInterface
    interface Meanwhile {
        void run() throws Exception;
    }

    synchronized void awaitSignals(int count) throws InterruptedException {
        while (methods.stream().filter("SignalWorkflowExecution"::equals).count() < count) {
            wait();
        }
    }

    /** Whether the run of a workflow goes on. */
    boolean isRunning(String workflow) {
        return stubs.blockingStub()
                        .describeWorkflowExecution(DescribeWorkflowExecutionRequest.newBuilder()
                                .setNamespace("default")
                                .setExecution(WorkflowExecution.newBuilder().setWorkflowId(workflow))
                                .build())
                        .getWorkflowExecutionInfo()
                        .getStatus()
                == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
    }

    @Override
    public void close() throws InterruptedException {
        answerStarts();
        endOfActivities.complete(null);
        workers.shutdownNow();
        workerStubs.shutdownNow();
        stubs.shutdownNow();
        way.shutdownNow();
        front.shutdownNow().awaitTermination();
        back.shutdownNow().awaitTermination();
        services.close();
    }
}
