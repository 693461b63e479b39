// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.openapi;

import io.longhaul.file.openapi.ApiDocument.Place;
import io.longhaul.file.openapi.OperationTool.Operation;
import io.longhaul.file.text.SimilarWord;
import io.longhaul.file.tree.ConfigException;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import io.longhaul.protocol.NamePattern;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Adds the tools of {@code openapi:} to a file of tools, as if its author had written them. */
public final class ApiTools {
    private static final String AT = "/openapi";
    private static final List<String> METHODS = List.of("get", "put", "post", "delete", "patch");
    private static final int LONGEST_NAME = 64;
    private static final int USUAL_PAGES = 10;

    /** The fields of a tool that a quick one cannot have. */
    private static final List<String> OF_LONG =
            List.of("quick", "approve", "elicit", "immediate", "resume", "suspendAfter", "taskOnly", "longWhen");

    private final FileFields file;
    private final String at;
    private final ApiDocument document;
    private final ApiAuth auth;
    private final String base;
    private final Map<JsonNode, YamlTree.Spot> written;

    private ApiTools(FileFields file, String at, Path folder) {
        this.file = file;
        this.at = at;
        this.document =
                new ApiDocument(folder.resolve(file.text(at + "/file", "")).normalize(), file.mistakes());
        this.auth = new ApiAuth(document, file, at);
        this.base = base(document.root()).orElse("");
        this.written = file.tree().places(at);
    }

    /**
     * Adds the tools of all documents that the file names.
     *
     * @return the documents with the files that they refer to
     */
    public static Set<Path> add(FileFields file, Path folder) {
        var documents = new LinkedHashSet<Path>();
        for (var at : file.places(AT).filter(at -> file.has(at + "/file")).toList()) {
            documents.add(folder.resolve(file.text(at + "/file", "")).normalize());
            try {
                var tools = new ApiTools(file, at, folder);
                if (tools.isDocument()) {
                    tools.add();
                }
                documents.addAll(tools.document.files());
            } catch (ConfigException e) {
                e.mistakes().forEach(file.mistakes()::add);
            }
        }
        return documents;
    }

    private boolean isDocument() {
        var root = document.root();
        if (!root.text("openapi").matches("3\\.[01](\\..*)?")) {
            var version = root.node().has("swagger") ? "of Swagger 2" : "no document of OpenAPI 3.0 or 3.1";
            document.wrong(root, "is " + version, "Convert it to OpenAPI 3.0");
            return false;
        }
        if (base.isEmpty() && !file.isTakenOut(at + "/server")) {
            var fix = "Write server: with its address, such as https://api.example.com/v1";
            file.lacks(at, "names a document that does not say where the API is", fix);
        }
        return !base.isEmpty();
    }

    private void add() {
        var all = operations();
        var include = file.texts(at + "/include");
        var exclude = file.texts(at + "/exclude");
        for (var field : List.of("include", "exclude", "long")) {
            file.places(at + "/" + field)
                    .filter(place -> all.keySet().stream()
                            .noneMatch(name -> NamePattern.matches(List.of(file.text(place, "")), name)))
                    .forEach(place -> file.wrong(
                            place,
                            "is no operation of the document",
                            SimilarWord.advice(file.text(place, ""), all.keySet())));
        }
        file.node(at + "/tools").propertyNames().stream()
                .filter(name -> !all.containsKey(name))
                .forEach(name -> file.wrongName(
                        YamlTree.below(at + "/tools", name),
                        "is no operation of the document",
                        SimilarWord.advice(name, all.keySet())));
        var chosen = new LinkedHashMap<>(all);
        chosen.keySet()
                .removeIf(name -> !include.isEmpty() && !NamePattern.matches(include, name)
                        || NamePattern.matches(exclude, name));
        if (chosen.isEmpty() && file.mistakes().all().isEmpty()) {
            file.lacks(at, "leaves no operation", "Write another include: or exclude:");
        }
        chosen.forEach(this::add);
        auth.finish();
    }

