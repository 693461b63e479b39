// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.openapi;

import io.longhaul.engine.run.Template;
import io.longhaul.file.openapi.ApiDocument.Place;
import io.longhaul.file.tree.FileFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the tool of one operation: its input schema, and its request as {@code http:}. */
final class OperationTool {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String BODY = "body";
    private static final String CALLBACK = "{task.callback}";
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String MULTIPART = "multipart/form-data";
    private static final int LONGEST_SCHEMA = 512 << 10;
    private static final Set<String> OF_REQUEST = Set.of("accept", "content-type", "authorization");
    private static final Set<String> SIMPLE = Set.of("string", "integer", "number", "boolean");
    private static final Set<String> ADDRESSES = Set.of("partial", "status", "result", "cancel");
    private static final Set<String> OF_JOB =
            Set.of("status", "id", "result", "partial", "error", "cancel", "idempotencyKey", "patience");
    private static final Set<String> OF_TASK = Set.of("timeout", "idle", "keepFor", "immediate");
    private static final Pattern CALLED_BACK =
            Pattern.compile("\\{\\$request\\.(?:query\\.([^}/]+)|body#/([^}/]+))}.*");

    private final ApiDocument document;
    private final Operation operation;
    private final String base;
    private final ApiSchemas schemas;
    private final ObjectNode tool = JSON.objectNode();
    private final ObjectNode properties = JSON.objectNode();
    private final Set<String> required = new TreeSet<>();
    private final ObjectNode http = tool.putObject("http");

    /**
     * An operation of a document.
     *
     * @param item the path with its own fields
     */
    record Operation(String method, String path, Place item, Place at) {}

    /** @param base the address of the API */
    OperationTool(ApiDocument document, Operation operation, String base) {
        this.document = document;
        this.base = base;
        this.operation = operation;
        this.schemas = new ApiSchemas(document);
    }

    /** Whether the document says that the operation takes long. */
    static boolean isLong(ApiDocument document, Place operation) {
        var headers = document.resolved(operation.at("responses", "202"))
                .at("headers")
                .node()
                .propertyNames();
        return operation.node().path("x-longhaul").isObject()
                || operation.node().path("x-longhaul").asBoolean(false)
                || headers.stream()
                        .anyMatch(name -> name.toLowerCase(Locale.ROOT).endsWith("location"));
    }

    /**
     * The fields of the tool.
     *
     * @param most the most pages of a list
     */
    ObjectNode fields(boolean isLong, int most) {
        var at = operation.at();
        var summary = at.text("summary");
        var description = at.node().path("description").asString(summary);
        text("title", summary);
        text("description", at.node().path("deprecated").asBoolean(false) ? "Deprecated. " + description : description);
        http.put("url", base + operation.path()).put("method", operation.method());
        parameters();
        body();
        accept();
        hints();
        var longhaul = at.at("x-longhaul");
        if (isLong) {
            longhaul.members().forEach(this::ofJob);
        } else {
            http.put("status", "none");
            pages(most);
        }
        var schema = JSON.objectNode().put("type", "object");
        schema.set("properties", properties);
        required.forEach(name -> schema.withArrayProperty("required").add(name));
        if (!schemas.definitions().isEmpty()) {
            schema.set("$defs", schemas.definitions());
        }
        if (schema.toString().length() > LONGEST_SCHEMA) {
            document.wrong(at, "needs an input schema of more than 512KB", "Leave it out by exclude:");
        }
        tool.set("inputSchema", schema.put("additionalProperties", false));
        return tool;
    }

    private void text(String field, String text) {
        if (!text.isBlank()) {
            tool.put(field, text.strip());
        }
    }

    private void parameters() {
        var all = new LinkedHashMap<String, Place>();
        Stream.of(operation.item(), operation.at())
                .flatMap(owner -> owner.at("parameters").members().values().stream())
                .map(document::resolved)
                .filter(parameter -> !parameter.node().isMissingNode())
                .forEach(parameter -> all.put(parameter.text("in") + " " + parameter.text("name"), parameter));
        all.values().forEach(this::parameter);
        var missing = Pattern.compile("\\{([^}]*)}")
                .matcher(operation.path())
                .results()
                .map(slot -> slot.group(1))
                .filter(name -> !all.containsKey("path " + name))
                .findFirst();
        missing.ifPresent(name -> document.wrong(
                operation.at(),
                "has no parameter for {" + name + "} in its path",
                "Add one with in: path, or leave the operation out by exclude:"));
    }

