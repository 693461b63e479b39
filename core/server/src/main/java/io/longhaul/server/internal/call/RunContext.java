// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.call;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.call.Trace;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.question.StoredAnswer;
import io.longhaul.receiver.question.ToolQuestions;
import io.longhaul.receiver.task.Origin;
import io.longhaul.server.CallInterceptor.Part;
import io.longhaul.server.ChildTask;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.ElicitResult;
import io.longhaul.server.TaskContext;
import io.longhaul.server.internal.codec.ErrorCodec;
import io.longhaul.server.internal.schema.Values;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The context of one attempt at the task of a long-running tool. */
public final class RunContext extends CallContext implements TaskContext {

    private final Run run;
    private final CallableTools tools;

    /** The answers that the caller gave before the work, by the keys of the questions. */
    private Map<String, JsonNode> first = Map.of();

    /** The answers that the call brought as arguments, by the keys of the questions. */
    private final Map<String, Json> brought;

    public RunContext(Run run, ToolQuestions questions, CallableTools tools) {
        this(run, questions, tools, Json.raw(run.spec().request().bytes()));
    }

    private RunContext(Run run, ToolQuestions questions, CallableTools tools, Json request) {
        super(Values.tree(questions.withoutAnswers(request)));
        this.run = run;
        this.tools = tools;
        brought = questions.answers(request);
    }

    /** Parsed at each use: few handlers need the origin, and many waiting tasks keep their context in memory. */
    private Origin origin() {
        return Origin.of(run.spec());
    }

    /** Asks those first questions of the tool that are not answered yet. */
    public void elicitFirst(List<ElicitRequest> questions) throws InterruptedException {
        if (questions.isEmpty()) {
            return;
        }
        first = new LinkedHashMap<>();
        origin().given().forEach((key, answer) -> first.put(key, Values.tree(answer)));
        List<ElicitRequest> open = questions.stream()
                .filter(question -> !first.containsKey(question.key()))
                .toList();
        if (open.isEmpty()) {
            return;
        }
        List<JsonNode> answers = ask(open.stream().map(Ask::form).toList());
        for (int i = 0; i < open.size(); i++) {
            first.put(String.valueOf(open.get(i).key()), answers.get(i));
        }
    }

    @Override
    public String id() {
        return run.id().value();
    }

    @Override
    public CallerInfo caller() {
        return origin().caller();
    }

    @Override
    public Trace trace() {
        return origin().trace();
    }

    @Override
    public int attempt() {
        return run.attempt();
    }

    @Override
    public Optional<Instant> deadline() {
        return Optional.ofNullable(run.deadline());
    }

    @Override
    public boolean isCancelled() {
        return run.isStopping();
    }

    @Override
    void report(double done, @Nullable Double total, @Nullable String message) {
        run.progress(new Progress(done, total, message));
    }

    @Override
    public void status(String message) {
        run.status(message);
    }

    @Override
    void logLine(String level, Object data) {
        run.log(level, null, Values.payload(data));
    }

    @Override
    public void partial(Object output) {
        run.partial(Values.payload(output));
    }

    @Override
    public int partialCount() {
        return run.partialCount();
    }

    @Override
    public <T> T step(String name, Class<T> type, Callable<T> action) throws Exception {
        Payload result = run.step(name, () -> within(new Part.Step(name), () -> Values.payload(action.call())));
        return Values.bind(Values.tree(result), type);
    }

    @Override
    public ChildTask call(String name, String tool, Object arguments) {
        return new CalledTool(run.call(name, () -> tools.call(origin(), tool, arguments)));
    }

    @Override
    public <T> ElicitResult<T> elicitedFirst(String key, Class<T> form) {
        JsonNode answer = first.get(key);
        if (answer == null) {
            throw new IllegalArgumentException("the tool has no elicitFirst with the key '" + key + "'");
        }
        return Ask.bound(Ask.elicited(answer), form);
    }

    @Override
    Asking asking() {
        return origin().asking();
    }

    @Override
    List<JsonNode> put(List<? extends Ask<?>> asks) throws InterruptedException {
        List<Run.Question> questions = new ArrayList<>();
        for (Ask<?> ask : asks) {
            if (isBrought(ask)) {
                continue;
            }
            asking().check(List.of(ask.question()), ErrorCodec::ofClient);
            questions.add(new Run.Question(
                    ask.key(), ask.method(), Payload.of(traced(ask).bytes())));
        }
        var given = questions.isEmpty() ? List.<Payload>of() : run.askAll(questions, null);
        var next = given.iterator();
        return asks.stream()
                .map(ask -> isBrought(ask) ? Values.tree(brought.get(ask.key())) : answer(next.next()))
                .toList();
    }

    private boolean isBrought(Ask<?> ask) {
        return ask.method().equals(QuestionKinds.ELICIT) && ask.key() != null && brought.containsKey(ask.key());
    }

    private static JsonNode answer(Payload stored) {
        StoredAnswer.error(stored).ifPresent(error -> {
            throw ErrorCodec.ofClient(error);
        });
        return Values.tree(stored);
    }
}
