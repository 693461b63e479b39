// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.list;

import io.longhaul.client.UnusableAnswerException;
import io.longhaul.protocol.call.Freshness;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Reads lists that a server gives page by page, up to a limit, because a server may have pages without an end. */
public final class Pages {

    /** The most pages of a list of tools, resources or prompts. */
    public static final int OF_LISTS = 1_000;

    /** The most pages of a list of tasks. */
    public static final int OF_TASKS = 10_000;

    /** The most bytes of one list. */
    static final int BYTES = 64 << 20;

    private Pages() {}

    /** One page, the cursor of the next, and how long this one stays fresh. */
    public record Page<T>(List<T> items, @Nullable String next, Freshness fresh) {
        public Page(List<T> items, @Nullable String next) {
            this(items, next, Freshness.NONE);
        }
    }

    /** Fetches the page at a cursor, or the first page. */
    public interface Source<T> {
        Page<T> at(@Nullable String cursor);
    }

    /**
     * All items of all pages.
     *
     * @param what the name of the listed things, for messages
     * @param most pages
     * @param size the approximate size of an item in memory
     * @throws UnusableAnswerException where a cursor repeats, or the list exceeds a limit
     */
    public static <T> List<T> all(String what, int most, Source<T> source, ToLongFunction<T> size) {
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
