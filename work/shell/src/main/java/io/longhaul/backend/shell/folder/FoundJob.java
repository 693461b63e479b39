// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.folder;

import io.longhaul.backend.shell.process.Claim;
import java.util.Optional;

/** How an attempt finds the job of its task, and so what the attempt may do. */
public sealed interface FoundJob {

    /**
     * The command has certainly not begun and may be started. The claim still decides between two concurrent starts.
     */
    record NotBegun() implements FoundJob {}

    /** The command has begun, and may run or have ended. The command must never be started again. */
    record Begun(Claim claim) implements FoundJob {}

    /** It is unknown whether the command ran, how it ended, and whether it runs on another machine. */
    record Lost(String why) implements FoundJob {}

    /** The reason where the files are lost, as with the disk of a server that is lost itself. */
    String GONE = "the records of the job are gone, as where its server was lost: the command may have ended";

    /**
     * Decides from the handle and the files on disk. The order of a start is: the folder is created, the handle is
     * saved, a process is started, the process claims the job, and the command begins.
     *
     * @param bootOfHandle the boot of the machine during which the handle was saved; empty where no handle was saved
     * @param hasFolder    whether the job's folder exists
     * @param claim        the claim in the folder
     * @param boot         the present boot of the machine
     */
    static FoundJob of(Optional<String> bootOfHandle, boolean hasFolder, Optional<Claim> claim, String boot) {
        if (claim.isPresent()) {
            return claim.get().isNobody() ? new Lost("the job was stopped before it began") : new Begun(claim.get());
        }
        if (bootOfHandle.isEmpty()) {
            return new NotBegun();
        }
        if (!hasFolder) {
            return bootOfHandle.get().equals(boot)
                    ? new Lost(GONE)
                    : new Lost("the job was started on another machine, or its records are gone: the command may have"
                            + " ended");
        }
        // After a crash of the machine a claim that was just written can be missing.
        return bootOfHandle.get().equals(boot)
                ? new NotBegun()
                : new Lost("the machine was started again while the job was being started");
    }
}
