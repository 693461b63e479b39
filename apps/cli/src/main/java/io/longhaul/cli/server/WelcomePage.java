// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.server;

import io.longhaul.transport.Site;
import io.longhaul.transport.Site.Page;
import io.longhaul.transport.http.Http;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a person sees who opens the address of a server in a browser. Anybody may read it, so that it tells nothing of
 * tools, tasks and callers.
 */
final class WelcomePage {
    private static final Map<String, String> HEADERS = Map.of(
            "Content-Type",
            "text/html; charset=utf-8",
            "Content-Security-Policy",
            "default-src 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options",
            "nosniff");

    private static final String TEXT = """
            <!doctype html>
            <html lang="en">
            <meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark">
            <title>A server of Longhaul</title>
            <h1>This is a server for programs</h1>
            <p>It speaks the Model Context Protocol (MCP) at the path <code>%s</code> of this address. Enter that
            address in your MCP host, or ask the server in a terminal: <code>longhaul tools</code>,
            <code>longhaul ps</code>,
            <code>longhaul status</code>.
            <p>%s
            </html>
            """;
    private static final String CONSOLE = "Its tasks are in the console, at the link that it printed when it started.";
    private static final String NO_CONSOLE =
            "Pages with its tasks come with <code>longhaul serve FILE.yaml --console" + "</code>, which prints a link.";

    private WelcomePage() {}

    /** The site with this page in front of a server. */
    static Site of(Http http, boolean hasConsole) {
        var text = TEXT.formatted(http.url().getPath(), hasConsole ? CONSOLE : NO_CONSOLE);
        return Site.NONE.and(Map.of("/", Page.of(HEADERS, text.getBytes(StandardCharsets.UTF_8))));
    }
}
