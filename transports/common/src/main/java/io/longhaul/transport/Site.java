// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.transport.Exchange;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pages, feeds, hooks and downloads that an HTTP server serves beside its MCP endpoint. The server checks Host and
 * Origin before it serves any of them but the open paths. Immutable.
 *
 * @param pages   public pages, by path
 * @param feeds   streams of events for callers whose principal is known, by path
 * @param hooks   hooks that anybody may call, by the prefixes of their paths
 * @param downloads downloads, readable by anybody with their addresses, by the prefixes of their paths
 * @param open    the paths that are served for any Host, also for none: what is there may be read by anybody
 * @param headers the headers of every response of the server, also of refusals and of the MCP endpoint
 */
public record Site(
        Map<String, Page> pages,
        Map<String, Feed> feeds,
        Map<String, Hook> hooks,
        Map<String, Download> downloads,
        Set<String> open,
        Map<String, String> headers) {

    /** A site that serves nothing. */
    public static final Site NONE = new Site(Map.of(), Map.of(), Map.of(), Map.of(), Set.of(), Map.of());

    public Site {
        pages = Map.copyOf(pages);
        feeds = Map.copyOf(feeds);
        hooks = Map.copyOf(hooks);
        downloads = Map.copyOf(downloads);
        open = Set.copyOf(open);
        headers = Map.copyOf(headers);
    }

    /**
     * A complete response, such as to each GET of a path. The caller must not change the body.
     *
     * @param status  the HTTP status
     * @param headers of the response
     */
    public record Page(int status, Map<String, String> headers, byte[] body) {

        private static final int OK = 200;
        private static final Map<String, String> JSON =
                Map.of("Content-Type", "application/json", "Cache-Control", "no-store");

        /** The response to an accepted call, without a body. */
        public static final Page ACCEPTED = new Page(202, Map.of(), new byte[0]);

        static final Page NOT_GIVEN = refused(403, "This address was not given out: call the one that was.");

        public Page {
            headers = Map.copyOf(headers);
        }

        /** A file. */
        public static Page of(Map<String, String> headers, byte[] body) {
            return new Page(OK, headers, body);
        }

        /** A JSON document that no cache keeps. */
        public static Page json(int status, Json json) {
            return new Page(status, JSON, json.bytes());
        }

        /**
         * The response that refuses a call.
         *
         * @param why a sentence for the caller
         */
        public static Page refused(int status, String why) {
            return json(
                    status,
                    new JsonWriter()
                            .beginObject()
                            .member("error", why)
                            .endObject()
                            .toJson());
        }

        /** This page with one more header. */
        public Page with(String name, String value) {
            return new Page(status, both(headers, Map.of(name, value)), body);
        }
    }

    /** A stream of events that are not MCP messages. Thread-safe. */
    @FunctionalInterface
    public interface Feed {

        /**
         * Opens the stream of one reader, and writes events. Runs on the thread of the request, until the reader has
         * left or the thread is interrupted.
         */
        void serve(Exchange reader) throws InterruptedException;
    }

    /** A path that other systems call with a POST. The hook itself decides which callers it accepts. Thread-safe. */
    @FunctionalInterface
    public interface Hook {

        /**
         * Answers a call. An answer with 401 or 403 is reported to observers of the server like a bad token.
         *
         * @throws IOException where the caller has left
         */
        Page take(Call call) throws IOException;

        /** Whether the path is served now; a server answers for others as if there were no hook. */
        default boolean isServed() {
            return true;
        }

        /** Whether browsers visit the path with a GET, in place of calls with a POST. */
        default boolean isVisited() {
            return false;
        }

        /**
         * A hook whose addresses are secrets: the path alone authorizes a call, and bodies are not read.
         *
         * @param isGiven returns whether an address with this rest was given out, and acts on the call
         */
        static Hook ofAddresses(Predicate<String> isGiven) {
            return call -> isGiven.test(call.rest()) ? Page.ACCEPTED : Page.NOT_GIVEN;
        }
    }

    /** A call of a hook, whose sender is unknown. For one thread. */
    public interface Call {

        /** The rest of the path after the prefix of the hook. */
        String rest();

        /** The query as it was sent; empty where there is none. */
        default String query() {
            return "";
        }

        /**
         * The value of a header field, without regard to case. A field that was sent more than once ends the request:
         * the exception must pass, and the caller gets 400.
         */
        Optional<String> header(String name);

        /**
         * Reads the body, once.
         *
         * @return empty where the body exceeds the limit for messages of the server
         */
        Optional<byte[]> body() throws IOException;
    }

    /** Serves content of any length to readers that have its address. Thread-safe. */
    @FunctionalInterface
    public interface Download {

        /**
         * Opens the content at an address. An answer with 404 is reported to observers of the server like a bad token.
         *
         * @param rest  the rest of the path after the prefix of the download
         * @param range the {@code Range} of the request, or null for the whole content
         */
        Content open(String rest, @Nullable String range) throws InterruptedException;
    }

    /**
     * A response whose body is read while it is sent.
     *
     * @param status  the HTTP status
     * @param headers the headers of the response, with {@code Content-Length} where the length is known
     * @param body    the body, which the server closes. Where a read fails, the response is cut without an end
     */
    public record Content(int status, Map<String, String> headers, InputStream body) {

        public Content {
            headers = Map.copyOf(headers);
        }

        /** The content of a page. */
        public static Content of(Page page) {
            var headers = new HashMap<>(page.headers());
            headers.put("Content-Length", String.valueOf(page.body().length));
            return new Content(page.status(), headers, new ByteArrayInputStream(page.body()));
        }
    }

    /** This site with a hook for the paths with this prefix. */
    public Site hooked(String begin, Hook hook) {
        return new Site(pages, feeds, both(hooks, Map.of(begin, hook)), downloads, open, headers);
    }

    /** This site with a download for the paths with this prefix. */
    public Site downloaded(String begin, Download download) {
        return new Site(pages, feeds, hooks, both(downloads, Map.of(begin, download)), open, headers);
    }

    /** This site, which serves these paths for any Host. */
    public Site opened(String... paths) {
        return new Site(pages, feeds, hooks, downloads, Set.of(paths), headers);
    }

    /** This site with more pages, which replace pages of the same path. */
    public Site and(Map<String, Page> more) {
        return new Site(both(pages, more), feeds, hooks, downloads, open, headers);
    }

    /** Both sites. What the other one has at the path of something here replaces that. */
    public Site and(Site more) {
        return new Site(
                both(pages, more.pages),
                both(feeds, more.feeds),
                both(hooks, more.hooks),
                both(downloads, more.downloads),
                Stream.of(open, more.open).flatMap(Set::stream).collect(Collectors.toSet()),
                both(headers, more.headers));
    }

    private static <T> Map<String, T> both(Map<String, T> some, Map<String, T> more) {
        var all = new HashMap<>(some);
        all.putAll(more);
        return all;
    }
}