    private void parameter(Place parameter) {
        var name = parameter.text("name");
        var in = parameter.text("in");
        if (in.equals("header") && OF_REQUEST.contains(name.toLowerCase(Locale.ROOT))) {
            return;
        }
        var argument = argument(name, in);
        boolean isPath = in.equals("path");
        var content = parameter.at("content").members().values().stream().findFirst();
        var at = content.map(media -> media.at("schema")).orElse(parameter.at("schema"));
        property(
                argument,
                at,
                parameter,
                isPath || parameter.node().path("required").asBoolean(false));
        var style = parameter.node().path("style").asString(isPath || in.equals("header") ? "simple" : "form");
        boolean isExploded = parameter.node().path("explode").asBoolean(style.equals("form"));
        var schema = document.resolved(at);
        var slot = "{" + argument + "}";
        switch (in) {
            case "path" -> path(parameter, slot, style, isExploded && !isSimple(schema));
            case "query" ->
                http.withObjectProperty("query")
                        .set(
                                name,
                                content.isPresent() || isSimple(schema)
                                        ? JSON.stringNode(slot)
                                        : styled(slot, style, isExploded));
            case "header" -> http.withObjectProperty("headers").put(name, slot);
            case "cookie" -> http.withObjectProperty("cookies").put(name, slot);
            default ->
                document.wrong(parameter, "is in no part of a request", "Write in: path, query, header or cookie");
        }
    }

    /** A name of an argument that a place can have: the written one where that is possible. */
    private String argument(String name, String in) {
        var clean = name.replaceAll("[^A-Za-z0-9_-]+", "_").replaceFirst("^(?![A-Za-z_])", "_");
        boolean isTaken = properties.has(clean)
                || clean.equals(BODY) && operation.at().node().has("requestBody");
        return isTaken ? clean + "_" + in : clean;
    }

    private boolean isSimple(Place schema) {
        return SIMPLE.contains(schema.text("type"));
    }

    private void path(Place parameter, String slot, String style, boolean isExploded) {
        var name = parameter.text("name");
        var before = switch (style) {
            case "label" -> ".";
            case "matrix" -> ";" + name + "=";
            default -> "";
        };
        if (isExploded) {
            document.wrong(
                    parameter,
                    "is a list or an object in pieces of a path, which no tool sends",
                    "Write explode: false, or leave the operation out by exclude:");
        }
        http.put("url", http.path("url").stringValue().replace("{" + name + "}", before + slot));
    }

    private static ObjectNode styled(String slot, String style, boolean isExploded) {
        return JSON.objectNode().put("value", slot).put("style", style).put("explode", isExploded);
    }

    private void property(String argument, Place at, Place described, boolean isRequired) {
        var schema = schemas.read(at);
        if (schema instanceof ObjectNode object) {
            var description = described.text("description").strip();
            if (!description.isEmpty()) {
                var inner = object.path("description").asString("");
                object.put(
                        "description",
                        inner.isEmpty() || description.contains(inner) ? description : description + " " + inner);
            }
            examples(described)
                    .forEach(example -> object.withArrayProperty("examples").add(example));
        }
        properties.set(argument, schema);
        if (isRequired) {
            required.add(argument);
        }
    }

    private Stream<JsonNode> examples(Place described) {
        var all = described.at("examples").members().values().stream()
                .map(example -> document.resolved(example).node().path("value"));
        return Stream.concat(Stream.of(described.node().path("example")), all)
                .filter(example -> !example.isMissingNode())
                .limit(3);
    }

    private void body() {
        var body = document.resolved(operation.at().at("requestBody"));
        if (body.node().isMissingNode()) {
            http.put("text", "");
            return;
        }
        var kinds = body.at("content").members();
        var kind = kinds.keySet().stream()
                .filter(OperationTool::isJson)
                .findFirst()
                .or(() -> Stream.of(MULTIPART, FORM).filter(kinds::containsKey).findFirst())
                .or(() -> kinds.keySet().stream()
                        .filter(type -> type.startsWith("text/") || type.endsWith("xml"))
                        .findFirst());
        if (kind.isEmpty()) {
            document.wrong(
                    body,
                    "has a body of " + String.join(", ", kinds.keySet()) + ", which no tool sends",
                    "Leave the operation out by exclude:");
            return;
        }
        var media = kinds.get(kind.get());
        property(BODY, media.at("schema"), media, body.node().path("required").asBoolean(false));
        if (isJson(kind.get())) {
            http.put("json", "{body}");
            contentType(kind.get(), Set.of("application/json", "*/*"));
        } else if (kind.get().equals(FORM) || kind.get().equals(MULTIPART)) {
            form(media, kind.get());
            contentType(kind.get(), Set.of(FORM));
        } else {
            http.put("text", "{body}");
            contentType(kind.get(), Set.of());
        }
    }

    private void contentType(String type, Set<String> usual) {
        if (!usual.contains(type)) {
            http.put("contentType", type.replace("*", "plain"));
        }
    }

    private static boolean isJson(String type) {
        var plain = type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
        return plain.equals("application/json") || plain.endsWith("+json") || plain.equals("*/*");
    }

