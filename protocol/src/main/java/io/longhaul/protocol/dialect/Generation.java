package io.longhaul.protocol.dialect;

import java.util.Arrays;
import java.util.Optional;

/**
 * A version of the protocol that sessions or requests can agree on, newest first. All are published but {@link #NEXT}.
 */
public enum Generation {
    V2026_07_28("2026-07-28"),
    V2025_11_25("2025-11-25"),
    /** What the reference change of SEP-1391 called itself: 2025-06-18, and operations. */
    NEXT("next"),
    V2025_06_18("2025-06-18"),
    V2025_03_26("2025-03-26"),
    V2024_11_05("2024-11-05");

    private final String version;

    Generation(String version) {
        this.version = version;
    }

    /** The protocol version as it is spelled in messages. */
    public String version() {
        return version;
    }

    /** Whether it is a revision of the specification, rather than a draft of one. */
    public boolean isPublished() {
        return this != NEXT;
    }

    /** The generation of a protocol version, or empty where we do not speak it. */
    public static Optional<Generation> of(String version) {
        return Arrays.stream(values())
                .filter(generation -> generation.version.equals(version))
                .findFirst();
    }

    @Override
    public String toString() {
        return version;
    }
}
