package io.longhaul.receiver.feature;

import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the lists of a server held at some moment, as digests, so that it is known later whether they have changed.
 *
 * @param tools     empty where there were never any; likewise the others
 * @param resources of resources and templates
 */
public record ListMarks(String tools, String prompts, String resources) {

    private static final int BYTES = 9;
    private static final String NONE = "";

    static ListMarks of(Features features) {
        return new ListMarks(
                features.tools().isUsed()
                        ? digest(features.tools().all().stream().map(tool -> tool.mode() + " " + tool.definition()))
                        : NONE,
                features.prompts().isUsed()
                        ? digest(features.prompts().all().stream().map(prompt -> text(prompt.definition())))
                        : NONE,
                features.hasResources()
                        ? digest(Stream.concat(
                                features.resources().all().stream().map(resource -> text(resource.definition())),
                                features.templates().all().stream().map(template -> text(template.definition()))))
                        : NONE);
    }

    /** As they are stored. */
    public String text() {
        return tools + "." + prompts + "." + resources;
    }

    /** What {@link #text} gave. */
    public static ListMarks parse(String text) {
        String[] parts = text.split("\\.", -1);
        return parts.length == 3 ? new ListMarks(parts[0], parts[1], parts[2]) : new ListMarks(NONE, NONE, NONE);
    }

    /** What a client has to be told that knows these lists and has not heard of changes since. */
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

    private static String text(Json definition) {
        return definition.toString();
    }

    private static String digest(Stream<String> all) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            all.forEach(one -> digest.update((one + "\n").getBytes(StandardCharsets.UTF_8)));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest.digest(), BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
