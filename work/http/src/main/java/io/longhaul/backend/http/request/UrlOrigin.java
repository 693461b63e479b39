// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;

/** The origin of an address: scheme, host and port. */
public record UrlOrigin(String scheme, String host, int port) {

    private static final int HTTP = 80;
    private static final int HTTPS = 443;
    private static final Pattern NAMED =
            Pattern.compile("(?:(https?)://)?([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?/?");

    static UrlOrigin of(URI uri) {
        var scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        var host = String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT);
        int usual = scheme.equals("http") ? HTTP : HTTPS;
        return new UrlOrigin(scheme, host, uri.getPort() < 0 ? usual : uri.getPort());
    }

    /** The origin of an address as it is written there, for the log. */
    public static String text(URI uri) {
        return uri.getScheme() + "://" + uri.getRawAuthority();
    }

    /**
     * Parses {@code host} or {@code host:port}, with or without a scheme in front; https by default.
     *
     * @throws IllegalArgumentException when the text has another form
     */
    public static UrlOrigin named(String text) {
        var named = NAMED.matcher(text);
        if (!named.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no host; write one such as files.example.com or http://localhost:8080");
        }
        var scheme = named.group(1) == null ? "https" : named.group(1);
        var port = named.group(3) == null ? "" : named.group(3);
        return of(URI.create(scheme + "://" + named.group(2) + port));
    }
}
