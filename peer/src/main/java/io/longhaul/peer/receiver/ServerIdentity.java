package io.longhaul.peer.receiver;

import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.json.Json;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a server says of itself.
 *
 * @param name         its name
 * @param version      its own version
 * @param instructions for a model, or null
 * @param lists        how long its lists may be kept
 * @param extensions   settings of its extensions by their ids
 */
public record ServerIdentity(
        String name, String version, @Nullable String instructions, Freshness lists, Map<String, Json> extensions) {

    public ServerIdentity {
        extensions = Collections.unmodifiableMap(new LinkedHashMap<>(extensions));
    }
}
