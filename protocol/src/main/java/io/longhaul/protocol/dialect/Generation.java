package io.longhaul.protocol.dialect;

import java.util.Arrays;
import java.util.Optional;

/** A published revision of the protocol that a client of ours can speak, newest first. */
public enum Generation {
    V2026_07_28("2026-07-28"),
    V2025_11_25("2025-11-25"),
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
