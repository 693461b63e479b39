package io.longhaul.console;

import io.longhaul.transport.Site.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The files that a browser loads, with headers under which it runs nothing else and shows it to no other site. */
final class PageFiles {

    private static final String INDEX = "index.html";
    private static final int MOVED = 308;

    private static final List<String> FILES = List.of(
            INDEX,
            "console.css",
            "app.js",
            "calls.js",
            "charts.js",
            "dom.js",
            "events.js",
            "figures.js",
            "forms.js",
            "results.js",
            "task.js",
            "tasks.js",
            "timeline.js",
            "tools.js",
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

    private static final Map<String, String> GUARDS = Map.of(
            "Content-Security-Policy", POLICY,
            "Cross-Origin-Opener-Policy", "same-origin",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Referrer-Policy", "no-referrer",
            "X-Content-Type-Options", "nosniff",
            // The pages belong to the version of the server: after an update, none of them is an old one.
            "Cache-Control", "no-cache");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8");

    private PageFiles() {}

    /** The files by their paths below {@code path}. */
    static Map<String, Page> at(String path) {
        var pages = new HashMap<String, Page>();
        for (var file : FILES) {
            pages.put(path + "/" + file, page(file));
        }
        pages.put(path + "/", page(INDEX));
        // Links in the pages are relative, so that they hold behind a proxy and below the path of an application.
        var last = path.substring(path.lastIndexOf('/') + 1);
        pages.put(path, new Page(MOVED, guarded("Location", last + "/"), new byte[0]));
        return pages;
    }

    private static Page page(String file) {
        var type = TYPES.get(file.substring(file.lastIndexOf('.') + 1));
        return Page.of(guarded("Content-Type", Objects.requireNonNull(type)), read(file));
    }

    private static Map<String, String> guarded(String name, String value) {
        var headers = new HashMap<>(GUARDS);
        headers.put(name, value);
        return headers;
    }

    private static byte[] read(String file) {
        try (var in = Objects.requireNonNull(PageFiles.class.getResourceAsStream("pages/" + file), file)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
