// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.said;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import java.util.List;

/**
 * How the lines of a command and their answers are written, and what they mean to a server. Thread-safe. The module
 * that knows the format provides an implementation.
 */
public interface SaidFormat {

    Said read(byte[] line);

    /** The files that a line of {@link Said.Ended} names, by globs. */
    List<String> files(Payload ended);

    /** The data of a log line. */
    Payload text(String log);

    /** The file that answers a step. */
    byte[] value(Payload recorded);

    /** The file that answers what cannot be done. */
    byte[] error(String why);

    /** The file that answers a call. */
    byte[] ended(Task child);

    /**
     * Asks the requestor of a task.
     *
     * @return the file that answers the question
     * @throws RunException where nobody can be asked
     */
    byte[] ask(Run run, Said.Asked question) throws InterruptedException;

    /** @throws IllegalArgumentException where the tool cannot be called so, with a message for the command */
    Run.Call call(Run run, Said.Called call);
}
