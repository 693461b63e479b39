// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import io.longhaul.transport.streamable.request.Fields;
import io.longhaul.transport.streamable.request.Fields.Field;
import io.longhaul.transport.streamable.request.RequestHead;
import io.longhaul.transport.streamable.request.RequestHead.Framing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the heads of the requests of one connection by the grammar of RFC 9112, and refuses everything that the RFC
 * lets a server refuse. A client repeats its request line and host: values that were valid in the previous head are not
 * checked again. For one thread at a time.
 */
final class HeadReader {

    /** "It is RECOMMENDED that all HTTP senders and recipients support, at a minimum, request-line lengths of 8000." */
    static final int LINE_BYTES = 8 * 1024;

    static final int HEADER_BYTES = 16 * 1024;

    private static final int EMPTY_LINES = 8;

    /** The longest value that is kept from a head, since kept values live as long as the connection. */
    private static final int KEPT_CHARACTERS = 256;

    private static final int NOT_IMPLEMENTED = 501;
    private static final Pattern VERSION = Pattern.compile("HTTP/([0-9])\\.([0-9])");
    private static final Pattern HOST =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(:[0-9]{0,5})?");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    /** Interned names of common fields, since a head is kept until its request is answered. */
    private static final Map<String, String> NAMES = Stream.of(
                    "Accept",
                    "Authorization",
                    "Connection",
                    "Content-Length",
                    "Content-Type",
                    "Host",
                    "Last-Event-ID",
                    "Mcp-Method",
                    "Mcp-Name",
                    "Mcp-Protocol-Version",
                    "Mcp-Session-Id",
                    "MCP-Protocol-Version",
                    "Origin",
                    "User-Agent")
            .flatMap(name -> Stream.of(name, name.toLowerCase(Locale.ROOT)))
            .distinct()
            .collect(Collectors.toUnmodifiableMap(name -> name, name -> name));

    /** The request line, split. */
    private record Line(String text, String method, Target target, boolean old) {}

    private @Nullable Line last;
    private @Nullable String goodHost;

    RequestHead read(Input input) throws IOException {
        var line = line(requestLine(input));
        var fields = host(line, fields(input));
        return new RequestHead(
                line.method(), line.target().path(), line.target().query(), fields, framing(line, fields), line.old());
    }

    /** "A server ... SHOULD ignore at least one empty line (CRLF) received prior to the request-line." */
    private static String requestLine(Input input) throws IOException {
        for (var i = 0; i <= EMPTY_LINES; i++) {
            var line = input.line(LINE_BYTES, new Malformed(414, "The request line is longer than this server reads"));
            if (!line.isEmpty()) {
                return line;
            }
        }
        throw Malformed.because("There is no request line");
    }

    private Line line(String text) {
        var known = last;
        if (known != null && known.text().equals(text)) {
            return known;
        }
        var line = split(text);
        last = text.length() <= KEPT_CHARACTERS ? line : null;
        return line;
    }

    private static Line split(String text) {
        var parts = text.split(" ", -1);
        if (parts.length != 3 || !Fields.isToken(parts[0])) {
            throw Malformed.because("The request line is not a method, a target and HTTP/1.1, with one space between");
        }
        var version = VERSION.matcher(parts[2]);
        if (!version.matches()) {
            throw Malformed.because("The request line does not end with a version of HTTP");
        }
        if (!version.group(1).equals("1")) {
            throw new Malformed(505, "This server speaks HTTP/1.1: send the request in that version");
        }
        return new Line(
                text, parts[0], Target.of(parts[0], parts[1]), version.group(2).equals("0"));
    }

    private static Fields fields(Input input) throws IOException {
        var tooLarge = new Malformed(431, "The header fields are larger than this server reads: send less of them");
        var fields = new ArrayList<Field>();
        var left = HEADER_BYTES;
        for (var line = input.line(left, tooLarge); !line.isEmpty(); line = input.line(left, tooLarge)) {
            left = Math.max(0, left - line.length() - 2);
            // "No whitespace is allowed between the field name and colon"; one at the start folds a line.
            var colon = line.indexOf(':');
            var name = colon < 0 ? "" : line.substring(0, colon);
            var usual = NAMES.get(name);
            if (usual == null && !Fields.isToken(name)) {
                throw Malformed.because("A line of the header is not a name, a colon and a value");
            }
            var value = line.substring(colon + 1);
            if (!Fields.isValue(value)) {
                throw Malformed.because("A header field has a control character in it");
            }
            fields.add(new Field(usual == null ? name : usual, value.strip()));
        }
        return new Fields(fields);
    }

    /**
     * "A server MUST respond with a 400 (Bad Request) status code to any HTTP/1.1 request message that lacks a Host
     * header field and to any request message that contains more than one Host header field line or a Host header field
     * with an invalid field value", and of a target that names a host "MUST ignore the received Host header field (if
     * any) and instead replace it".
     */
    private Fields host(Line line, Fields fields) {
        var hosts = fields.all("Host");
        if (hosts.size() > 1 || hosts.isEmpty() && !line.old()) {
            throw Malformed.because("The request must have one Host header field");
        }
        var named = line.target().host();
        if (!hosts.isEmpty() && !isHost(hosts.getFirst()) || named != null && !isHost(named)) {
            throw Malformed.because("The host is not a name or an address, with or without a port");
        }
        return named == null ? fields : fields.with("host", named);
    }

    private boolean isHost(String host) {
        if (host.equals(goodHost)) {
            return true;
        }
        boolean isGood = HOST.matcher(host).matches();
        if (isGood && host.length() <= KEPT_CHARACTERS) {
            goodHost = host;
        }
        return isGood;
    }

    /** The framing by section 6.3; an ambiguous framing is refused. */
    private static Framing framing(Line line, Fields fields) {
        var lengths = fields.all("Content-Length");
        if (fields.contains("Transfer-Encoding")) {
            if (line.old() || !lengths.isEmpty()) {
                throw Malformed.because("Transfer-Encoding goes with neither HTTP/1.0 nor Content-Length");
            }
            return chunked(fields.list("Transfer-Encoding"));
        }
        if (lengths.isEmpty()) {
            return new Framing.Length(0);
        }
        if (lengths.size() > 1 || !NUMBER.matcher(lengths.getFirst()).matches()) {
            throw Malformed.because("Content-Length is not one number of at most 18 digits");
        }
        return new Framing.Length(Long.parseLong(lengths.getFirst()));
    }

    private static Framing chunked(List<String> codings) {
        if (codings.indexOf("chunked") != codings.size() - 1 || codings.isEmpty()) {
            throw Malformed.because("The last Transfer-Encoding, and that alone, is chunked");
        }
        if (codings.size() > 1) {
            throw new Malformed(NOT_IMPLEMENTED, "The only Transfer-Encoding that this server knows is chunked");
        }
        return new Framing.Chunked();
    }
}
