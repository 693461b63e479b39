// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.call;

import io.longhaul.client.CallOptions;
import io.longhaul.client.CallOptions.TaskUse;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.McpClient;
import io.longhaul.client.RemoteCall;
import io.longhaul.gateway.caller.CallerRefusedException;
import io.longhaul.gateway.caller.LoginAsk;
import io.longhaul.gateway.link.CallDesk;
import io.longhaul.gateway.link.Link;
import io.longhaul.gateway.link.LinkUse;
import io.longhaul.gateway.link.UpstreamAwayException;
import io.longhaul.gateway.question.CallAnswerer;
import io.longhaul.gateway.question.UnansweredQuestion;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.server.ForwardContext;
import io.longhaul.server.ForwardHandler;
import io.longhaul.server.ToolException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A tool of an upstream whose calls pass through.
 *
 * @param repeats whether a call may be repeated without harm
 */
public record QuickTool(Link link, String tool, boolean repeats) implements ForwardHandler<JsonNode> {

    private static final CallOptions OPTIONS = CallOptions.DEFAULT.withTask(TaskUse.REFUSE);

    @Override
    public Json answer(JsonNode arguments, ForwardContext caller) throws InterruptedException {
        var limits = link.upstream().bounds().of(tool);
        try (var use = link.use(caller.caller())) {
            use.admit(LoginAsk.by(new CallAnswerer(caller, new UnansweredQuestion())));
            for (int made = 1; ; made++) {
                try {
                    var end = once(arguments, caller, use);
                    if (!CallDesk.isRepeatable(end.outcome(), end.at().isBegun(), repeats)
                            || !CallDesk.pause(limits, made)) {
                        return whole(end.parts(), OutcomeTranslation.result(end.outcome(), end.at()));
                    }
                } catch (UpstreamAwayException e) {
                    link.look();
                    if (!CallDesk.pause(limits, made)) {
                        throw new ToolException(String.valueOf(e.getMessage()), e);
                    }
                }
            }
        } catch (CallerRefusedException e) {
            throw new ToolException(String.valueOf(e.getMessage()), e);
        }
    }

    /** The end of one call at the upstream, with the parts of its result that came before the last one. */
    private record End(CallOutcome outcome, OutcomeTranslation.At at, List<Json> parts) {}

    private End once(JsonNode arguments, ForwardContext caller, LinkUse use)
            throws InterruptedException, UpstreamAwayException {
        var parts = new CopyOnWriteArrayList<Json>();
        var limits = link.upstream().bounds().of(tool);
        var unanswered = new UnansweredQuestion();
        try (var turn = link.desk().quick(tool)) {
            var answerer = new CallAnswerer(caller, unanswered);
            var options = limits.timeout() == null ? OPTIONS : OPTIONS.withTimeout(limits.timeout());
            var call =
                    client(use, turn).call(tool, arguments, options, answerer, update -> tell(update, caller, parts));
            var outcome = awaited(call);
            turn.ended(outcome);
            if (outcome instanceof CallOutcome.Lost) {
                link.look();
            }
            var at = new OutcomeTranslation.At(link.upstream(), call.reference().isPresent(), unanswered);
            return new End(outcome, at, parts);
        }
    }

    private static McpClient client(LinkUse use, CallDesk.Turn turn)
            throws InterruptedException, UpstreamAwayException {
        try {
            return use.client();
        } catch (UpstreamAwayException e) {
            turn.failed();
            throw e;
        }
    }

    /** The result of a call that came in parts: a caller gets one answer, with the content of all of them. */
    private static Json whole(List<Json> parts, Json last) {
        if (parts.isEmpty()) {
            return last;
        }
        var result = (ObjectNode) JsonTree.read(last);
        var content = JsonTree.object().putArray("content");
        parts.forEach(part -> JsonTree.read(part).path("content").forEach(content::add));
        result.path("content").forEach(content::add);
        result.set("content", content);
        return JsonTree.write(result);
    }

    private static CallOutcome awaited(RemoteCall<CallOutcome> call) throws InterruptedException {
        try {
            return call.await();
        } catch (InterruptedException e) {
            call.cancel();
            throw e;
        }
    }

    private void tell(CallUpdate update, ForwardContext caller, List<Json> parts) {
        switch (update) {
            case CallUpdate.Status(var state, var progress, var message) -> {
                if (progress != null && progress.total() != null) {
                    caller.progress(progress.current(), progress.total(), progress.message());
                } else if (progress != null) {
                    caller.progress(progress.current(), progress.message());
                }
            }
            case CallUpdate.Log log ->
                caller.log(log.level(), LogData.logger(log, link.upstream()), LogData.of(log.text()));
            case CallUpdate.Created created -> {}
            case CallUpdate.Part(var result) -> parts.add(result);
            case CallUpdate.Trouble trouble -> {}
        }
    }
}
