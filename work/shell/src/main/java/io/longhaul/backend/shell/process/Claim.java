// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.process;

import java.util.Optional;

/**
 * The right to run a job: a file that is written once into the job's folder, before the command begins.
 *
 * @param pid      the leader of the job's session and process group
 * @param identity distinguishes this process from all earlier and later processes with the same pid
 */
public record Claim(long pid, String identity) {

    /** The claim of a job that was stopped before it began, so that no server will ever begin the job. */
    public static final Claim NOBODY = new Claim(0, "nobody");

    public static Optional<Claim> parse(String text) {
        var parts = text.strip().split(" ", 2);
        if (parts.length != 2 || !parts[0].matches("\\d{1,18}")) {
            return Optional.empty();
        }
        return Optional.of(new Claim(Long.parseLong(parts[0]), parts[1]));
    }

    public boolean isNobody() {
        return pid == 0;
    }

    @Override
    public String toString() {
        return pid + " " + identity;
    }
}
