// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import io.longhaul.engine.task.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A run without a durable task: its only attempt has no deadline, does each step anew, keeps no output for people,
 * and can neither ask questions nor call children.
 */
public abstract class UnrecordedRun implements Run {

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public @Nullable Instant deadline() {
        return null;
    }

    @Override
    public void write(String text, String mark) {}

    @Override
    public Optional<String> writtenTo() {
        return Optional.empty();
    }

    @Override
    public Payload step(String name, Callable<Payload> action) throws Exception {
        return action.call();
    }

    @Override
    public Child call(String name, Supplier<Call> call) {
        throw new UnsupportedOperationException("a run without a task has no children");
    }

    @Override
    public Payload ask(@Nullable String key, String method, Payload params, @Nullable Duration timeout) {
        throw new UnsupportedOperationException("a run without a task asks nothing");
    }

    @Override
    public List<Payload> askAll(List<Question> questions, @Nullable Duration timeout) {
        throw new UnsupportedOperationException("a run without a task asks nothing");
    }
}
