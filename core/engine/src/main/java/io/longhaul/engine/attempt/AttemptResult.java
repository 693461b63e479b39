// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.attempt;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Outcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The result of one call of a backend. */
sealed interface AttemptResult {

    /** The outcome of a task after an error that must not go to a peer. */
    Outcome INTERNAL_ERROR = Outcome.Error.internal("Internal error");

    /** The work has ended. */
    record Ended(Outcome outcome) implements AttemptResult {}

    /** The work stopped because the engine had asked it to. */
    record Stopped() implements AttemptResult {}

    /** The storage failed while the work ran: the end of the work is unknown, so the crash policy decides. */
    record Broken(StoreException why) implements AttemptResult {}

    /** Calls the backend on this thread, and turns every exception into a result. */
    static AttemptResult of(Backend backend, RunControl control) {
        var attempt = call(backend, control);
        return control.thread().isSuspended() ? new Stopped() : attempt;
    }

    private static AttemptResult call(Backend backend, RunControl control) {
        Logger log = LoggerFactory.getLogger(AttemptResult.class);
        control.thread().entered();
        try {
            Outcome outcome = backend.run(control);
            if (outcome != null) {
                return new Ended(outcome);
            }
            log.error(
                    "The work '{}' returned nothing for task {}", control.spec().work(), control.id());
            return new Ended(INTERNAL_ERROR);
        } catch (RunException e) {
            return new Ended(e.outcome());
        } catch (StoreException e) {
            return new Broken(e);
        } catch (Throwable e) {
            if (control.isStopping()) {
                log.debug("Task {} stopped", control.id(), e);
                return new Stopped();
            }
            log.error("The work '{}' failed for task {}", control.spec().work(), control.id(), e);
            return new Ended(INTERNAL_ERROR);
        } finally {
            control.thread().left();
            // The thread goes on with writes of the engine: a late interrupt must not disturb them.
            Thread.interrupted();
        }
    }
}
