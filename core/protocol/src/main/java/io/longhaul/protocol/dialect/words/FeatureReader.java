// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.Round;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.Params;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads requests for resources, prompts and completion, which all revisions spell alike. */
public final class FeatureReader {

    private final @Nullable String levelKey;
    private final boolean rounds;

    /**
     * Makes a reader.
     *
     * @param levelKey as of {@link CallReader#callTool}
     * @param rounds   whether a call can be repeated with answers
     */
    public FeatureReader(@Nullable String levelKey, boolean rounds) {
        this.levelKey = levelKey;
        this.rounds = rounds;
    }

    public Call listResources(Params params) {
        return new Call.ListResources(params.optionalString("cursor"));
    }

    public Call listTemplates(Params params) {
        return new Call.ListTemplates(params.optionalString("cursor"));
    }

    public Call readResource(Params params) {
        return new Call.ReadResource(params.string("uri"), extras(params), round(params));
    }

    public Call listPrompts(Params params) {
        return new Call.ListPrompts(params.optionalString("cursor"));
    }

    public Call getPrompt(Params params) {
        return new Call.GetPrompt(params.string("name"), strings(params, "arguments"), extras(params), round(params));
    }

    public Call complete(Params params) {
        params.object("ref");
        params.object("argument");
        var argument = params.inner("argument");
        return new Call.Complete(
                reference(params.inner("ref")),
                argument.string("name"),
                argument.string("value"),
                strings(params.inner("context"), "arguments"));
    }

    private static Call.Completed reference(Params ref) {
        return switch (ref.string("type")) {
            case "ref/prompt" -> new Call.Completed.Prompt(ref.string("name"));
            case "ref/resource" -> new Call.Completed.Template(ref.string("uri"));
            default -> ref.fail("type", "must be ref/prompt or ref/resource");
        };
    }

    private CallExtras extras(Params params) {
        return CallReader.extras(params, levelKey);
    }

    private Round round(Params params) {
        return rounds ? CallReader.round(params) : Round.FIRST;
    }

    /** The strings of an object. A null counts as absent. */
    private static Map<String, String> strings(Params params, String name) {
        var inner = params.inner(name);
        Map<String, String> strings = new LinkedHashMap<>();
        inner.asMap().forEach((key, value) -> {
            switch (value.kind()) {
                case STRING -> strings.put(key, JsonReader.text(value));
                case NULL -> {}
                default -> inner.fail(key, "must be a string");
            }
        });
        return strings;
    }
}
