// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal.request;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.longhaul.backend.temporal.request.WorkflowCodec.CodecException;
import io.longhaul.engine.task.Progress;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.common.v1.WorkflowType;
import io.temporal.api.enums.v1.HistoryEventFilterType;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.api.errordetails.v1.WorkflowExecutionAlreadyStartedFailure;
import io.temporal.api.query.v1.WorkflowQuery;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflow.v1.PendingActivityInfo;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryRequest;
import io.temporal.api.workflowservice.v1.QueryWorkflowRequest;
import io.temporal.api.workflowservice.v1.RequestCancelWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.SignalWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.TerminateWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceBlockingStub;
import io.temporal.serviceclient.MetricsTag;
import io.temporal.serviceclient.StatusUtils;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The requests to Temporal about one workflow. Each request blocks, and an interrupt aborts it. */
public record WorkflowCalls(
        TemporalConnections connections, TemporalServer server, WorkflowCodec codec, String workflow) {

    /** The query that a workflow answers with its reports. */
    public static final String LOOK = "longhaul_look";

    /** The signal that brings a workflow an answer. */
    public static final String ANSWER = "longhaul_answer";

    private static final Logger LOG = LoggerFactory.getLogger(WorkflowCalls.class);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String IDENTITY = "longhaul";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** The timeout of a request that Temporal holds until a workflow ends, for a minute at most. */
    private static final Duration LONG_POLL = Duration.ofSeconds(70);

    /** Transient errors: Temporal, or a proxy before it, may give another answer to the same request later. */
    private static final Set<Status.Code> PASSING = Set.of(
            Status.Code.UNAVAILABLE,
            Status.Code.DEADLINE_EXCEEDED,
            Status.Code.RESOURCE_EXHAUSTED,
            Status.Code.ABORTED,
            Status.Code.CANCELLED,
            Status.Code.INTERNAL,
            Status.Code.UNKNOWN);

    /** Starts the workflow, or finds it where it was started before, running or ended. */
    public WorkflowStart start(String type, String taskQueue, List<? extends JsonNode> arguments)
            throws InterruptedException {
        var request = StartWorkflowExecutionRequest.newBuilder()
                .setNamespace(server.namespace())
                .setWorkflowId(workflow)
                .setWorkflowType(WorkflowType.newBuilder().setName(type))
                .setTaskQueue(TaskQueue.newBuilder().setName(taskQueue))
                .setIdentity(IDENTITY)
                .setRequestId(workflow)
                .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE)
                .setWorkflowIdConflictPolicy(WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_FAIL);
        try {
            var whole = request.setInput(encoded(arguments)).build();
            return new WorkflowStart.Found(
                    call(TIMEOUT, stub -> stub.startWorkflowExecution(whole)).getRunId());
        } catch (CodecException e) {
            LOG.warn("the workflow {} was not started: its arguments cannot be encoded", workflow, e);
            return e.isPassing()
                    ? new WorkflowStart.Unanswered("the codec does not answer")
                    : new WorkflowStart.Refused("its arguments cannot be encoded, and the log of the server says why.");
        } catch (StatusRuntimeException e) {
            var found = StatusUtils.getFailure(e, WorkflowExecutionAlreadyStartedFailure.class);
            return found != null ? new WorkflowStart.Found(found.getRunId()) : notBegun(e);
        } catch (UncheckedIOException e) {
            LOG.error("the workflow {} cannot be started", workflow, e);
            return new WorkflowStart.Refused(
                    "the server lacks a secret or a file that it needs, and its log has the details.");
        }
    }

    private WorkflowStart notBegun(StatusRuntimeException e) {
        LOG.warn("the workflow {} of {} was not started: {}", workflow, server.address(), e.getStatus());
        var code = e.getStatus().getCode();
        if (PASSING.contains(code)) {
            return new WorkflowStart.Unanswered(said(e));
        }
        return new WorkflowStart.Refused(
                switch (code) {
                    case UNAUTHENTICATED, PERMISSION_DENIED -> "Temporal does not let this server start it.";
                    case NOT_FOUND -> "Temporal does not know the namespace '" + server.namespace() + "'.";
                    default -> "Temporal does not take it: " + said(e);
                });
    }

    /** Waits for the end of a run, as long as Temporal holds a request: about a minute. */
    public WorkflowState awaitEnd(String run) throws InterruptedException {
        return awaitEnd(run, LONG_POLL);
    }

    /** Waits for the end of a run, {@code longest} at most; for the present run where {@code run} is null. */
    public WorkflowState awaitEnd(@Nullable String run, Duration longest) throws InterruptedException {
        var timeout = longest.compareTo(LONG_POLL) < 0 ? longest : LONG_POLL;
        var request = GetWorkflowExecutionHistoryRequest.newBuilder()
                .setNamespace(server.namespace())
                .setExecution(execution(run))
                .setWaitNewEvent(true)
                .setHistoryEventFilterType(HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT)
                .build();
        try {
            var events = call(timeout, stub -> longPolling(stub).getWorkflowExecutionHistory(request))
                    .getHistory()
                    .getEventsList();
            return events.isEmpty() ? new WorkflowState.Open() : StateReader.of(events.getLast(), codec);
        } catch (CodecException e) {
            LOG.warn("the end of the workflow {} cannot be decoded", workflow, e);
            return e.isPassing()
                    ? new WorkflowState.Unseen("the codec does not answer")
                    : new WorkflowState.Failed(
                            "The workflow has ended, and this server cannot decode how; its log says why.", false);
        } catch (StatusRuntimeException e) {
            LOG.debug("the workflow {} cannot be seen", workflow, e);
            return isUnknown(e)
                    ? new WorkflowState.Gone("Temporal does not know the workflow " + workflow
                            + " any more: it was deleted, or ended so long ago that it is not kept.")
                    : new WorkflowState.Unseen(said(e));
        } catch (UncheckedIOException e) {
            LOG.error("the workflow {} cannot be followed", workflow, e);
            return new WorkflowState.Unseen("a secret or a file is missing");
        }
    }

    /** Marks a request as a long poll: the client of Temporal limits all other requests to 10 s. */
    private static WorkflowServiceBlockingStub longPolling(WorkflowServiceBlockingStub stub) {
        return stub.withOption(MetricsTag.HISTORY_LONG_POLL_CALL_OPTIONS_KEY, true);
    }

    /**
     * Queries the reports of a run; empty where Temporal or a worker is unavailable at present.
     *
     * @param logs  the number of known lines
     * @param parts the number of known pieces of output
     */
    public Optional<WorkflowReports> look(String run, int logs, int parts) throws InterruptedException {
        var known = JSON.createObjectNode().put("logs", logs).put("parts", parts);
        var request = QueryWorkflowRequest.newBuilder()
                .setNamespace(server.namespace())
                .setExecution(execution(run));
        try {
            var query = WorkflowQuery.newBuilder().setQueryType(LOOK).setQueryArgs(encoded(List.of(known)));
            var whole = request.setQuery(query).build();
            var payloads = call(TIMEOUT, stub -> stub.queryWorkflow(whole)).getQueryResult();
            return codec.decode(payloads.getPayloadsList()).stream()
                    .findFirst()
                    .map(payload -> WorkflowReports.of(payload.getData().toByteArray()));
        } catch (CodecException e) {
            LOG.warn("what the workflow {} tells of itself cannot be coded", workflow, e);
            return e.isPassing() ? Optional.empty() : Optional.of(WorkflowReports.NOTHING);
        } catch (StatusRuntimeException e) {
            LOG.debug("the workflow {} tells nothing of itself", workflow, e);
            return PASSING.contains(e.getStatus().getCode()) ? Optional.empty() : Optional.of(WorkflowReports.NOTHING);
        } catch (IllegalArgumentException e) {
            LOG.warn("what the workflow {} tells of itself cannot be read", workflow, e);
            return Optional.of(WorkflowReports.NOTHING);
        } catch (UncheckedIOException e) {
            LOG.error("the workflow {} cannot be looked at", workflow, e);
            return Optional.empty();
        }
    }

    /**
     * Reads the progress in the newest heartbeat of the activities that a run waits for; empty where no heartbeat has
     * the form of progress, or Temporal is unavailable at present.
     */
    public Optional<Progress> heartbeat(String run) throws InterruptedException {
        var request = DescribeWorkflowExecutionRequest.newBuilder()
                .setNamespace(server.namespace())
                .setExecution(execution(run))
                .build();
        try {
            var details =
                    call(TIMEOUT, stub -> stub.describeWorkflowExecution(request)).getPendingActivitiesList().stream()
                            .sorted(Comparator.comparing(WorkflowCalls::lastHeartbeat)
                                    .reversed())
                            .flatMap(activity -> activity.getHeartbeatDetails().getPayloadsList().stream())
                            .toList();
            return codec.decode(details).stream()
                    .flatMap(payload ->
                            WorkflowReports.progress(payload.getData().toByteArray()).stream())
                    .findFirst();
        } catch (StatusRuntimeException | UncheckedIOException | CodecException e) {
            LOG.debug("the activities of the workflow {} cannot be seen", workflow, e);
            return Optional.empty();
        }
    }

    private static Instant lastHeartbeat(PendingActivityInfo activity) {
        var time = activity.getLastHeartbeatTime();
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }

    /**
     * Sends a run the answer to its question; Temporal keeps the answer until a worker handles it.
     *
     * @return false where the answer could not be sent, and can be sent later
     */
    public boolean signal(String run, JsonNode answer) throws InterruptedException {
        var request = SignalWorkflowExecutionRequest.newBuilder()
                .setNamespace(server.namespace())
                .setWorkflowExecution(execution(run))
                .setSignalName(ANSWER)
                .setIdentity(IDENTITY);
        try {
            var whole = request.setInput(encoded(List.of(answer))).build();
            return isTaken("answered", stub -> stub.signalWorkflowExecution(whole));
        } catch (CodecException | UncheckedIOException e) {
            LOG.warn("an answer for the workflow {} cannot be encoded", workflow, e);
            return false;
        }
    }

    /** Asks a workflow to cancel itself; false as for {@link #signal}. */
    public boolean cancel() throws InterruptedException {
        var request = RequestCancelWorkflowExecutionRequest.newBuilder()
                .setNamespace(server.namespace())
                .setWorkflowExecution(execution(null))
                .setIdentity(IDENTITY)
                .setRequestId(workflow)
                .setReason("its task was cancelled")
                .build();
        return isTaken("cancelled", stub -> stub.requestCancelWorkflowExecution(request));
    }

    /** Ends a workflow; false as for {@link #signal}. */
    public boolean terminate() throws InterruptedException {
        var request = TerminateWorkflowExecutionRequest.newBuilder()
                .setNamespace(server.namespace())
                .setWorkflowExecution(execution(null))
                .setIdentity(IDENTITY)
                .setReason("its task was cancelled")
                .build();
        return isTaken("terminated", stub -> stub.terminateWorkflowExecution(request));
    }

    /** Whether the request was accepted, or is needless: the workflow has ended or does not exist. */
    private boolean isTaken(String what, Function<WorkflowServiceBlockingStub, ?> request) throws InterruptedException {
        try {
            call(TIMEOUT, request);
            return true;
        } catch (StatusRuntimeException e) {
            LOG.debug("the workflow {} was not {}", workflow, what, e);
            return isUnknown(e);
        } catch (UncheckedIOException e) {
            LOG.error("the workflow {} cannot be {}", workflow, what, e);
            return false;
        }
    }

    private static boolean isUnknown(StatusRuntimeException e) {
        return e.getStatus().getCode() == Status.Code.NOT_FOUND;
    }

    private static String said(StatusRuntimeException e) {
        var description = e.getStatus().getDescription();
        return description == null ? e.getStatus().getCode().name() : description;
    }

    private <T> T call(Duration timeout, Function<WorkflowServiceBlockingStub, T> request) throws InterruptedException {
        var stub = connections.to(server).blockingStub();
        try {
            return request.apply(stub.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS));
        } catch (StatusRuntimeException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("a request to Temporal was broken off");
            }
            throw e;
        }
    }

    private WorkflowExecution execution(@Nullable String run) {
        return WorkflowExecution.newBuilder()
                .setWorkflowId(workflow)
                .setRunId(run == null ? "" : run)
                .build();
    }

    private Payloads encoded(List<? extends JsonNode> values) throws CodecException, InterruptedException {
        var plain = values.stream().map(WorkflowCalls::json).toList();
        return Payloads.newBuilder().addAllPayloads(codec.encode(plain)).build();
    }

    /** Plain JSON, which workers in every language can read. */
    private static Payload json(JsonNode value) {
        return Payload.newBuilder()
                .putMetadata("encoding", ByteString.copyFromUtf8("json/plain"))
                .setData(ByteString.copyFrom(JSON.writeValueAsBytes(value)))
                .build();
    }
}
