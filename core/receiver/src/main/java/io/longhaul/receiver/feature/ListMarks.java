// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonDigest;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.tool.ServedTool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/**
 * Digests of a server's lists at one moment, which later show whether the lists have changed.
 *
 * @param tools     empty where the server never had a tool; likewise the others
 * @param resources the resources and templates
 */
public record ListMarks(String tools, String prompts, String resources) {

    private static final int BYTES = 9;
    private static final String NONE = "";

    static ListMarks of(Features features) {
        var resources = Stream.concat(
                features.resources().all().stream().map(ServedResource::definition),
                features.templates().all().stream().map(ServedTemplate::definition));
        return new ListMarks(
                features.tools().isUsed()
                        ? digest(features.tools().all().stream().flatMap(ListMarks::listed))
                        : NONE,
                features.prompts().isUsed()
                        ? digest(features.prompts().all().stream().map(ServedPrompt::definition))
                        : NONE,
                features.hasResources() ? digest(resources) : NONE);
    }

    private static Stream<Json> listed(ServedTool tool) {
        return Stream.of(tool.definition(), JsonWriter.quote(tool.mode().name()));
    }

    /** The stored form. */
    public String text() {
        return tools + "." + prompts + "." + resources;
    }

    public static ListMarks parse(String text) {
        String[] parts = text.split("\\.", -1);
        return parts.length == 3 ? new ListMarks(parts[0], parts[1], parts[2]) : new ListMarks(NONE, NONE, NONE);
    }

    /** The notices for a client that knows the lists of these marks. */
    public List<Notice> changesTo(ListMarks now) {
        List<Notice> changes = new ArrayList<>();
        if (differ(tools, now.tools)) {
            changes.add(new Notice.ToolsChanged());
        }
        if (differ(prompts, now.prompts)) {
            changes.add(new Notice.PromptsChanged());
        }
        if (differ(resources, now.resources)) {
            changes.add(new Notice.ResourcesChanged());
        }
        return changes;
    }

    private static boolean differ(String known, String now) {
        return !known.isEmpty() && !known.equals(now);
    }

    private static String digest(Stream<Json> definitions) {
        var all = new JsonWriter().beginArray();
        definitions.forEach(all::raw);
        byte[] digest = JsonDigest.sha256(all.endArray().toJson());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, BYTES));
    }
}
