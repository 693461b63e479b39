// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.transport.Site.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The files of the pages, and headers that forbid a browser to run other code and to embed the pages in other sites.
 */
final class PageFiles {

    private static final String INDEX = "index.html";
    private static final int MOVED = 308;

    private static final List<String> FILES = List.of(
            "console.css",
            "app.js",
            "calls.js",
            "charts.js",
            "dom.js",
            "events.js",
            "figures.js",
            "forms.js",
            "messages.js",
            "numbers.js",
            "offers.js",
            "questions.js",
            "results.js",
            "selection.js",
            "task.js",
            "tasks.js",
            "timeline.js",
            "words.js");

    private static final String POLICY = String.join(
            "; ",
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "connect-src 'self'",
            "img-src 'self' data:",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'");

    /** The headers of every response, refusals included. */
    static final Map<String, String> GUARDS = Map.of(
            "Content-Security-Policy", POLICY,
            "Cross-Origin-Opener-Policy", "same-origin",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Referrer-Policy", "no-referrer",
            "X-Content-Type-Options", "nosniff");

    /** The placeholder for the endpoint in the first page. */
    private static final String ENDPOINT = "content=\"mcp\"";

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8");

    private PageFiles() {}

    /** The files by their paths below {@code path}, for an endpoint at a path of the same server. */
    static Map<String, Page> at(String path, String endpoint) {
        var pages = new HashMap<String, Page>();
        for (var file : FILES) {
            pages.put(path + "/" + file, page(file, read(file)));
        }
        // Links in the pages are relative, so that they work behind a proxy and below the path of an application.
        var index = new String(read(INDEX), UTF_8).replace(ENDPOINT, "content=\"" + relative(path, endpoint) + "\"");
        pages.put(path + "/", page(INDEX, index.getBytes(UTF_8)));
        var last = path.substring(path.lastIndexOf('/') + 1);
        pages.put(path, new Page(MOVED, Map.of("Location", last + "/"), new byte[0]));
        return pages;
    }

    private static String relative(String path, String endpoint) {
        return endpoint.startsWith(path + "/")
                ? endpoint.substring(path.length() + 1)
                : "../".repeat((int) path.chars().filter(c -> c == '/').count()) + endpoint.substring(1);
    }

    /**
     * A page that browsers must revalidate, so that no page of an older version of the server is used after an update.
     */
    private static Page page(String file, byte[] content) {
        var type = TYPES.get(file.substring(file.lastIndexOf('.') + 1));
        return Page.of(Map.of("Content-Type", Objects.requireNonNull(type), "Cache-Control", "no-cache"), content);
    }

    private static byte[] read(String file) {
        try (var in = Objects.requireNonNull(PageFiles.class.getResourceAsStream("pages/" + file), file)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
