// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.plan;

import io.longhaul.receiver.question.Asking;

/** What a plan depends on beside the call and the tool: the sender of the call, and what its server has told it. */
public interface Sender {

    /** How the sender is dealt with. */
    Manner manner();

    /** What the sender can be asked. */
    Asking asking();

    /** Whether the server announces tasks. */
    boolean isOfferedTasks();

    /** Whether the server announces that calls of any tool can be tasks. */
    boolean isOfferedTasksOfAnyTool();

    /** Whether the sender can be answered part by part. */
    boolean takesParts();

    Host host();

    /** How a program waits that called a long-running tool without a word of tasks. */
    enum Host {
        /** To the end: it knows tasks, or the server never hands over a call. */
        WAITS,
        /** Until it gives up. Its same call, under the same key, gets the result. */
        COMES_AGAIN,
        /** Until it gives up. */
        GIVES_UP
    }
}
