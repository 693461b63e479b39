// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.list;

import io.longhaul.requestor.RequestorTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A list of a server. The client keeps the list while the server says that all its pages are fresh, or until the server
 * tells of a change. A server of an older generation does not say how long a page is fresh: the client reads its list
 * each time. Thread-safe.
 */
public final class KeptList<T> {

    /** The items that were read, and the time until which they may be used. */
    private record Kept<T>(List<T> items, Instant until) {}

    private final String what;
    private final RequestorTime time;
    private final Pages.Source<T> source;
    private final ToLongFunction<T> size;
    private @Nullable Kept<T> kept;
    private int changes;

    /**
     * @param what the name of the listed things, for messages
     * @param size the approximate size of an item in memory
     */
    KeptList(String what, RequestorTime time, Pages.Source<T> source, ToLongFunction<T> size) {
        this.what = what;
        this.time = time;
        this.source = source;
        this.size = size;
    }

    /** All items; reads them where the kept ones are not fresh. */
    public List<T> items() {
        int before;
        synchronized (this) {
            if (kept != null && time.now().isBefore(kept.until())) {
                return kept.items();
            }
            before = changes;
        }
        var until = new AtomicReference<>(Instant.MAX);
        var items = List.copyOf(Pages.all(
                what,
                Pages.OF_LISTS,
                cursor -> {
                    var read = source.at(cursor);
                    var end = time.now().plus(read.fresh().time());
                    until.updateAndGet(earliest -> end.isBefore(earliest) ? end : earliest);
                    return read;
                },
                size));
        keep(new Kept<>(items, until.get()), before);
        return items;
    }

    /** A list that has changed while it was read is not kept. */
    private synchronized void keep(Kept<T> read, int before) {
        kept = changes == before ? read : null;
    }

    /** The list has changed: the next {@link #items} reads it anew. */
    public synchronized void forget() {
        changes++;
        kept = null;
    }
}
