package io.longhaul.requestor;

import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import java.util.Optional;

/**
 * How a requestor presents itself.
 *
 * @param info     its name and version, as the object that goes into messages
 * @param answerer who answers questions
 * @param patience how long it waits
 * @param time     the clock
 * @param only     the one generation to speak, or empty for the newest that the server knows
 */
public record Settings(Json info, Answerer answerer, Patience patience, RequestorTime time, Optional<Generation> only) {

    Settings only(Generation generation) {
        return new Settings(info, answerer, patience, time, Optional.of(generation));
    }
}
