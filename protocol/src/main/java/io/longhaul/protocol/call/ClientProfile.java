package io.longhaul.protocol.call;

import io.longhaul.protocol.json.Json;

/**
 * What a client says of itself, per session or per request.
 *
 * @param version      the protocol version it speaks, as it spelled it
 * @param capabilities what it can do
 * @param info         its name and version as it gave them; for logs only, never trusted
 */
public record ClientProfile(String version, Capabilities capabilities, Json info) {

    /**
     * What a client can be asked for.
     *
     * @param form     questions that a person answers in a form
     * @param url      questions that a person answers at an address
     * @param sampling completions of its model
     * @param roots    its folders
     * @param tasks    answers that are tasks of the newest generation (declared as an extension)
     */
    public record Capabilities(boolean form, boolean url, boolean sampling, boolean roots, boolean tasks) {
        public static final Capabilities NONE = new Capabilities(false, false, false, false, false);
    }
}
