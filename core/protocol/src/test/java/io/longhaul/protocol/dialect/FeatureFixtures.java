// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Call.Subscription;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Listing;
import io.longhaul.protocol.call.CallResponse.OfTasks;
import io.longhaul.protocol.call.CallResponse.Offer;
import io.longhaul.protocol.call.CallResponse.Resources;
import io.longhaul.protocol.call.CallResponse.ServerProfile;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.CallResponse.ToolInfo;
import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What transcripts name of tools, resources, prompts and completion. */
final class FeatureFixtures {

    private static final String ICONS = "\"icons\":[{\"src\":\"https://example.com/i.png\"}]";
    private static final Freshness HOUR = new Freshness(Duration.ofHours(1), true);

    private FeatureFixtures() {}

    static Optional<CallResponse> answer(String name) {
        return Optional.ofNullable(
                switch (name) {
                    case "opened-with-all" -> new CallResponse.Opened("2025-11-25", profile(all()));
                    case "opened-with-nothing" -> new CallResponse.Opened("2025-11-25", profile(nothing()));
                    case "opened-oldest" -> new CallResponse.Opened("2024-11-05", profile(all()));
                    case "discovered-all" -> new CallResponse.Discovered(profile(all()));
                    case "discovered-nothing" -> new CallResponse.Discovered(profile(nothing()));
                    case "rich-tool" -> new CallResponse.Tools(List.of(tool()), null, HOUR);
                    case "every-content" ->
                        new CallResponse.ToolResult(
                                Json.raw("{\"content\":[" + contents() + "],\"structuredContent\":[1,2]}"));
                    case "resources" -> listed(Listing.RESOURCES, "\"uri\":\"note://1\",\"size\":5,");
                    case "templates" -> listed(Listing.TEMPLATES, "\"uriTemplate\":\"note://{id}\",");
                    case "prompts" ->
                        listed(
                                Listing.PROMPTS,
                                "\"arguments\":[{\"name\":\"city\",\"title\":\"City\",\"required\":true}],");
                    case "contents" ->
                        new CallResponse.ResourceRead(
                                Json.raw("[{\"uri\":\"note://1\",\"mimeType\":\"text/plain\",\"text\":\"hello\"},"
                                        + "{\"uri\":\"note://1\",\"blob\":\"AQID\"}]"),
                                HOUR);
                    case "prompt" ->
                        new CallResponse.PromptResult(Json.raw("{\"messages\":["
                                + "{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Plan\"}},"
                                + "{\"role\":\"assistant\",\"content\":" + link() + "}]}"));
                    case "completions" -> new CallResponse.Completions(List.of("Paris", "Parma"), 2);
                    case "many-completions" ->
                        new CallResponse.Completions(
                                IntStream.range(0, 101)
                                        .mapToObj(Integer::toString)
                                        .toList(),
                                101);
                    case "unknown-resource" -> new CallResponse.Refused(new Refusal.UnknownResource("note://9"));
                    case "unknown-prompt" -> new CallResponse.Refused(new Refusal.UnknownPrompt("nope"));
                    case "no-such-method" -> new CallResponse.Refused(new Refusal.NoSuchMethod("prompts/list"));
                    default -> null;
                });
    }

    static @Nullable Notice notice(String name) {
        return switch (name) {
            case "prompts-changed" -> new Notice.PromptsChanged();
            case "resources-changed" -> new Notice.ResourcesChanged();
            case "resource-updated" -> new Notice.ResourceUpdated("note://1");
            case "subscribed-to-all" ->
                new Notice.Subscribed(new Subscription(true, true, true, List.of("note://1"), List.of()));
            default -> null;
        };
    }

    private static ServerProfile profile(Offer offer) {
        return new ServerProfile(
                MessageWriter.implementation("reports", "1.0"), null, new OfTasks(false, Duration.ofDays(7)), offer);
    }

    private static Offer all() {
        return new Offer(true, Resources.WATCHED, true, true, true, Map.of("com.example/x", Json.raw("{\"level\":2}")));
    }

    private static Offer nothing() {
        return new Offer(false, Resources.NONE, false, false, true, Map.of());
    }

    private static ToolInfo tool() {
        return new ToolInfo(
                Json.raw("{\"name\":\"report\",\"title\":\"Report\",\"inputSchema\":{\"type\":\"object\"},"
                        + "\"outputSchema\":{\"type\":\"array\"},\"annotations\":{\"readOnlyHint\":true}," + ICONS
                        + "}"),
                TaskMode.NEVER);
    }

    private static CallResponse listed(Listing what, String own) {
        return new CallResponse.Listed(
                what, List.of(Json.raw("{" + own + "\"name\":\"one\",\"title\":\"One\"," + ICONS + "}")), "next", HOUR);
    }

    private static String contents() {
        return "{\"type\":\"text\",\"text\":\"hi\",\"annotations\":{\"audience\":[\"user\"],\"priority\":1}},"
                + "{\"type\":\"image\",\"data\":\"AQID\",\"mimeType\":\"image/png\"},"
                + "{\"type\":\"audio\",\"data\":\"AQID\",\"mimeType\":\"audio/wav\"}," + link() + ","
                + "{\"type\":\"resource\",\"resource\":{\"uri\":\"note://1\",\"text\":\"hello\"}}";
    }

    private static String link() {
        return "{\"type\":\"resource_link\",\"uri\":\"note://1\",\"name\":\"one\",\"description\":\"The first\"}";
    }
}
