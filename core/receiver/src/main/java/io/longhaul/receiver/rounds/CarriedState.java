// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.rounds;

import io.longhaul.protocol.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state that a client carries, sealed, between the rounds of one call.
 *
 * @param task   the task that the call waits for, or null
 * @param parked the handler that waits for the answers, or null
 * @param given  answers of earlier rounds
 * @param asked  digests of all questions so far by their keys, so that no answer is taken as the answer to another
 *     question
 * @param told   the last event of the task that was told to the client; 0 for none
 */
public record CarriedState(
        @Nullable String task, @Nullable String parked, Map<String, Json> given, Map<String, String> asked, long told) {

    /** The state of a call that waits for a task, of which the client knows the events up to {@code told}. */
    public static CarriedState ofTask(String task, long told) {
        return new CarriedState(task, null, Map.of(), Map.of(), told);
    }

    static CarriedState ofParked(String parked) {
        return new CarriedState(null, parked, Map.of(), Map.of(), 0);
    }

    static CarriedState ofGiven(Map<String, Json> given) {
        return new CarriedState(null, null, given, Map.of(), 0);
    }
}
