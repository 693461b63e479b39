// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Passes everything on to another run: the base of runs that change a part of it. */
public abstract class ForwardingRun implements Run {

    private final Run run;

    protected ForwardingRun(Run run) {
        this.run = run;
    }

    @Override
    public TaskId id() {
        return run.id();
    }

    @Override
    public TaskSpec spec() {
        return run.spec();
    }

    @Override
    public int attempt() {
        return run.attempt();
    }

    @Override
    public int retries() {
        return run.retries();
    }

    @Override
    public boolean retry(String why) {
        return run.retry(why);
    }

    @Override
    public @Nullable Instant deadline() {
        return run.deadline();
    }

    @Override
    public boolean isStopping() {
        return run.isStopping();
    }

    @Override
    public boolean isHandingBack() {
        return run.isHandingBack();
    }

    @Override
    public void progress(Progress progress) {
        run.progress(progress);
    }

    @Override
    public void status(String message) {
        run.status(message);
    }

    @Override
    public void log(String level, @Nullable String logger, Payload data) {
        run.log(level, logger, data);
    }

    @Override
    public void partial(Payload output) {
        run.partial(output);
    }

    @Override
    public int partialCount() {
        return run.partialCount();
    }

    @Override
    public void write(String text, String mark) {
        run.write(text, mark);
    }

    @Override
    public Optional<String> writtenTo() {
        return run.writtenTo();
    }

    @Override
    public Payload step(String name, Callable<Payload> action) throws Exception {
        return run.step(name, action);
    }

    @Override
    public Recorded recorded() {
        return run.recorded();
    }

    @Override
    public Child call(String name, Supplier<Call> call) {
        return run.call(name, call);
    }

    @Override
    public Payload ask(@Nullable String key, String method, Payload params, @Nullable Duration timeout)
            throws InterruptedException {
        return run.ask(key, method, params, timeout);
    }

    @Override
    public List<Payload> askAll(List<Question> questions, @Nullable Duration timeout) throws InterruptedException {
        return run.askAll(questions, timeout);
    }

    @Override
    public Optional<Payload> handle() {
        return run.handle();
    }

    @Override
    public void saveHandle(Payload handle) {
        run.saveHandle(handle);
    }
}