    private void form(Place media, String type) {
        var fields = schemas.fields(media.at("schema"));
        var form = http.putObject("form");
        boolean isNamed = fields.keySet().stream().allMatch(name -> name.matches("[A-Za-z_][A-Za-z0-9_-]*"));
        if (fields.isEmpty() || !isNamed) {
            form.set(BODY, styled("{body}", "form", true));
            return;
        }
        fields.forEach((name, field) -> {
            var slot = "{body." + name + "}";
            var encoding = media.at("encoding", name).node();
            var schema = document.resolved(field);
            var item = schema.text("type").equals("array") ? document.resolved(schema.at("items")) : schema;
            boolean isFile = Set.of("binary", "byte").contains(item.text("format"))
                    || item.text("contentMediaType").equals("application/octet-stream");
            if (type.equals(MULTIPART)) {
                form.set(
                        name,
                        isFile ? JSON.objectNode().put("value", slot).put("filename", name) : JSON.stringNode(slot));
            } else if (encoding.has("style")) {
                var style = encoding.path("style").asString("");
                form.set(name, styled(slot, style, encoding.path("explode").asBoolean(style.equals("form"))));
            } else {
                form.put(name, slot);
            }
        });
    }

    /** The answer of success; empty where there is none with a body. */
    private Map<String, Place> answers() {
        return operation.at().at("responses").members().entrySet().stream()
                .filter(answer -> answer.getKey().matches("2..|default"))
                .map(answer ->
                        document.resolved(answer.getValue()).at("content").members())
                .filter(content -> !content.isEmpty())
                .findFirst()
                .orElse(Map.of());
    }

    private void accept() {
        var types = answers().keySet();
        types.stream()
                .filter(OperationTool::isJson)
                .findFirst()
                .or(() -> types.stream().findFirst())
                .ifPresent(type -> http.withObjectProperty("headers").put("Accept", type));
    }

    private void hints() {
        var hints = JSON.objectNode();
        switch (operation.method()) {
            case "GET" -> hints.put("readOnly", true);
            case "PUT" -> hints.put("idempotent", true);
            case "DELETE" -> hints.put("destructive", true).put("idempotent", true);
            default -> {}
        }
        if (!hints.isEmpty()) {
            tool.set("hints", hints);
        }
    }

    private void pages(int most) {
        if (!operation.method().equals("GET") || most <= 1) {
            return;
        }
        answers().entrySet().stream()
                .filter(answer -> isJson(answer.getKey()))
                .findFirst()
                .flatMap(answer -> new ListPages(document, schemas)
                        .of(
                                answer.getValue().at("schema"),
                                Set.copyOf(http.path("query").propertyNames())))
                .ifPresent(pages -> http.set("pages", pages.put("most", most)));
    }

    /** Takes a field of {@code x-longhaul}. */
    private void ofJob(String field, Place value) {
        if (field.equals("callback")) {
            callback(value);
        } else if (OF_TASK.contains(field)) {
            tool.set(field, value.node());
        } else if (OF_JOB.contains(field)) {
            http.set(field, ADDRESSES.contains(field) ? atBase(value) : value.node());
        } else {
            document.wrong(value, "is no field that a document may set", "Write it below tools: in the file of tools");
        }
    }

    /** An address of the document is a path of the API, so that no secret goes to another host. */
    private JsonNode atBase(Place value) {
        var node = value.node();
        if (node.isObject()) {
            var fields = ((ObjectNode) node).deepCopy();
            if (fields.has("url")) {
                fields.set("url", atBase(value.at("url")));
            }
            return fields;
        }
        var text = node.asString("");
        boolean isPointer = value.pointer().endsWith("/result");
        if (!isPointer && (!text.startsWith("/") || text.startsWith("//"))) {
            document.wrong(value, "is no path of the API", "Write one such as /jobs/{job.id}");
        }
        return isPointer ? node : JSON.stringNode(base + text);
    }

    private void callback(Place named) {
        var callback =
                document.resolved(operation.at().at("callbacks", named.node().asString("")));
        var target = callback.node().propertyNames().stream()
                .map(CALLED_BACK::matcher)
                .filter(match -> match.matches())
                .findFirst();
        if (target.isEmpty()) {
            document.wrong(
                    named,
                    FileFields.quote(named.node().asString(""))
                            + " is no callback whose address is a field of the request",
                    "Name one with a key such as {$request.body#/callbackUrl}");
            return;
        }
        var query = Optional.ofNullable(target.get().group(1));
        if (query.isPresent()) {
            http.withObjectProperty("query").put(query.get(), CALLBACK);
            properties.remove(query.get());
            required.remove(query.get());
            return;
        }
        var name = target.get().group(2);
        var media = document.resolved(operation.at().at("requestBody")).at("content").members().values().stream()
                .findFirst();
        var schema = media.map(one -> document.resolved(one.at("schema")));
        if (schema.isEmpty() || !(schemas.read(schema.get()) instanceof ObjectNode body) || !http.has("json")) {
            document.wrong(named, "is for a body of JSON", "Leave it out");
            return;
        }
        body.withObjectProperty("properties").remove(name);
        if (body.path("required").isArray()) {
            var left = List.copyOf(body.get("required")
                    .valueStream()
                    .filter(one -> !one.asString("").equals(name))
                    .toList());
            left.forEach(body.putArray("required")::add);
        }
        properties.set(BODY, body);
        var json = http.putObject("json");
        schemas.fields(schema.get()).keySet().stream()
                .filter(field -> field.matches(Template.NAME))
                .forEach(field -> json.put(field, "{body." + field + "}"));
        json.put(name, CALLBACK);
    }
}
