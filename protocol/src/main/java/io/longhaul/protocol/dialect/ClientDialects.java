package io.longhaul.protocol.dialect;

import io.longhaul.protocol.dialect.tasks20251125.ClientHandshake;
import io.longhaul.protocol.dialect.tasks20260728.ClientStateless;

/** The client's side of every generation. */
public final class ClientDialects {

    private static final ClientDialect STATELESS = new ClientStateless();

    private ClientDialects() {}

    public static ClientDialect of(Generation generation) {
        return switch (generation) {
            case V2026_07_28 -> STATELESS;
            case V2025_11_25, NEXT, V2025_06_18, V2025_03_26, V2024_11_05 -> new ClientHandshake(generation);
        };
    }

    /** The newest generation, which a client tries first. */
    public static ClientDialect newest() {
        return STATELESS;
    }

    /** The newest generation that opens sessions, which a client tries next. */
    public static ClientDialect newestHandshake() {
        return of(Generation.V2025_11_25);
    }

    /** The newest generation whose servers can list their tasks. */
    public static ClientDialect listing() {
        return of(Generation.V2025_11_25);
    }
}
