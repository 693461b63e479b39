// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.backend.http.exchange.RequestBody;
import io.longhaul.engine.run.Template;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes the body of a request from the arguments of a call.
 *
 * @param names  the names of the values that the body takes
 * @param filled makes the body; empty for none
 */
public record BodyTemplate(Set<String> names, Function<TemplateValues, Optional<RequestBody>> filled) {

    public static final String JSON = "application/json";

    /** No body. */
    public static final BodyTemplate NONE = new BodyTemplate(Set.of(), values -> Optional.empty());

    /** All arguments, as one JSON object. */
    public static final BodyTemplate EVERYTHING =
            new BodyTemplate(Set.of(), values -> Optional.of(json(values.call().arguments(), JSON)));

    /** JSON with slots in its texts; no body where it is one text whose value is missing. */
    public static BodyTemplate ofJson(JsonNode json, String mediaType) {
        var template = new JsonTemplate(json);
        return new BodyTemplate(
                template.names(), values -> template.fill(values::find).map(node -> json(node, mediaType)));
    }

    /** A text; no body where a value is missing. */
    public static BodyTemplate ofText(Template text, String mediaType) {
        return new BodyTemplate(
                text.slots(),
                values -> values.value(text)
                        .map(value -> new RequestBody(
                                mediaType, TemplateValues.asText(value).getBytes(UTF_8))));
    }

    /** Fields of a form. */
    public static BodyTemplate ofForm(Map<String, Part> fields) {
        var ordered = new LinkedHashMap<>(fields);
        return new BodyTemplate(
                names(ordered.values().stream().map(Part::value)),
                values -> Optional.of(new RequestBody(
                        "application/x-www-form-urlencoded",
                        Part.form(ordered, values).getBytes(UTF_8))));
    }

    /** The parts of a {@code multipart/form-data} body. */
    public static BodyTemplate ofMultipart(Map<String, MultipartField> fields) {
        var ordered = new LinkedHashMap<>(fields);
        return new BodyTemplate(
                names(ordered.values().stream().map(MultipartField::value)),
                values -> MultipartField.body(ordered, values));
    }

    private static Set<String> names(Stream<Template> texts) {
        return texts.flatMap(text -> text.slots().stream()).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static RequestBody json(JsonNode node, String mediaType) {
        return new RequestBody(mediaType, JsonMapper.shared().writeValueAsBytes(node));
    }
}
