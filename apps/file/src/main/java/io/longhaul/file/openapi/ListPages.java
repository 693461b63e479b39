// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.openapi;

import io.longhaul.file.openapi.ApiDocument.Place;
import io.longhaul.file.tree.YamlTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Finds how a GET of a list goes on, by the schema of its answer and the names that APIs agree on. */
record ListPages(ApiDocument document, ApiSchemas schemas) {
    private static final List<String> TOKENS =
            List.of("nextpagetoken", "nextcursor", "nexttoken", "nextpage", "continuationtoken", "endcursor", "cursor");
    private static final List<String> ADDRESSES =
            List.of("next", "nextlink", "odatanextlink", "nexturl", "nextpageurl", "nextpageuri");
    private static final List<String> TAKERS = List.of(
            "pagetoken",
            "nextpagetoken",
            "cursor",
            "nextcursor",
            "nexttoken",
            "continuationtoken",
            "after",
            "startingafter",
            "pagecursor",
            "token",
            "page");

    /** The fields {@code pages:} of a list; empty where the answer is none. */
    Optional<ObjectNode> of(Place answer, Set<String> queried) {
        var schema = document.resolved(answer);
        var pages = JsonNodeFactory.instance.objectNode();
        if (isList(schema)) {
            return Optional.of(pages.put("items", ""));
        }
        var fields = new LinkedHashMap<String, Place>();
        schemas.fields(schema).forEach((name, field) -> {
            var at = YamlTree.below("", name);
            fields.put(at, field);
            schemas.fields(field).forEach((inner, value) -> fields.putIfAbsent(YamlTree.below(at, inner), value));
        });
        var lists = fields.entrySet().stream()
                .filter(field -> field.getKey().lastIndexOf('/') == 0 && isList(document.resolved(field.getValue())))
                .map(Map.Entry::getKey)
                .toList();
        if (lists.size() != 1) {
            return Optional.empty();
        }
        pages.put("items", lists.get(0));
        var taker = first(TAKERS, queried);
        var token = taker.flatMap(name -> first(TOKENS, fields.keySet()));
        token.or(() -> first(ADDRESSES, fields.keySet())).ifPresent(next -> pages.put("next", next));
        token.ifPresent(next -> pages.put("query", taker.orElseThrow()));
        return Optional.of(pages);
    }

    private static boolean isList(Place schema) {
        return schema.text("type").equals("array");
    }

    /** The first of these names, or of fields that end with it, in any spelling. */
    private static Optional<String> first(List<String> wanted, Set<String> names) {
        return wanted.stream()
                .flatMap(word -> names.stream().filter(name -> plain(name).equals(word)))
                .findFirst();
    }

    private static String plain(String name) {
        return name.replaceFirst(".*/", "").replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }
}