    /** The operations by their names: valid ones, each once. */
    private Map<String, Operation> operations() {
        var operations = new LinkedHashMap<String, Operation>();
        var ids = new HashSet<String>();
        document.root().at("paths").members().forEach((path, written) -> {
            var item = document.resolved(written);
            METHODS.stream().map(item::at).filter(one -> one.node().isObject()).forEach(one -> {
                var method = one.pointer().replaceFirst(".*/", "");
                var id = one.node().path("operationId").asString(method + path);
                var clean = id.replaceAll("[^A-Za-z0-9_-]+", "_").replaceAll("^_+|_+$", "");
                var name = clean.substring(0, Math.min(clean.length(), LONGEST_NAME));
                for (int i = 2; name.isEmpty() || operations.containsKey(name); i++) {
                    name = clean.substring(0, Math.min(clean.length(), LONGEST_NAME - 4)) + "_" + i;
                }
                if (!ids.add(id)) {
                    var problem = "has the operationId of another operation, and is named " + FileFields.quote(name);
                    document.warn(one, problem, "Give each operation its own");
                }
                operations.put(name, new Operation(method.toUpperCase(Locale.ROOT), path, item, one));
            });
        });
        return operations;
    }

    /** The address of the API for one operation, which may name one of its own. */
    private String base(Operation operation) {
        var own = Stream.of(operation.at(), operation.item())
                .filter(place -> !file.has(at + "/server")
                        && place.node().path("servers").has(0))
                .findFirst();
        var address = own.flatMap(this::base).orElse(base);
        if (own.isPresent() && auth.isSecret() && !origin(address).equals(origin(base))) {
            document.wrong(
                    own.get().at("servers"),
                    "is another host, which gets no secrets of this one",
                    "Leave the operation out by exclude:, or name the document again with server: and other secrets");
        }
        return address;
    }

    private static String origin(String address) {
        return URI.create(address.isEmpty() ? "http://localhost" : address)
                .resolve("/")
                .toString();
    }

    private Optional<String> base(Place owner) {
        var written = file.text(at + "/server");
        var server = owner.at("servers", "0");
        var address = written == null ? server.text("url") : written;
        for (var variable : server.at("variables").members().entrySet()) {
            address = address.replace(
                    "{" + variable.getKey() + "}", variable.getValue().text("default"));
        }
        return Optional.of(address.replaceFirst("/+$", ""))
                .filter(text -> FileFields.address(text).isPresent());
    }

    private void add(String own, Operation operation) {
        if (!operation.path().startsWith("/")) {
            // It would go on with the host of the server, so that secrets went to another one.
            document.wrong(operation.at(), "is below a path that does not begin with /", "Write / before the path");
            return;
        }
        var fields = file.node(YamlTree.below(at + "/tools", own));
        boolean isLong =
                OperationTool.isLong(document, operation.at()) || NamePattern.matches(file.texts(at + "/long"), own);
        var most = Objects.requireNonNullElse(file.number(at + "/pages"), USUAL_PAGES);
        int told = file.mistakes().all().size();
        var tool = new OperationTool(document, operation, base(operation)).fields(isLong, most);
        if (file.mistakes().all().size() > told) {
            return;
        }
        auth.add(operation.at(), (ObjectNode) tool.path("http"));
        if (!isLong && OF_LONG.stream().noneMatch(fields::has)) {
            tool.put("quick", true);
        }
        fields.properties().stream()
                .filter(field -> !Set.of("rename", "describe").contains(field.getKey()))
                .forEach(field -> merge(tool, field.getKey(), field.getValue()));
        if (fields.has("describe")) {
            tool.set("description", fields.get("describe"));
        }
        var name = fields.path("rename").asString(file.text(at + "/prefix", "") + own);
        add(name, tool, operation.at());
    }

    private static void merge(ObjectNode into, String name, JsonNode value) {
        if (value.isObject() && into.path(name) instanceof ObjectNode inner) {
            value.properties().forEach(field -> merge(inner, field.getKey(), field.getValue()));
        } else {
            into.set(name, value);
        }
    }

    private void add(String name, ObjectNode tool, Place operation) {
        var tree = file.tree();
        var tools = file.node("/tools");
        if (tools.has(name)) {
            var problem = "makes the tool " + FileFields.quote(name) + ", which the file has already";
            file.wrong(at, problem, "Write prefix: here, or rename: for it");
            return;
        }
        String pointer;
        if (tools instanceof ArrayNode list) {
            pointer = "/tools/" + list.size();
            list.add(tool.put("name", name));
        } else {
            pointer = YamlTree.below("/tools", name);
            ((ObjectNode) tree.root()).withObjectProperty("tools").set(name, tool);
        }
        tree.add(pointer, tool, written, operation.tree().place(operation.pointer()));
    }
}
