// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import io.longhaul.protocol.transport.Exchange;
import java.util.HashMap;
import java.util.Map;

/**
 * What an HTTP server serves beside its MCP endpoint, at paths of its own. Host and Origin are checked before anything
 * of it is given. Immutable.
 *
 * @param pages   that everybody may read, by path
 * @param feeds   streams of events for callers whose principal is known, by path
 * @param hooks   that anybody may call, by what stands before their paths
 * @param headers of every response of the server, also of refusals and of those of the endpoint
 */
public record Site(
        Map<String, Page> pages, Map<String, Feed> feeds, Map<String, Hook> hooks, Map<String, String> headers) {

    /** Nothing beside the endpoint. */
    public static final Site NONE = new Site(Map.of(), Map.of(), Map.of(), Map.of());

    public Site {
        pages = Map.copyOf(pages);
        feeds = Map.copyOf(feeds);
        hooks = Map.copyOf(hooks);
        headers = Map.copyOf(headers);
    }

    /**
     * The response to each GET of a path; its body is not to be changed.
     *
     * @param status  the HTTP status
     * @param headers of the response
     */
    public record Page(int status, Map<String, String> headers, byte[] body) {

        private static final int OK = 200;

        public Page {
            headers = Map.copyOf(headers);
        }

        /** A file. */
        public static Page of(Map<String, String> headers, byte[] body) {
            return new Page(OK, headers, body);
        }
    }

    /** A stream of events that are no messages of MCP. Thread-safe. */
    @FunctionalInterface
    public interface Feed {

        /**
         * Opens the stream of one reader and writes it. Runs on the thread of the request, until the reader has left or
         * the thread is interrupted.
         */
        void serve(Exchange reader) throws InterruptedException;
    }

    /** Is told by other systems, with a POST, that something has happened. Thread-safe. */
    @FunctionalInterface
    public interface Hook {

        /**
         * Takes a call, whose body is not read: its path says all.
         *
         * @param rest of the path, behind what all paths of the hook begin with
         * @return false where nobody was given that path, and the caller is turned away
         */
        boolean take(String rest);
    }

    /** With a hook for the paths that begin so. */
    public Site hooked(String begin, Hook hook) {
        var all = new HashMap<>(hooks);
        all.put(begin, hook);
        return new Site(pages, feeds, all, headers);
    }

    /** With more pages, which stand before those of the same path. */
    public Site and(Map<String, Page> more) {
        var all = new HashMap<>(pages);
        all.putAll(more);
        return new Site(all, feeds, hooks, headers);
    }
}
