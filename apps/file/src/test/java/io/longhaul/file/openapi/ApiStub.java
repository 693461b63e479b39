// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.testkit.LocalHttp;
import java.io.IOException;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * An API that is made of a document, and judges each request by it, with a reader of its own: path, query, headers,
 * cookies, body and credentials have to be those that the operation has for the arguments of the call.
 */
final class ApiStub implements AutoCloseable {
    private static final List<String> METHODS = List.of("get", "put", "post", "delete", "patch");

    private final JsonNode document;
    private final Map<String, Operation> operations = new LinkedHashMap<>();
    private final LocalHttp server;
    private volatile JsonNode arguments = JsonNodeFactory.instance.objectNode();
    private final List<String> called = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    /** An operation with its parameters by place and name. */
    record Operation(String id, String method, String path, Map<String, JsonNode> parameters, JsonNode body) {}

    ApiStub(String text) throws IOException {
        var settings = LoadSettings.builder().setCodePointLimit(1 << 24).build();
        document = JsonMapper.shared().valueToTree(new Load(settings).loadFromString(text));
        document.path("paths").properties().forEach(path -> METHODS.forEach(method -> add(path.getKey(), method)));
        server = new LocalHttp("/", this::serve);
    }

    private void add(String path, String method) {
        var item = document.path("paths").path(path);
        var written = item.path(method);
        if (written.isMissingNode()) {
            return;
        }
        var parameters = new LinkedHashMap<String, JsonNode>();
        Stream.concat(
                        item.path("parameters").valueStream(),
                        written.path("parameters").valueStream())
                .map(this::resolved)
                .forEach(one -> parameters.put(
                        one.path("in").asString() + " " + one.path("name").asString(), one));
        var id = written.path("operationId").asString();
        operations.put(
                id,
                new Operation(
                        id, method.toUpperCase(Locale.ROOT), path, parameters, resolved(written.path("requestBody"))));
    }

    JsonNode resolved(JsonNode node) {
        var at = node;
        while (at.path("$ref").isString()) {
            at = document.at(at.path("$ref").stringValue().substring(1));
        }
        return at;
    }

    Map<String, Operation> operations() {
        return operations;
    }

    String origin() {
        return server.origin();
    }

    /** The arguments of the next call. */
    void expect(JsonNode next) {
        arguments = next;
    }

    synchronized List<String> called() {
        return List.copyOf(called);
    }

    synchronized List<String> faults() {
        return List.copyOf(faults);
    }

    private void serve(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody().readAllBytes();
        var path = exchange.getRequestURI().getRawPath();
        var matching = operations.values().stream()
                .filter(one -> one.method().equals(exchange.getRequestMethod()))
                .filter(one -> Pattern.matches(regex(one.path()), path))
                .min((a, b) -> slots(a.path()) - slots(b.path()));
        synchronized (this) {
            if (matching.isEmpty()) {
                faults.add("no operation: " + exchange.getRequestMethod() + " " + path);
            } else {
                called.add(matching.get().id());
                try {
                    judge(matching.get(), exchange, new String(body, UTF_8));
                } catch (RuntimeException e) {
                    faults.add(matching.get().id() + ": " + e);
                }
            }
        }
        var answer = "{\"operation\":\"" + matching.map(Operation::id).orElse("") + "\"}";
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(matching.isEmpty() ? 404 : 200, answer.length());
        exchange.getResponseBody().write(answer.getBytes(UTF_8));
        exchange.close();
    }

    private static int slots(String path) {
        return path.split("\\{", -1).length;
    }

    private static String regex(String path) {
        var text = path.replaceAll("\\{[^}]*}", "\0");
        return "/v1" + Pattern.quote(text).replace("\0", "\\E([^/]*)\\Q");
    }

    private void judge(Operation one, HttpExchange exchange, String body) {
        var sent = new LinkedHashMap<String, Object>();
        var wanted = new LinkedHashMap<String, Object>();
        sent.put("credentials", exchange.getRequestHeaders().getFirst("Authorization"));
        wanted.put("credentials", "Bearer secret");
        path(one, exchange.getRequestURI().getRawPath(), sent, wanted);
        sent.put("query", fields(exchange.getRequestURI().getRawQuery()));
        var query = new ArrayList<String>();
        one.parameters().forEach((place, parameter) -> {
            var value = argument(parameter);
            if (place.startsWith("query ") && !value.isMissingNode()) {
                query.addAll(written(parameter, value));
            } else if (place.startsWith("header ")) {
                sent.put(place, exchange.getRequestHeaders().getFirst(place.substring(7)));
                wanted.put(place, value.isMissingNode() ? null : listed(value));
            } else if (place.startsWith("cookie ")) {
                sent.put(place, exchange.getRequestHeaders().getFirst("Cookie"));
                wanted.put(place, place.substring(7) + "=" + value.asString());
            }
        });
        wanted.put("query", query.stream().sorted().toList());
        body(one, exchange.getRequestHeaders().getFirst("Content-Type"), body, sent, wanted);
        if (!sent.equals(wanted)) {
            faults.add(one.id() + ": " + sent + " and not " + wanted);
        }
    }

