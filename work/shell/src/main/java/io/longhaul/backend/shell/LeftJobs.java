// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.ForwardingRun;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import java.io.IOException;

/**
 * The jobs of commands that are not known any more. A job that has begun is followed to its end, with the settings of a
 * plain command. Without its command, secrets in its output cannot be masked: such output is not given out.
 */
record LeftJobs(CommandBackend jobs) implements Backend {

    @Override
    public Outcome run(Run run) throws IOException, InterruptedException {
        var tool = "The server was restarted, and does not offer '" + run.spec().work() + "' any more";
        var folder = jobs.folder(run);
        if (folder.claim().filter(claim -> !claim.isNobody()).isEmpty()) {
            return new Outcome.Failed(FailureReason.INTERRUPTED, tool + ".");
        }
        boolean isSecret = folder.hasSecrets();
        var outcome = jobs.run(isSecret ? new SilentRun(run) : run);
        return isSecret
                ? new Outcome.Failed(
                        FailureReason.INTERRUPTED,
                        tool + ". Its job has ended; the output is not shown, because the job knew secrets.")
                : outcome;
    }

    /** A run that keeps nothing of the output. */
    private static final class SilentRun extends ForwardingRun {
        SilentRun(Run run) {
            super(run);
        }

        @Override
        public void write(String text, String mark) {}
    }

    @Override
    public void stop(Run run) throws InterruptedException {
        jobs.stop(run);
    }

    @Override
    public boolean isBoundToNode() {
        return jobs.isBoundToNode();
    }
}
