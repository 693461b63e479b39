// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.plan;

import io.longhaul.receiver.question.Asking;
import java.util.function.Supplier;

/**
 * What a plan depends on beside the call and the tool: the sender of the call, and what its server has told it.
 *
 * @param manner                  how the sender is dealt with
 * @param asking                  what the sender can be asked
 * @param isOfferedTasks          whether the server announces tasks
 * @param isOfferedTasksOfAnyTool whether the server announces that calls of any tool can be tasks
 * @param takesParts              whether the sender can be answered part by part
 * @param host                    gives how the sender waits; not asked for most calls, because it costs time
 */
public record Sender(
        Manner manner,
        Asking asking,
        boolean isOfferedTasks,
        boolean isOfferedTasksOfAnyTool,
        boolean takesParts,
        Supplier<Host> host) {

    /** How a program waits that called a long-running tool without a word of tasks. */
    public enum Host {
        /** To the end: it knows tasks, or the server never hands over a call. */
        WAITS,
        /** Until it gives up. Its same call, under the same key, gets the result. */
        COMES_AGAIN,
        /** Until it gives up. */
        GIVES_UP
    }
}
