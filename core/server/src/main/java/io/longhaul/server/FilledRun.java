// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.run.PassingRun;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.TaskSpec;

/** A run whose request has other arguments than the stored one. */
final class FilledRun extends PassingRun {

    private final TaskSpec spec;

    FilledRun(Run run, TaskSpec spec) {
        super(run);
        this.spec = spec;
    }

    @Override
    public TaskSpec spec() {
        return spec;
    }
}
