// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.Dialect.Decoded;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.Parsed;
import io.longhaul.protocol.rpc.RequestId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replays the inputs of one section of a transcript, and writes what comes of them below each.
 *
 * <pre>
 * > a message of the client                  = the call that it is read as
 * ? the name of an answer to that call       &lt; status and response
 * ! the name of a notice, subscription or -  &lt; the notification, or nothing
 * * the name of a question, task or -        &lt; the request to the client, or nothing
 * </pre>
 */
final class Transcript {

    private static final JsonRpcCodec CODEC = new JsonRpcCodec(WireLimits.DEFAULT);

    private final Dialect dialect;
    private JsonRpcMessage.@Nullable Request request;
    private @Nullable Decoded decoded;

    Transcript(Dialect dialect) {
        this.dialect = dialect;
    }

    List<String> replay(List<String> section) {
        var lines = new ArrayList<String>();
        for (var line : section) {
            if (line.startsWith("=") || line.startsWith("<")) {
                continue;
            }
            lines.add(line);
            if (line.startsWith(">")) {
                lines.add("= " + call(line.substring(2)));
            } else if (line.startsWith("?")) {
                lines.add("< " + answer(line.substring(2)));
            } else if (line.startsWith("!")) {
                lines.add("< " + notice(line.substring(2).split(" ")));
            } else if (line.startsWith("*")) {
                lines.add("< " + question(line.substring(2).split(" ")));
            }
        }
        return lines;
    }

    private String call(String message) {
        var parsed = (Parsed.Message) CODEC.parse(message.getBytes(StandardCharsets.UTF_8));
        request = parsed.message() instanceof JsonRpcMessage.Request it ? it : null;
        decoded = parsed.message() instanceof JsonRpcMessage.Notification notification
                ? dialect.decode(notification.method(), notification.params())
                : dialect.decode(request.method(), request.params());
        return switch (decoded) {
            case Decoded.Good(var call) -> call.toString();
            case Decoded.Bad(var error, var status) -> status + " " + JsonRpcCodec.encode(error);
        };
    }

    private String answer(String name) {
        var call = ((Decoded.Good) decoded).call();
        var encoded =
                dialect.encode(request.id(), call, FeatureFixtures.answer(name).orElseGet(() -> Fixtures.answer(name)));
        return encoded.httpStatus() + " " + JsonRpcCodec.encode(encoded.response());
    }

    private String notice(String[] words) {
        return written(dialect.encode(notice(words[0]), id(words[1])));
    }

    private static Notice notice(String name) {
        var notice = FeatureFixtures.notice(name);
        return notice == null ? Fixtures.notice(name) : notice;
    }

    private String question(String[] words) {
        var id = new RequestId.Text("q1");
        return written(dialect.encode(id, Fixtures.question(words[0]), words[1].equals("-") ? null : words[1]));
    }

    private static @Nullable RequestId id(String word) {
        return word.equals("-") ? null : JsonRpcCodec.id(Json.raw(word));
    }

    private static String written(@Nullable JsonRpcMessage message) {
        return message == null ? "nothing" : JsonRpcCodec.encode(message).toString();
    }
}
