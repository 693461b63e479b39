// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The target of a request.
 *
 * @param host  the host that an absolute target names, with its port, or null where it names none
 * @param path  the decoded path
 * @param query the query as it was sent, empty where there is none
 */
record Target(@Nullable String host, String path, String query) {

    private static final Pattern ABSOLUTE = Pattern.compile("(?i:https?)://([^/?]*)(.*)");
    private static final Pattern CHARACTERS = Pattern.compile("[A-Za-z0-9\\-._~:/?\\[\\]@!$&'()*+,;=%]+");
    private static final Pattern CODE = Pattern.compile("%[0-9A-Fa-f]{2}");

    /** Reads the four forms of a target: a path, an absolute address, a host alone for CONNECT, and the asterisk. */
    static Target of(String method, String text) {
        if (!CHARACTERS.matcher(text).matches()) {
            throw Malformed.because("The target of the request has a character that a target cannot have");
        }
        if (method.equals("CONNECT") || text.equals("*") && method.equals("OPTIONS")) {
            return new Target(null, text, "");
        }
        if (text.startsWith("/")) {
            return place(null, text);
        }
        var absolute = ABSOLUTE.matcher(text);
        if (!absolute.matches() || absolute.group(1).isEmpty()) {
            throw Malformed.because("The target of the request is neither a path nor an http address");
        }
        return place(absolute.group(1), absolute.group(2));
    }

    private static Target place(@Nullable String host, String text) {
        var query = text.indexOf('?');
        var path = query < 0 ? text : text.substring(0, query);
        return new Target(host, path.isEmpty() ? "/" : decoded(path), query < 0 ? "" : text.substring(query + 1));
    }

    private static String decoded(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        var bytes = new ByteArrayOutputStream(path.length());
        for (var i = 0; i < path.length(); i++) {
            if (path.charAt(i) != '%') {
                bytes.write(path.charAt(i));
                continue;
            }
            if (!CODE.matcher(path).region(i, path.length()).lookingAt()) {
                throw Malformed.because("The target of the request has a % without two digits");
            }
            bytes.write(HexFormat.fromHexDigits(path, i + 1, i + 3));
            i += 2;
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
