// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import io.longhaul.engine.run.ForwardingRun;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import org.jspecify.annotations.Nullable;

/** A run whose output a person has to release: its caller is told how far it is, and none of its words. */
final class WithheldRun extends ForwardingRun {

    private boolean isRetried;

    WithheldRun(Run run) {
        super(run);
    }

    @Override
    public void progress(Progress progress) {
        super.progress(new Progress(progress.current(), progress.total(), null));
    }

    @Override
    public void status(String message) {}

    @Override
    public void log(String level, @Nullable String logger, Payload data) {}

    @Override
    public boolean retry(String why) {
        isRetried = super.retry("failed");
        return isRetried;
    }

    /** Whether the job has failed, and is run again: there is no result to release yet. */
    boolean isRetried() {
        return isRetried;
    }

    @Override
    public void write(String text, String mark) {}

    /** Takes no piece, as beyond the limit of partial output: the job goes on without. */
    @Override
    public void partial(Payload output) {
        throw RunException.internal("The output has to be released first.");
    }
}
