// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.backend.http.exchange.RequestBody;
import io.longhaul.engine.run.Template;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A part of a {@code multipart/form-data} body. A list gives a part for each item.
 *
 * @param filename makes a file of it, whose value is base64; null for a text, or JSON
 */
public record MultipartField(Template value, @Nullable String filename) {

    /** The body; none where no field has a value. */
    static Optional<RequestBody> body(Map<String, MultipartField> fields, TemplateValues values) {
        // The caller does not know the key, so that no value can end its part.
        var boundary = "longhaul-" + values.key();
        var body = new ByteArrayOutputStream();
        fields.forEach((name, field) -> values.value(field.value).ifPresent(value -> {
            if (value.isArray()) {
                value.forEach(item -> field.write(boundary, name, item, body));
            } else {
                field.write(boundary, name, value, body);
            }
        }));
        if (body.size() == 0) {
            return Optional.empty();
        }
        body.writeBytes(("--" + boundary + "--\r\n").getBytes(UTF_8));
        return Optional.of(new RequestBody("multipart/form-data; boundary=" + boundary, body.toByteArray()));
    }

    private void write(String boundary, String name, JsonNode value, ByteArrayOutputStream body) {
        var head = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + quoted(name) + "\"";
        if (filename != null) {
            head += "; filename=\"" + quoted(filename) + "\"\r\nContent-Type: application/octet-stream";
        } else if (value.isContainer()) {
            head += "\r\nContent-Type: application/json";
        }
        body.writeBytes((head + "\r\n\r\n").getBytes(UTF_8));
        body.writeBytes(filename == null ? TemplateValues.asText(value).getBytes(UTF_8) : bytes(name, value));
        body.writeBytes("\r\n".getBytes(UTF_8));
    }

    private static byte[] bytes(String name, JsonNode value) {
        try {
            return Base64.getDecoder().decode(TemplateValues.asText(value));
        } catch (IllegalArgumentException e) {
            throw new RefusedValueException("The file '" + name + "' must be base64.");
        }
    }

    private static String quoted(String text) {
        return text.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
    }
}
