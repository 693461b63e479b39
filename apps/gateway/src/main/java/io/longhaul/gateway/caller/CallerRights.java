// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.caller;

import io.longhaul.engine.run.Template;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.transport.client.Authorization;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whose rights the requests to an upstream have.
 *
 * @param headers  headers with values of the caller, which the requests of a call have
 * @param own      the authorization of the gateway itself, or null
 * @param ofCaller gives the authorization of the calls of a caller; null where it is that of the gateway
 * @param logins   gives the logins of a caller, who is asked for one; null where callers do not log in
 */
public record CallerRights(
        Map<String, Template> headers,
        @Nullable Authorization own,
        @Nullable Function<CallerInfo, Authorization> ofCaller,
        @Nullable Function<CallerInfo, CallerLogin> logins) {

    public static final CallerRights NONE = new CallerRights(Map.of(), null, null, null);

    public CallerRights {
        headers = Map.copyOf(headers);
    }

    public boolean isPerCaller() {
        return !headers.isEmpty() || ofCaller != null;
    }

    /**
     * The headers of the calls of a caller.
     *
     * @param upstream the name of the upstream
     */
    public Map<String, String> filled(CallerInfo caller, String upstream) throws CallerRefusedException {
        var values = caller.values();
        var filled = new HashMap<String, String>();
        for (var header : headers.entrySet()) {
            var template = header.getValue();
            var lacking = template.slots().stream()
                    .filter(slot -> !values.containsKey(slot))
                    .findFirst();
            if (lacking.isPresent()) {
                throw new CallerRefusedException(
                        upstream,
                        "this caller has no " + lacking.get() + ". Call with an authorization that names one.");
            }
            var text = template.fill(values::get);
            boolean isLegal = text.chars().allMatch(c -> c >= ' ' && c < 0x7f);
            if (!isLegal || !text.equals(text.strip())) {
                throw new CallerRefusedException(
                        upstream, "what the authorization of this caller says cannot stand in a header.");
            }
            filled.put(header.getKey(), text);
        }
        return filled;
    }

    /** The authorization of the calls of a caller. */
    public @Nullable Authorization authorization(CallerInfo caller, String upstream) throws CallerRefusedException {
        try {
            return ofCaller == null ? own : ofCaller.apply(caller);
        } catch (IllegalArgumentException e) {
            throw new CallerRefusedException(upstream, "this caller is no user in whose name it can be called.");
        }
    }
}
