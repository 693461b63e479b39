// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import java.util.Optional;

/** What an attempt finds of the job of its task, and so what it may do. */
sealed interface Finding {

    /** The command has certainly not begun: it may be started. The claim still decides between two that start it. */
    record NotBegun() implements Finding {}

    /** The command has begun, and may run or have ended. It must never be started again. */
    record Begun(Claim claim) implements Finding {}

    /** Whether the command ran, how it ended, and whether it runs on another machine, cannot be told. */
    record Lost(String why) implements Finding {}

    /**
     * Decides from what is on disk. The folder is made before the handle is saved, and the handle saved before a
     * process is started, which claims the job before the command begins.
     *
     * @param bootOfHandle the start of the machine during which the handle was saved; empty where none was
     * @param hasFolder    whether the job's folder is there
     * @param claim        the claim in it
     * @param boot         the present start of the machine
     */
    static Finding of(Optional<String> bootOfHandle, boolean hasFolder, Optional<Claim> claim, String boot) {
        if (claim.isPresent()) {
            return claim.get().isNobody() ? new Lost("the job was stopped before it began") : new Begun(claim.get());
        }
        if (bootOfHandle.isEmpty()) {
            return new NotBegun();
        }
        if (!hasFolder) {
            return bootOfHandle.get().equals(boot)
                    ? new Lost("the records of the job are gone")
                    : new Lost("the job was started on another machine, or its records are gone");
        }
        // A claim that was just written can be missing after the machine went down.
        return bootOfHandle.get().equals(boot)
                ? new NotBegun()
                : new Lost("the machine was started again while the job was being started");
    }
}
