// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import io.longhaul.protocol.dialect.Generation;

/** The two forms of requests: with a session, and without. */
enum Era {
    SESSION(Generation.V2025_11_25),
    STATELESS(Generation.V2026_07_28);

    private final Generation generation;

    Era(Generation generation) {
        this.generation = generation;
    }

    String version() {
        return generation.version();
    }
}
