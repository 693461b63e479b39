// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.command;

import java.util.Optional;

/** The version of this Longhaul. */
public final class Version {
    /** The version of the jar, or {@code development} where there is none. */
    public static final String TEXT = Optional.ofNullable(
                    Version.class.getPackage().getImplementationVersion())
            .orElse("development");

    private Version() {}

    /** Whether this is a version that others can have, too. */
    public static boolean isRelease() {
        return TEXT.matches("\\d.*") && !TEXT.endsWith("-SNAPSHOT");
    }
}
