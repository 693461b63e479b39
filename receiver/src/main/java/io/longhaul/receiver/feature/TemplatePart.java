package io.longhaul.receiver.feature;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A piece of a URI template. */
sealed interface TemplatePart {

    String UNRESERVED = "-._~";
    String RESERVED = ":/?#[]@!$&'()*+,;=";

    record Literal(String text) implements TemplatePart {}

    /** The value of one variable; {@code reserved} where it may hold reserved characters as they are. */
    record Value(String name, boolean reserved) implements TemplatePart {

        /** Where the characters end that it can have. */
        int end(String uri, int from) {
            int at = from;
            while (at < uri.length() && takes(uri, at)) {
                at += uri.charAt(at) == '%' ? 3 : 1;
            }
            return at;
        }

        private boolean takes(String uri, int at) {
            char c = uri.charAt(at);
            if (c == '%') {
                return isHex(uri, at + 1) && isHex(uri, at + 2);
            }
            boolean plain = c < 0x80 ? Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0 : c > 0xa0;
            return plain || reserved && RESERVED.indexOf(c) >= 0;
        }
    }

    /** Values with their names, each of which may be missing. */
    record Pairs(char operator, List<String> names) implements TemplatePart {

        /** Reads pairs from {@code at} on, and gives where they end, or -1 where one of them is none of these. */
        int read(String uri, int at, Map<String, String> values) {
            int from = at;
            char first = operator;
            while (from < uri.length() && uri.charAt(from) == first) {
                int end = from + 1;
                while (end < uri.length() && !ends(uri.charAt(end))) {
                    end++;
                }
                if (!pair(uri.substring(from + 1, end), values)) {
                    return -1;
                }
                from = end;
                first = operator == '?' ? '&' : operator;
            }
            return from;
        }

        private boolean ends(char c) {
            return operator == ';' ? ";/?#".indexOf(c) >= 0 : "&#".indexOf(c) >= 0;
        }

        private boolean pair(String pair, Map<String, String> values) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            var value = decode(equals < 0 ? "" : pair.substring(equals + 1));
            return names.contains(name) && value.isPresent() && values.putIfAbsent(name, value.get()) == null;
        }
    }

    /** Percent-encoding undone; empty where it is none or what comes out is no UTF-8. */
    static Optional<String> decode(String text) {
        if (text.indexOf('%') < 0) {
            return Optional.of(text);
        }
        var bytes = new ByteArrayOutputStream(text.length());
        int from = 0;
        for (int at = text.indexOf('%'); at >= 0; at = text.indexOf('%', from)) {
            if (!isHex(text, at + 1) || !isHex(text, at + 2)) {
                return Optional.empty();
            }
            bytes.writeBytes(text.substring(from, at).getBytes(StandardCharsets.UTF_8));
            bytes.write(Integer.parseInt(text, at + 1, at + 3, 16));
            from = at + 3;
        }
        bytes.writeBytes(text.substring(from).getBytes(StandardCharsets.UTF_8));
        try {
            var decoded = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray()));
            return Optional.of(decoded.toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static boolean isHex(String text, int at) {
        return at < text.length() && Character.digit(text.charAt(at), 16) >= 0 && text.charAt(at) < 0x80;
    }
}
