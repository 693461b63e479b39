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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What an HTTP server serves beside its MCP endpoint, at paths of its own. Host and Origin are checked before anything
 * of it is given. Immutable.
 *
 * @param pages   that everybody may read, by path
 * @param feeds   streams of events for callers whose principal is known, by path
 * @param hooks   that anybody may call, by what stands before their paths
 * @param downloads that anybody may read who has their addresses, by what stands before their paths
 * @param headers of every response of the server, also of refusals and of those of the endpoint
 */
public record Site(
        Map<String, Page> pages,
        Map<String, Feed> feeds,
        Map<String, Hook> hooks,
        Map<String, Download> downloads,
        Map<String, String> headers) {

    /** Nothing beside the endpoint. */
    public static final Site NONE = new Site(Map.of(), Map.of(), Map.of(), Map.of(), Map.of());

    public Site {
        pages = Map.copyOf(pages);
        feeds = Map.copyOf(feeds);
        hooks = Map.copyOf(hooks);
        downloads = Map.copyOf(downloads);
        headers = Map.copyOf(headers);
    }

    /**
     * A response, as to each GET of a path; its body is not to be changed.
     *
     * @param status  the HTTP status
     * @param headers of the response
     */
    public record Page(int status, Map<String, String> headers, byte[] body) {

        private static final int OK = 200;
        private static final Map<String, String> JSON =
                Map.of("Content-Type", "application/json", "Cache-Control", "no-store");

        /** Says that a call was taken, and nothing more. */
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
         * Turns a call down.
         *
         * @param why a sentence for the caller
         */
        public static Page refused(int status, String why) {
            return json(
                    status,
                    new JsonWriter()
                            .beginObject()
                            .name("error")
                            .string(why)
                            .endObject()
                            .toJson());
        }

        /** With one header more. */
        public Page with(String name, String value) {
            var all = new HashMap<>(headers);
            all.put(name, value);
            return new Page(status, all, body);
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

    /** Is called by other systems, with a POST. It says itself whom it takes a call from. Thread-safe. */
    @FunctionalInterface
    public interface Hook {

        /**
         * Answers a call. Those who run the server are told of an answer with 401 or 403, as of a bad token.
         *
         * @throws IOException where the caller has left
         */
        Page take(Call call) throws IOException;

        /**
         * A hook whose addresses were given out: its paths say all, and bodies are not read.
         *
         * @param isGiven whether somebody was given the address that ends so, and what follows from its call
         */
        static Hook ofAddresses(Predicate<String> isGiven) {
            return call -> isGiven.test(call.rest()) ? Page.ACCEPTED : Page.NOT_GIVEN;
        }
    }

    /** A call of a hook, whose sender is not known. For one thread. */
    public interface Call {

        /** The rest of its path, behind what all paths of the hook begin with. */
        String rest();

        /** The first value of a header field, without regard to case. */
        Optional<String> header(String name);

        /**
         * Reads the body, once.
         *
         * @return empty where it is larger than a message of the server may be
         */
        Optional<byte[]> body() throws IOException;
    }

    /** Gives what can have any length to whoever has its address. Thread-safe. */
    @FunctionalInterface
    public interface Download {

        /**
         * Opens what is at an address. Those who run the server are told of an answer with 404, as of a bad token.
         *
         * @param rest  of the path, behind what all paths of the download begin with
         * @param range the {@code Range} of the request, or null where it wants all of it
         */
        Content open(String rest, @Nullable String range) throws InterruptedException;
    }

    /**
     * A response whose body is read as it is sent.
     *
     * @param status  the HTTP status
     * @param headers of the response; {@code Content-Length}, where the length is known
     * @param body    is closed by whoever sends it; where it fails, the client does not get an end
     */
    public record Content(int status, Map<String, String> headers, InputStream body) {

        public Content {
            headers = Map.copyOf(headers);
        }

        /** The same as a page. */
        public static Content of(Page page) {
            var headers = new HashMap<>(page.headers());
            headers.put("Content-Length", String.valueOf(page.body().length));
            return new Content(page.status(), headers, new ByteArrayInputStream(page.body()));
        }
    }

    /** With a hook for the paths that begin so. */
    public Site hooked(String begin, Hook hook) {
        var all = new HashMap<>(hooks);
        all.put(begin, hook);
        return new Site(pages, feeds, all, downloads, headers);
    }

    /** With a download for the paths that begin so. */
    public Site downloaded(String begin, Download download) {
        var all = new HashMap<>(downloads);
        all.put(begin, download);
        return new Site(pages, feeds, hooks, all, headers);
    }

    /** With more pages, which stand before those of the same path. */
    public Site and(Map<String, Page> more) {
        var all = new HashMap<>(pages);
        all.putAll(more);
        return new Site(all, feeds, hooks, downloads, headers);
    }
}
