package io.longhaul.backend.shell;

import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;

/** Puts what a job gave into the format of results. Thread-safe; whoever knows that format provides it. */
@FunctionalInterface
public interface ResultWriter {

    /** The outcome of a job that came to its end. */
    Outcome write(JobResult result);

    /** One piece of partial output; plain UTF-8 text unless overridden. */
    default Payload partial(String lines) {
        return Payload.ofText(lines);
    }
}
