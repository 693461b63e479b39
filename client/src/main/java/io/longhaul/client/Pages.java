// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Reads lists that a server gives page by page, up to a limit, because a server may have pages without an end. */
final class Pages {

    /** Pages of a list of tools, resources or prompts. */
    static final int OF_LISTS = 1_000;

    /** Pages of a list of tasks. */
    static final int OF_TASKS = 10_000;

    /** Bytes of one list. */
    static final int BYTES = 64 << 20;

    private Pages() {}

    /** One page, and the cursor of the next. */
    record Page<T>(List<T> items, @Nullable String next) {}

    /** Fetches the page at a cursor, or the first page. */
    interface Source<T> {
        Page<T> at(@Nullable String cursor);
    }

    /**
     * All items of all pages.
     *
     * @param what is listed, in a word for people
     * @param most pages
     * @param size of an item in memory, about
     * @throws UnusableAnswerException where the list goes in a circle, or on and on
     */
    static <T> List<T> all(String what, int most, Source<T> source, ToLongFunction<T> size) {
        var items = new ArrayList<T>();
        var cursors = new HashSet<String>();
        var bytes = 0L;
        String cursor = null;
        do {
            var page = source.at(cursor);
            items.addAll(page.items());
            bytes += page.items().stream().mapToLong(size).sum();
            cursor = page.next();
            bytes += cursor == null ? 0 : cursor.length();
            if (cursor != null && !cursors.add(cursor)) {
                throw new UnusableAnswerException("The server's list of " + what + " runs in a circle.", null);
            }
            if (bytes > BYTES || (cursor != null && cursors.size() == most)) {
                throw new UnusableAnswerException(
                        "The server's list of " + what + " is too long: this client reads " + most + " pages and "
                                + (BYTES >> 20) + " MiB.",
                        null);
            }
        } while (cursor != null);
        return items;
    }
}
