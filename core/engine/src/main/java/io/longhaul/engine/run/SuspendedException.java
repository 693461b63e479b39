// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

/**
 * The task of this attempt is suspended: the wait for an answer took longer than {@link Work#suspendAfter()}. The
 * attempt should end, which is no failure: the answer begins another attempt.
 */
public final class SuspendedException extends InterruptedException {

    private static final long serialVersionUID = 1L;

    public SuspendedException() {
        super("the task is suspended: its answer begins another attempt");
    }
}
