// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import io.longhaul.engine.run.Template;
import java.util.Map;
import java.util.StringJoiner;

/** A field of a query or a form. A field with a missing value is left out. */
public record Part(Template value, PartStyle style) {

    /** The fields with their values, in the form of a query. */
    static String form(Map<String, Part> fields, TemplateValues values) {
        var form = new StringJoiner("&");
        fields.forEach((name, part) -> values.value(part.value).ifPresent(value -> part.style.add(name, value, form)));
        return form.toString();
    }
}
