// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.request;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks the headers of a request before its body is read. Each check returns null where the request passes. */
public final class RequestChecks {

    private static final String JSON = "application/json";
    private static final String EVENTS = "text/event-stream";

    private RequestChecks() {}

    public static @Nullable HttpRefusal origin(Fields headers, OriginPolicy policy) {
        var host = headers.single("Host");
        if (host == null || !policy.allowsHost(host)) {
            return new HttpRefusal(
                    403,
                    "This Host is not served here: allow it at the server with --allow-host, or allowHosts in Java");
        }
        var origins = headers.all("Origin");
        return origins.isEmpty() || origins.size() == 1 && policy.allowsOrigin(origins.getFirst(), host)
                ? null
                : new HttpRefusal(403, "This Origin is not served here: start the server with it as an allowed origin");
    }

    public static @Nullable HttpRefusal contentType(Fields headers) {
        var type = headers.single("Content-Type");
        if (type == null || !isJson(type)) {
            return new HttpRefusal(415, "The body must be sent as Content-Type: application/json");
        }
        return List.of("identity").containsAll(headers.list("Content-Encoding"))
                ? null
                : new HttpRefusal(415, "The body must not be compressed", Map.of("Accept-Encoding", "identity"));
    }

    private static boolean isJson(String type) {
        if (type.equals(JSON)) {
            return true;
        }
        var parts = type.toLowerCase(Locale.ROOT).split(";", 2);
        return parts[0].strip().equals(JSON) && (parts.length == 1 || isUtf8(parts[1]));
    }

    private static boolean isUtf8(String parameters) {
        for (var parameter : parameters.split(";")) {
            var value = parameter.strip().replace("\"", "");
            if (value.startsWith("charset=") && !value.equals("charset=utf-8") && !value.equals("charset=utf8")) {
                return false;
            }
        }
        return true;
    }

    public static @Nullable HttpRefusal acceptsAnswer(Fields headers) {
        return accepts(headers, JSON) || accepts(headers, EVENTS)
                ? null
                : new HttpRefusal(
                        406, "The answer is JSON or an event stream: send Accept: application/json, text/event-stream");
    }

    public static @Nullable HttpRefusal acceptsEvents(Fields headers) {
        return accepts(headers, EVENTS)
                ? null
                : new HttpRefusal(406, "The answer is an event stream: send Accept: text/event-stream");
    }

    private static boolean accepts(Fields headers, String type) {
        var values = headers.all("Accept");
        for (var value : values) {
            var ranges = value.toLowerCase(Locale.ROOT);
            for (int from = 0; from < ranges.length(); ) {
                int comma = ranges.indexOf(',', from);
                int end = comma < 0 ? ranges.length() : comma;
                if (takes(ranges.substring(from, end), type)) {
                    return true;
                }
                from = end + 1;
            }
        }
        return values.isEmpty();
    }

    private static boolean takes(String range, String type) {
        int parameters = range.indexOf(';');
        var name = (parameters < 0 ? range : range.substring(0, parameters)).strip();
        return name.equals(type) || name.equals("*/*") || isWildcardOf(name, type);
    }

    private static boolean isWildcardOf(String range, String type) {
        return range.endsWith("/*") && type.startsWith(range.substring(0, range.length() - 1));
    }
}
