// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Outcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How one call of a backend came back. */
sealed interface Attempt {

    /** What a peer is told of an error that is not for it. */
    Outcome INTERNAL_ERROR = new Outcome.Error(-32603, "Internal error", null);

    /** The work has ended. */
    record Ended(Outcome outcome) implements Attempt {}

    /** It stopped because it was asked to. */
    record Stopped() implements Attempt {}

    /** The storage failed under it: nothing is known of its end, so the next start of the server decides. */
    record Broken(StoreException why) implements Attempt {}

    /** Calls the backend on this thread. Whatever it throws, the engine goes on. */
    static Attempt of(Backend backend, RunControl control) {
        Logger log = LoggerFactory.getLogger(Attempt.class);
        control.thread.entered();
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
            control.thread.left();
            // The thread goes on with the engine's own writes, which no late interrupt may disturb.
            Thread.interrupted();
        }
    }
}
