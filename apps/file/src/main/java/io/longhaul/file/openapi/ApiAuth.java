// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.openapi;

import io.longhaul.file.openapi.ApiDocument.Place;
import io.longhaul.file.text.SimilarWord;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.YamlTree;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The credentials of requests: the security schemes of a document with the secrets of the file. */
final class ApiAuth {
    private static final String OAUTH = "/oauth";

    private final ApiDocument document;
    private final FileFields file;
    private final String at;
    private final Set<String> lacking = new TreeSet<>();

    /** @param at the place of the document in the file of tools */
    ApiAuth(ApiDocument document, FileFields file, String at) {
        this.document = document;
        this.file = file;
        this.at = at;
        var known = schemes().node().propertyNames();
        for (var name : secrets().propertyNames()) {
            if (!known.contains(name)) {
                var place = YamlTree.below(at + "/auth", name);
                var fix = known.isEmpty() ? "Write headers: for it" : SimilarWord.advice(name, known);
                file.wrongName(place, "is no security scheme of the document", fix);
            }
        }
    }

    private Place schemes() {
        return document.root().at("components", "securitySchemes");
    }

    private JsonNode secrets() {
        return file.node(at + "/auth");
    }

    /** Whether requests have secrets, which must not go to another host. */
    boolean isSecret() {
        return Stream.of("/auth", "/headers", OAUTH).anyMatch(field -> file.has(at + field));
    }

    /** Adds the credentials that an operation needs to its request. */
    void add(Place operation, ObjectNode http) {
        file.node(at + "/headers")
                .properties()
                .forEach(header -> http.withObjectProperty("headers").set(header.getKey(), header.getValue()));
        if (file.has(at + OAUTH)) {
            http.set("auth", file.node(at + OAUTH));
        }
        var own = operation.at("security");
        var needed = own.node().isMissingNode() ? document.root().at("security") : own;
        if (needed.node().isMissingNode()) {
            // Such a document does not say where its schemes are used.
            secrets().propertyNames().stream()
                    .filter(schemes().node()::has)
                    .forEach(name -> add(name, schemes(), http));
        }
        Set<String> first = null;
        for (var either : needed.members().values()) {
            var names = new LinkedHashSet<>(either.node().propertyNames());
            if (names.stream().allMatch(name -> secrets().has(name) || isGranted(name))) {
                names.stream().filter(secrets()::has).forEach(name -> add(name, either, http));
                return;
            }
            first = first == null ? names : first;
        }
        if (first != null && !file.has(at + "/headers")) {
            lacking.addAll(first);
        }
    }

    /** Whether the tokens of requests are what a scheme asks for. */
    private boolean isGranted(String name) {
        var type = document.resolved(schemes().at(name)).text("type");
        return file.has(at + OAUTH) && (type.equals("oauth2") || type.equals("openIdConnect"));
    }

    private void add(String name, Place user, ObjectNode http) {
        var scheme = document.resolved(schemes().at(name));
        var secret = secrets().path(name);
        switch (scheme.text("type") + " " + scheme.text("in")
                + scheme.text("scheme").toLowerCase(Locale.ROOT)) {
            case "apiKey header" -> http.withObjectProperty("headers").set(scheme.text("name"), secret);
            case "apiKey query" -> http.withObjectProperty("query").set(scheme.text("name"), secret);
            case "apiKey cookie" ->
                http.withObjectProperty("headers").set("Cookie", before(secret, scheme.text("name") + "="));
            case "http basic" -> {
                if (!secret.has("user")) {
                    var fix = "Write user: beside it, and env: or file: with the password";
                    file.wrong(YamlTree.below(at + "/auth", name), "is of HTTP basic, and names no user", fix);
                }
                http.withObjectProperty("headers").set("Authorization", secret);
            }
            case "http bearer", "oauth2 ", "openIdConnect " ->
                http.withObjectProperty("headers").set("Authorization", before(secret, "Bearer "));
            default ->
                document.wrong(
                        scheme.node().isMissingNode() ? user : scheme,
                        "is no security scheme that Longhaul" + " knows",
                        "Leave its operations out by exclude:, or write headers: in place of auth:");
        }
    }

    private static JsonNode before(JsonNode secret, String text) {
        return secret instanceof ObjectNode fields && !fields.has("before")
                ? fields.deepCopy().put("before", text)
                : secret;
    }

    /** Tells which credentials the chosen operations lack. */
    void finish() {
        for (var name : lacking) {
            var scheme = document.resolved(schemes().at(name));
            if (scheme.node().isMissingNode()) {
                document.wrong(document.root(), "defines no security scheme " + FileFields.quote(name), "Define it");
                continue;
            }
            var kind = (scheme.text("type") + " " + scheme.text("scheme")).strip();
            var user = kind.equals("http basic") ? "user: NAME, " : "";
            var problem = "lacks the secret of the security scheme " + FileFields.quote(name) + " (" + kind + ")";
            var fix = scheme.text("type").equals("oauth2")
                    ? "Write oauth: with issuer: and clientId:"
                    : "Write auth: {" + name + ": {" + user + "env: VARIABLE}}";
            if (isSecret()) {
                file.warn(at, problem + ", without which operations are called", fix);
            } else {
                file.wrong(at, problem, fix);
            }
        }
    }
}
