// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.json.Json;
import org.jspecify.annotations.Nullable;

/** One thing that happened to a call. All texts come from the server and are not to be trusted on a terminal. */
public sealed interface CallUpdate {

    /** The server made a task of the call, or told how to continue the call later. */
    record Created(TaskReference reference) implements CallUpdate {}

    /**
     * Where the call stands.
     *
     * @param state    the state; a call without a task is WORKING until its end
     * @param progress null where the server told none
     * @param message  null where the server told none
     */
    record Status(
            State state,
            @Nullable ProgressView progress,
            @Nullable String message) implements CallUpdate {}

    /**
     * The call has given a part of its output, and goes on. Each part is told once: parts that came before there was a
     * listener go to the first listener. The partial output of a task of a server of Longhaul is read where there is a
     * listener, from its beginning: each piece is a part, and all parts are told before the call ends.
     *
     * <p>What a server tells a model meanwhile is such a part, too.
     *
     * @param result as the tool's own result is: {@code content} and any other members. A piece that is no text is also
     *     the {@code structuredContent}
     */
    record Part(Json result) implements CallUpdate {}

    /**
     * The server logged something for this call.
     *
     * @param logger which part of the server wrote the line, or null
     */
    record Log(String level, @Nullable String logger, String text) implements CallUpdate {}

    /**
     * Something is in the way, such as a server that does not answer; the client goes on trying. One sentence for
     * the user.
     */
    record Trouble(String what) implements CallUpdate {}
}
