// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.address;

import io.longhaul.engine.store.RowStore;
import java.net.URI;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Makes downloads with the names and at the time that a test chooses. */
public final class TimedDownloads {

    public static final int MOST_OF_RESULT = Downloads.MOST_OF_RESULT;

    private TimedDownloads() {}

    public static Downloads at(URI base, RowStore rows, InstantSource clock) {
        return new Downloads(CompletableFuture.completedFuture(base), rows, new Random(7), clock);
    }
}
