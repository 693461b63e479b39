// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.tasks1686;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.Trace;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.question.StoredAnswer;
import io.longhaul.receiver.task.Origin;
import io.longhaul.receiver.tool.QuickCall;
import io.longhaul.receiver.tool.RpcException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A quick call that runs as a task: its progress and its questions go through the stored history of the task. */
record RunCall(Run run, Origin origin) implements QuickCall {

    @Override
    public CallerInfo caller() {
        return origin.caller();
    }

    @Override
    public Trace trace() {
        return origin.trace();
    }

    @Override
    public Asking asking() {
        return origin.asking();
    }

    @Override
    public boolean isCancelled() {
        return run.isStopping();
    }

    @Override
    public void progress(ProgressView progress) {
        run.progress(new Progress(progress.current(), progress.total(), progress.message()));
    }

    @Override
    public void log(String level, @Nullable String logger, Json data) {
        run.log(level, logger, Payload.of(data.bytes()));
    }

    @Override
    public Map<String, Json> ask(Map<String, Question> questions) throws InterruptedException {
        asking().check(questions.values(), RpcException::new);
        List<Run.Question> asked = new ArrayList<>();
        questions.forEach((key, question) -> asked.add(new Run.Question(
                key, question.method(), Payload.of(question.params().bytes()))));
        var given = run.askAll(asked, null).iterator();
        Map<String, Json> answers = new LinkedHashMap<>();
        for (String key : questions.keySet()) {
            Payload answer = given.next();
            StoredAnswer.error(answer).ifPresent(error -> {
                throw new RpcException(error);
            });
            answers.put(key, Json.raw(answer.bytes()));
        }
        return answers;
    }
}
