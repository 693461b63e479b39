// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.resume;

import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes parts as results for a model. No text has the token in it, and the first part says that more is to come: a
 * client that does not know of tokens takes the first part for the whole result.
 */
final class PartTexts {

    private static final String MORE = "This is the first part of the output; the work goes on.";

    private PartTexts() {}

    /** @param content for a model */
    static Json immediate(Json content) {
        return JsonWriter.object().member("content", content).end();
    }

    /** Pieces of output, one content item each: a text as it is, anything else as JSON. */
    static Json pieces(List<Payload> output, boolean first) {
        List<String> texts = new ArrayList<>();
        for (Payload piece : output) {
            texts.add(JsonReader.shown(Json.raw(piece.bytes())));
        }
        if (first) {
            texts.add(MORE);
        }
        return result(texts);
    }

    /** The state of the work, where there is no new output. */
    static Json nothing(TaskView task, boolean first) {
        var text = new StringBuilder(
                switch (task.status().state()) {
                    case SUBMITTED -> "The work waits for its turn";
                    case INPUT_REQUIRED -> "The work waits for an answer to a question";
                    default -> first ? "The work has begun and goes on" : "The work goes on";
                });
        var progress = task.status().progress();
        if (progress != null) {
            text.append(", ").append(progress(progress));
        }
        String message = task.status().message();
        if (message != null && (progress == null || !message.equals(progress.message()))) {
            text.append(": ").append(message);
        }
        return result(List.of(text.append(first ? ". There is no output yet." : ". There is no new output yet.")
                .toString()));
    }

    private static String progress(ProgressView progress) {
        String done = number(progress.current());
        Double total = progress.total();
        String so = total == null ? done + " done so far" : done + " of " + number(total) + " so far";
        return progress.message() == null ? so : so + " (" + progress.message() + ")";
    }

    private static String number(double value) {
        return new JsonWriter(24).number(value).toJson().toString();
    }

    private static Json result(List<String> texts) {
        var out = JsonWriter.object().name("content").beginArray();
        for (String text : texts) {
            out.beginObject().member("type", "text");
            out.member("text", text).endObject();
        }
        return out.endArray().end();
    }
}
