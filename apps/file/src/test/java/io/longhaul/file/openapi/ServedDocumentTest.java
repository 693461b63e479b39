// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.file.FilePlace;
import io.longhaul.file.ServerFile;
import io.longhaul.server.McpServer;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Documents of more than a hundred operations are served, and each operation is called at an API that judges it. */
class ServedDocumentTest {

    /** The document of a workflow engine's API, in an artifact that only this test uses. */
    private static final String PUBLIC = "/rest-api.yaml";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    @TempDir
    Path folder;

    @Test
    void each_operation_of_a_public_document_is_called() throws Exception {
        try (var in = ServedDocumentTest.class.getResourceAsStream(PUBLIC)) {
            assertThat(in).as("zeebe-gateway-protocol on the class path").isNotNull();
            served(new String(in.readAllBytes(), UTF_8), "BearerAuth", 146);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.0.3", "3.1.0"})
    void each_style_of_120_operations_is_called(String version) throws Exception {
        served(made(version), "token", 120);
    }

    private void served(String document, String scheme, int count) throws Exception {
        Files.writeString(folder.resolve("api.yaml"), document);
        var secret = Files.writeString(folder.resolve("token"), "secret");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        try (var stub = new ApiStub(document)) {
            var file = ServerFile.read(
                    Files.writeString(folder.resolve("tools.yaml"), """
                        openapi: {file: api.yaml, server: "%s/v1", auth: {%s: {file: token}}}
                        """.formatted(stub.origin(), scheme)));
            assertThat(file.tools()).hasSize(count).hasSize(stub.operations().size());
            var http = Http.onPort(0);
            var place = FilePlace.of(SqliteTaskStore.at(folder.resolve("tasks.db")), folder.resolve("jobs"));
            try (var tools = file.addTo(McpServer.builder("api", "1.0"), place, http)) {
                tools.serve(http);
                try (var client = McpClient.to(http.url()).connect()) {
                    callEach(client, stub);
                }
            }
        }
    }

    private static void callEach(McpClient client, ApiStub stub) throws InterruptedException {
        var named = client.tools().stream()
                .filter(tool -> stub.operations().containsKey(tool.name()))
                .toList();
        assertThat(named).hasSize(stub.operations().size());
        var answers = new ArrayList<String>();
        for (var tool : named) {
            var schema = JsonMapper.shared().readTree(tool.inputSchema().toString());
            for (boolean isWhole : List.of(true, false)) {
                var arguments = new Values(schema, isWhole).of(schema);
                stub.expect(arguments);
                var outcome = client.call(tool.name(), arguments).await();
                if (!(outcome instanceof CallOutcome.ToolResult result)
                        || !result.toString().contains(tool.name())) {
                    answers.add(tool.name() + " " + arguments + ": " + outcome);
                }
            }
        }
        assertThat(answers.stream().map(text -> text.substring(0, Math.min(text.length(), 900))))
                .isEmpty();
        assertThat(stub.faults()).isEmpty();
        assertThat(stub.called())
                .hasSize(2 * named.size())
                .containsAll(stub.operations().keySet());
    }

    /** Twenty operations of each of six kinds. */
    private static String made(String version) {
        var paths = IntStream.range(0, 20).mapToObj(i -> """
              /things%1$d:
                get:
                  operationId: list%1$d
                  parameters:
                    - {name: 'tags[]', in: query, schema: {type: array, items: {type: string}}}
                    - {name: ids, in: query, explode: false, schema: {type: array, items: {type: integer}}}
                    - {name: words, in: query, style: spaceDelimited, schema: {type: array, items: {type: string}}}
                    - {name: pipes, in: query, style: pipeDelimited, schema: {type: array, items: {type: string}}}
                    - {name: filter, in: query, style: deepObject, explode: true,
                       schema: {$ref: '#/components/schemas/Filter'}}
                    - {name: point, in: query,
                       schema: {type: object, properties: {x: {type: number}, y: {type: number}}}}
                    - {name: where, in: query, explode: false, schema: {$ref: '#/components/schemas/Filter'}}
                post:
                  operationId: make%1$d
                  requestBody:
                    {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
              /things%1$d/{thing.id}/of/{ids}:
                parameters:
                  - {name: thing.id, in: path, required: true, schema: {type: string, example: 'a/b c?dé'}}
                  - {name: ids, in: path, required: true, schema: {type: array, items: {type: integer}}}
                put:
                  operationId: put%1$d
                  parameters:
                    - {name: X-List, in: header, schema: {type: array, items: {type: string}}}
                    - {name: theme, in: cookie, required: true, schema: {type: string, enum: [dark]}}
                  requestBody:
                    {content: {application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Form'}}}}
                patch:
                  operationId: patch%1$d
                  requestBody: {content: {application/merge-patch+json: {schema: {type: object}}}}
                delete: {operationId: delete%1$d}
              /files%1$d:
                post:
                  operationId: upload%1$d
                  requestBody: {content: {multipart/form-data: {schema: {$ref: '#/components/schemas/File'}}}}
            """.formatted(i)).collect(Collectors.joining());
        return "openapi: " + version + "\n" + """
            security: [{token: []}]
            components:
              securitySchemes: {token: {type: http, scheme: bearer}}
              schemas:
                Filter: {type: object, properties: {name: {type: string}, kinds: {type: string, enum: ['a&b=c', d]}}}
                Thing:
                  type: object
                  required: [name]
                  properties:
                    id: {type: integer, readOnly: true}
                    name: {type: string}
                    parts: {type: array, items: {$ref: '#/components/schemas/Thing'}}
                Form: {type: object, properties: {a: {type: string}, list: {type: array, items: {type: string}}}}
                File: {type: object, required: [data],
                   properties: {name: {type: string}, data: {type: string, format: binary}}}
            paths:
            """ + paths;
    }

    /** Values that a schema allows: with all fields, or only with those that are required. */
    private record Values(JsonNode root, boolean isWhole) {
        private static final List<String> TEXTS =
                List.of("a b/+", "1", "a-1", "aaaa", "2026-01-02T03:04:05Z", "http://a.example/x");

        JsonNode of(JsonNode schema) {
            return of(schema, 0);
        }

        private JsonNode of(JsonNode schema, int depth) {
            if (schema.path("$ref").isString()) {
                return of(root.at(schema.path("$ref").stringValue().substring(1)), depth + 1);
            }
            for (var list : List.of("enum", "examples")) {
                if (schema.path(list).has(0)) {
                    return schema.path(list).get(0);
                }
            }
            if (schema.path("allOf").has(0)) {
                return allOf(schema, depth);
            }
            if (schema.path("anyOf").has(0)) {
                var first = of(schema.path("anyOf").get(0), depth + 1);
                return first.isObject() ? object(schema, depth).setAll((ObjectNode) first) : first;
            }
            var type = schema.path("type").isArray() ? schema.path("type").get(0) : schema.path("type");
            return switch (type.asString(schema.has("properties") ? "object" : "string")) {
                case "object" -> object(schema, depth);
                case "array" -> array(schema, depth);
                case "integer", "number" ->
                    JSON.numberNode(Math.max(7, schema.path("minimum").asInt(0)) % 1_000);
                case "boolean" -> JSON.booleanNode(true);
                default -> text(schema);
            };
        }

        private JsonNode allOf(JsonNode schema, int depth) {
            var all = schema.path("allOf")
                    .valueStream()
                    .map(part -> of(part, depth + 1))
                    .toList();
            if (all.stream().anyMatch(part -> !part.isObject())) {
                return all.getFirst();
            }
            var merged = object(schema, depth);
            all.forEach(part -> merged.setAll((ObjectNode) part));
            return merged;
        }

        private ObjectNode object(JsonNode schema, int depth) {
            var object = JSON.objectNode();
            var required = schema.path("required")
                    .valueStream()
                    .map(JsonNode::asString)
                    .toList();
            schema.path("properties").properties().forEach(field -> {
                if (required.contains(field.getKey()) || isWhole && depth < 6) {
                    object.set(field.getKey(), of(field.getValue(), depth + 1));
                }
            });
            required.stream().filter(name -> !object.has(name)).forEach(name -> object.put(name, "aaaa"));
            return object;
        }

        private JsonNode array(JsonNode schema, int depth) {
            var array = JSON.arrayNode();
            int count = Math.max(depth < 6 ? 2 : 0, schema.path("minItems").asInt(0));
            for (int i = 0; i < count && (i == 0 || !schema.path("uniqueItems").asBoolean(false)); i++) {
                array.add(of(schema.path("items"), depth + 1));
            }
            return array;
        }

        private JsonNode text(JsonNode schema) {
            if (schema.path("contentEncoding").asString("").equals("base64")) {
                return JSON.stringNode("aGVsbG8=");
            }
            int most = schema.path("maxLength").asInt(1_000);
            return JSON.stringNode(TEXTS.stream()
                    .filter(text -> text.length() <= most
                            && text.length() >= schema.path("minLength").asInt(0))
                    .filter(text -> text.matches(".*(" + schema.path("pattern").asString("") + ").*"))
                    .findFirst()
                    .orElse("aaaaaaaaaaaaaaaa"));
        }
    }
}
