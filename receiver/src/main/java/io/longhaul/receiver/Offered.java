package io.longhaul.receiver;

import io.longhaul.protocol.call.Answer.Offer;
import io.longhaul.protocol.call.Answer.Resources;
import io.longhaul.protocol.call.Call.Subscription;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.feature.Features;
import java.util.List;
import java.util.Map;

/**
 * What a server offers, and who tells of its changes.
 *
 * @param features  what is offered
 * @param announcer tells of changes
 */
record Offered(Features features, Announcer announcer) {

    /** How many resources one stream or session may watch. */
    static final int WATCHED = 100;

    /** What of a subscription can be honoured, with the tasks that the subscriber may see. */
    Subscription honoured(Subscription wanted, List<String> tasks) {
        var resources = wanted.resources().stream()
                .distinct()
                .filter(uri -> features.resource(uri).isPresent())
                .limit(WATCHED)
                .toList();
        return new Subscription(
                wanted.toolsChanged() && features.tools().isUsed(),
                wanted.promptsChanged() && features.prompts().isUsed(),
                wanted.resourcesChanged() && features.hasResources(),
                resources,
                tasks);
    }

    private Resources resources() {
        if (features.hasWatchable()) {
            return Resources.WATCHED;
        }
        return features.hasResources() ? Resources.READ : Resources.NONE;
    }

    /** What is announced. */
    Offer offer(Map<String, Json> extensions) {
        return new Offer(
                features.tools().isUsed(),
                resources(),
                features.prompts().isUsed(),
                features.hasCompletions(),
                features.hasTasks(),
                extensions);
    }
}
