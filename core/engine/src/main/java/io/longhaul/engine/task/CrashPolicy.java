// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

/** What the engine does with a task whose server died while the work ran. */
public enum CrashPolicy {
    /** The task fails as interrupted: no work runs twice without notice. */
    FAIL,
    /** The work runs again; recorded steps and answers are replayed. */
    RESTART,
    /**
     * The work is a job outside of the server: the job goes on by itself, and the backend finds it again by its handle.
     */
    REATTACH
}