    private JsonNode argument(JsonNode parameter) {
        return arguments.path(parameter.path("name").asString().replaceAll("[^A-Za-z0-9_-]+", "_"));
    }

    private void path(Operation one, String path, Map<String, Object> sent, Map<String, Object> wanted) {
        var names = Pattern.compile("\\{([^}]*)}").matcher(one.path()).results().toList();
        var found = Pattern.compile(regex(one.path())).matcher(path);
        if (found.matches()) {
            for (int i = 0; i < names.size(); i++) {
                var name = names.get(i).group(1);
                sent.put("path " + name, decoded(found.group(i + 1)));
                wanted.put("path " + name, listed(argument(one.parameters().get("path " + name))));
            }
        }
    }

    private void body(Operation one, String type, String body, Map<String, Object> sent, Map<String, Object> wanted) {
        var value = arguments.path("body");
        if (value.isMissingNode()) {
            sent.put("body", body);
            wanted.put("body", "");
            return;
        }
        var types = one.body().path("content").propertyNames();
        sent.put("type", types.stream().anyMatch(name -> type.startsWith(name)));
        wanted.put("type", true);
        if (type.contains("json")) {
            sent.put("body", JsonMapper.shared().readTree(body));
            wanted.put("body", value);
        } else if (type.startsWith("multipart/")) {
            var missing = value.propertyNames().stream()
                    .filter(name -> !body.contains("name=\"" + name + "\""))
                    .toList();
            sent.put("parts that are missing", missing);
            wanted.put("parts that are missing", List.of());
        } else if (type.contains("form")) {
            var all = new ArrayList<String>();
            value.properties().forEach(field -> each(field.getKey(), field.getValue(), all));
            sent.put("body", fields(body));
            wanted.put("body", all.stream().sorted().toList());
        } else {
            sent.put("body", body);
            wanted.put("body", value.asString());
        }
    }

    /** The decoded fields of a query or a form, sorted. */
    private static List<String> fields(String text) {
        return text == null || text.isEmpty()
                ? List.of()
                : Stream.of(text.split("&")).map(ApiStub::decoded).sorted().toList();
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
    }

    /** The fields that a parameter has in the query, by the table of styles of OpenAPI. */
    private List<String> written(JsonNode parameter, JsonNode value) {
        var name = parameter.path("name").asString();
        var style = parameter.path("style").asString("form");
        boolean isExploded = parameter.path("explode").asBoolean(style.equals("form"));
        var all = new ArrayList<String>();
        if (style.equals("deepObject")) {
            value.properties().forEach(field -> each(name + "[" + field.getKey() + "]", field.getValue(), all));
        } else if (!isExploded && value.isContainer()) {
            var between = Map.of("form", ",", "spaceDelimited", " ", "pipeDelimited", "|")
                    .get(style);
            all.add(name + "=" + listed(value).replace(",", between));
        } else if (value.isObject()) {
            value.properties().forEach(field -> each(field.getKey(), field.getValue(), all));
        } else {
            each(name, value, all);
        }
        return all;
    }

    private static void each(String name, JsonNode value, List<String> into) {
        if (value.isArray()) {
            value.forEach(item -> into.add(name + "=" + text(item)));
        } else {
            into.add(name + "=" + text(value));
        }
    }

    private static String listed(JsonNode value) {
        var items = new ArrayList<String>();
        if (value.isArray()) {
            value.forEach(item -> items.add(text(item)));
        } else if (value.isObject()) {
            value.properties().forEach(field -> items.addAll(List.of(field.getKey(), text(field.getValue()))));
        } else {
            items.add(text(value));
        }
        return String.join(",", items);
    }

    private static String text(JsonNode value) {
        return value.isString() ? value.stringValue() : value.toString();
    }

    @Override
    public void close() {
        server.close();
    }
}
