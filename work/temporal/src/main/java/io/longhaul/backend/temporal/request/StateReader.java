// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal.request;

import com.google.protobuf.ByteString;
import io.longhaul.backend.temporal.request.WorkflowCodec.CodecException;
import io.longhaul.engine.run.MessageText;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.failure.v1.Failure;
import io.temporal.api.history.v1.HistoryEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Interprets the last event of a workflow, in words for a caller. */
final class StateReader {

    private StateReader() {}

    static WorkflowState of(HistoryEvent event, WorkflowCodec codec) throws CodecException, InterruptedException {
        return switch (event.getAttributesCase()) {
            case WORKFLOW_EXECUTION_COMPLETED_EVENT_ATTRIBUTES -> {
                var end = event.getWorkflowExecutionCompletedEventAttributes();
                yield continued(
                        end.getNewExecutionRunId(),
                        completed(codec.decode(end.getResult().getPayloadsList())));
            }
            case WORKFLOW_EXECUTION_FAILED_EVENT_ATTRIBUTES -> {
                var end = event.getWorkflowExecutionFailedEventAttributes();
                yield continued(end.getNewExecutionRunId(), failed(end.getFailure(), codec));
            }
            case WORKFLOW_EXECUTION_TIMED_OUT_EVENT_ATTRIBUTES -> {
                var end = event.getWorkflowExecutionTimedOutEventAttributes();
                yield continued(
                        end.getNewExecutionRunId(),
                        new WorkflowState.Failed(
                                "The workflow has run longer than Temporal was told to let it.", true));
            }
            case WORKFLOW_EXECUTION_CONTINUED_AS_NEW_EVENT_ATTRIBUTES ->
                new WorkflowState.Continued(event.getWorkflowExecutionContinuedAsNewEventAttributes()
                        .getNewExecutionRunId());
            case WORKFLOW_EXECUTION_TERMINATED_EVENT_ATTRIBUTES -> {
                var reason =
                        event.getWorkflowExecutionTerminatedEventAttributes().getReason();
                yield new WorkflowState.Failed("The workflow was terminated outside of this server"
                        + (reason.isEmpty() ? "." : ": " + MessageText.cut(reason)));
            }
            case WORKFLOW_EXECUTION_CANCELED_EVENT_ATTRIBUTES ->
                new WorkflowState.Failed("The workflow was cancelled outside of this server.");
            default -> new WorkflowState.Failed("The workflow has ended in a way that this server does not know.");
        };
    }

    /** The end of a run, or its continuation: a workflow with a retry policy or a schedule goes on in another run. */
    private static WorkflowState continued(String next, WorkflowState end) {
        return next.isEmpty() ? end : new WorkflowState.Continued(next);
    }

    private static WorkflowState completed(List<Payload> result) {
        return result.isEmpty() ? new WorkflowState.Completed(new byte[0], "text/plain") : completed(result.getFirst());
    }

    private static WorkflowState completed(Payload payload) {
        var encoding =
                payload.getMetadataOrDefault("encoding", ByteString.EMPTY).toStringUtf8();
        return switch (encoding) {
            case "json/plain", "json/protobuf" -> json(payload.getData().toByteArray());
            case "binary/null" -> new WorkflowState.Completed(new byte[0], "text/plain");
            case "binary/plain" ->
                new WorkflowState.Completed(payload.getData().toByteArray(), "application/octet-stream");
            default ->
                new WorkflowState.Failed("The workflow has completed, and this server cannot read its result, which is"
                        + " encoded as '" + encoding + "'.");
        };
    }

    private static WorkflowState json(byte[] json) {
        try {
            var value = JsonMapper.shared().readTree(json);
            return value.isString()
                    ? new WorkflowState.Completed(value.stringValue().getBytes(StandardCharsets.UTF_8), "text/plain")
                    : new WorkflowState.Completed(json, "application/json");
        } catch (JacksonException e) {
            return new WorkflowState.Failed("The workflow has completed, and its result is not the JSON it says.");
        }
    }

    /** The failure of the workflow's or activity's own code, without the failures of Temporal that wrap it. */
    private static WorkflowState failed(Failure failure, WorkflowCodec codec)
            throws CodecException, InterruptedException {
        var told = failure;
        while (!told.hasApplicationFailureInfo() && told.hasCause()) {
            told = told.getCause();
        }
        if (!told.hasApplicationFailureInfo()) {
            told = failure;
        }
        var message = message(told, codec);
        var why = message.isBlank() ? "The workflow has failed." : MessageText.cut(message);
        return new WorkflowState.Failed(why, !told.getApplicationFailureInfo().getNonRetryable());
    }

    /** The message, which a worker may have put where its codec encodes it. */
    private static String message(Failure failure, WorkflowCodec codec) throws CodecException, InterruptedException {
        if (!failure.hasEncodedAttributes()) {
            return failure.getMessage();
        }
        var attributes = codec.decode(List.of(failure.getEncodedAttributes())).getFirst();
        try {
            var json = JsonMapper.shared().readTree(attributes.getData().toByteArray());
            return json.path("message").asString(failure.getMessage());
        } catch (JacksonException e) {
            return failure.getMessage();
        }
    }
}
