// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

/** What becomes of a task whose server died while its work ran. */
public enum CrashPolicy {
    /** The task has failed as interrupted: nothing is silently run twice. */
    FAIL,
    /** Its work is run again; recorded steps and answers are replayed. */
    RESTART,
    /** Its work is a job outside of the server that goes on by itself and is found again by its handle. */
    REATTACH
}
