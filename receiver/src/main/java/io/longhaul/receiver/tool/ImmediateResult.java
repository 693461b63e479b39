package io.longhaul.receiver.tool;

import io.longhaul.protocol.json.Json;
import org.jspecify.annotations.Nullable;

/** What a model may be told at once of a call that takes long. Thread-safe. */
@FunctionalInterface
public interface ImmediateResult {

    /** Nothing. */
    ImmediateResult NONE = arguments -> null;

    /** An array of content for a call with these arguments, or null for nothing. Must not throw. */
    @Nullable
    Json of(Json arguments);
}
