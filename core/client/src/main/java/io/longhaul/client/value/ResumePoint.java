// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.value;

import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.requestor.LongCall;
import io.longhaul.requestor.plan.ClientPlanner;
import io.longhaul.requestor.plan.PartToken;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * The point from which a call that is answered part by part continues. Such a call has no id: the client repeats the
 * call with the token of the last part.
 */
public record ResumePoint(String tool, Json arguments, PartToken next) {

    private static final String TOOL = "tool";
    private static final String ARGUMENTS = "arguments";
    private static final String TOKEN = "token";
    private static final String BESIDE = "beside";
    private static final String TASK = "task";

    /** The text that stands in place of a task's id in a reference. */
    public String asId() {
        var point = JsonTree.object().put(TOOL, tool).put(TOKEN, next.token()).put(BESIDE, next.inMeta());
        point.set(ARGUMENTS, JsonTree.read(arguments));
        if (next.task() != null) {
            point.put(TASK, next.task());
        }
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(JsonTree.write(point).toString().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The point that a reference has in place of a task's id; empty where it has the id of a task.
     *
     * @throws IllegalArgumentException where a reference of a generation without ids of tasks has no such point
     */
    public static Optional<ResumePoint> of(Generation generation, String id) {
        if (ClientPlanner.longCall(generation) == LongCall.PARTS) {
            return Optional.of(parse(id));
        }
        try {
            return Optional.of(parse(id));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Reads what {@link #asId} wrote.
     *
     * @throws IllegalArgumentException with one sentence for the user when the text is no such point
     */
    static ResumePoint parse(String id) {
        try {
            var point = JsonTree.read(Base64.getUrlDecoder().decode(id));
            if (point.path(TOOL).isString()
                    && point.path(TOKEN).isString()
                    && point.path(ARGUMENTS).isObject()) {
                return new ResumePoint(
                        point.path(TOOL).stringValue(),
                        JsonTree.write(point.path(ARGUMENTS)),
                        new PartToken(
                                point.path(TOKEN).stringValue(),
                                point.path(BESIDE).asBoolean(false),
                                point.path(TASK).asString(null)));
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "This task reference is damaged; it does not say what to go on with.", e);
        }
        throw new IllegalArgumentException("This task reference does not say what to go on with.");
    }
}
