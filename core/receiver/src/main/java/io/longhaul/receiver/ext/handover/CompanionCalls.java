// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.PlainHosts.Verb;
import io.longhaul.receiver.RateGate;
import io.longhaul.receiver.call.CallServices;
import io.longhaul.receiver.observe.Rule;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.request.AuditLog;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.request.TooSoon;
import io.longhaul.receiver.session.Quota;
import io.longhaul.receiver.task.TaskVerbs;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Answers calls of the companion tools. A result tells the model of its mistake, and what to do instead. */
final class CompanionCalls {

    /** How many calls of one caller wait for tasks at once. */
    static final int WAITS = 100;

    private static final int LISTED = 50;

    private final Context context;
    private final TaskVerbs verbs;
    private final HandOverCalls calls;
    private final CompanionTools tools;
    private final HandOverTexts words;
    private final UndeliveredCalls undelivered;
    private final Quota waits = new Quota(WAITS);

    CompanionCalls(
            CallServices services,
            HandOverCalls calls,
            CompanionTools tools,
            HandOverTexts words,
            UndeliveredCalls undelivered) {
        this.calls = calls;
        this.tools = tools;
        this.words = words;
        this.undelivered = undelivered;
        context = services.context();
        verbs = services.verbs();
    }

    void answer(InboundRequest request, CallTool call) throws Exception {
        var problem = tools.problem(call);
        if (problem.isPresent()) {
            request.refuse(call, new Refusal.InvalidArguments(call.tool(), problem.get()));
            return;
        }
        var verb = tools.verb(call);
        var soon = tooSoon(request, verb);
        if (soon.isPresent()) {
            respond(request, call, words.error(soon.get().sentence() + "."));
            return;
        }
        if (verb == Verb.LIST) {
            respond(request, call, list(request));
            return;
        }
        var arguments = Params.of("arguments", call.arguments());
        String id = arguments.optionalString("task");
        var found = id == null ? null : verbs.find(request, id).orElse(null);
        if (found == null) {
            request.reply()
                    .observed()
                    .tell(caller -> new ServerEvent.Refused(caller, Rule.UNKNOWN_ID, id, call.tool()));
            respond(request, call, words.unknown(id == null ? "without an id" : id));
            return;
        }
        switch (verb) {
            case WAIT -> await(request, call, found, arguments.optionalTime("seconds", Duration.ofSeconds(1)));
            case CANCEL -> respond(request, call, cancel(request, found));
            default -> respond(request, call, reply(request, found, arguments));
        }
    }

    /** The limit is told to the model in a result, because a host takes a failed request for the end of the task. */
    private Optional<TooSoon> tooSoon(InboundRequest request, Verb verb) {
        return switch (verb) {
            case LIST -> TooSoon.of(context.rates(), RateGate.Kind.LISTING, request::share);
            case WAIT -> TooSoon.of(context.rates(), RateGate.Kind.POLL, request::share);
            default -> Optional.empty();
        };
    }

    private void await(InboundRequest request, CallTool call, Task task, @Nullable Duration longest) throws Exception {
        if (task.state() == TaskState.CANCELLED) {
            respond(request, call, words.cancelledBefore(task));
        } else if (!waits.acquire(request.share(), request.live())) {
            respond(
                    request,
                    call,
                    words.error("More than " + WAITS
                            + " calls wait for tasks already: wait for one of them to be answered."));
        } else {
            calls.await(request, call, task, longest);
        }
    }

    private Json cancel(InboundRequest request, Task task) {
        return switch (verbs.cancel(request, task.id().value())) {
            case CallResponse.TaskCancelled(var cancelled) -> words.cancelled(task, cancelled);
            case CallResponse.TaskAlreadyEnded ended -> words.endedBefore(task);
            default -> words.unknown(task.id().value());
        };
    }

    private Json reply(InboundRequest request, Task task, Params arguments) {
        Map<String, Question> questions = QuestionKinds.of(task.outstanding());
        if (questions.isEmpty()) {
            return words.asksNothing(task);
        }
        var keys = List.copyOf(questions.keySet());
        String key = arguments.optionalString("question");
        if (key == null && keys.size() > 1 || key != null && !questions.containsKey(key)) {
            return words.whichQuestion(keys);
        }
        String asked = key == null ? keys.getFirst() : key;
        var question = questions.get(asked);
        String reply = arguments.optionalString("reply");
        if (reply == null && QuestionKinds.isYesOrNo(question)) {
            return words.noAnswer("pass \"reply\":\"accept\" or \"reply\":\"decline\", as your user says");
        }
        var response = JsonWriter.object().member("action", reply == null ? "accept" : reply);
        var given = response.optional("content", arguments.optionalObject("content"))
                .end();
        var problem = QuestionKinds.problem(question, given);
        if (!question.method().equals(QuestionKinds.ELICIT) || QuestionKinds.isUrl(question)) {
            return words.noAnswer("the host of your user must answer it, not a model");
        }
        if (problem.isPresent()) {
            return words.noAnswer(problem.get());
        }
        verbs.answer(request, task, Map.of(asked, given));
        AuditLog.seen(task, request);
        return words.answered(task);
    }

    private Json list(InboundRequest request) {
        var own = undelivered.of(request);
        if (own.isEmpty()) {
            return words.notListed();
        }
        var newestFirst = new TreeMap<String, Task>(Comparator.reverseOrder());
        running(request).forEach(task -> newestFirst.put(task.id().value(), task));
        own.get().stream()
                .filter(task -> task.state() != TaskState.CANCELLED)
                .forEach(task -> newestFirst.put(task.id().value(), task));
        return words.list(newestFirst.values().stream().limit(LISTED).toList());
    }

    /** The running tasks that a model may see: none of anonymous callers, who share an owner, and no children. */
    private List<Task> running(InboundRequest request) {
        if (request.principal().kind() == Principal.Kind.ANONYMOUS) {
            return List.of();
        }
        var live = TaskFilter.of(request.owner()).in(TaskState.SUBMITTED, TaskState.WORKING, TaskState.INPUT_REQUIRED);
        return Context.<Task>paged(last -> context.engine()
                        .list(live, last == null ? null : last.id(), LISTED)
                        .tasks())
                .filter(task -> task.spec().parent() == null)
                .limit(LISTED)
                .toList();
    }

    private static void respond(InboundRequest request, CallTool call, Json result) {
        request.reply().answer(call, new CallResponse.ToolResult(result));
    }
}
