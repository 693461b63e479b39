// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

/**
 * Ends a call because a person did not approve it. The model reads the message, and lists of tasks show the task as
 * declined.
 */
public final class DeclinedException extends ToolException {

    private static final long serialVersionUID = 1L;

    public DeclinedException(String message) {
        super(message);
    }

    static DeclinedException of(String question, ElicitResult.Action action) {
        var words = action == ElicitResult.Action.DECLINE ? "was declined" : "was dismissed without an answer";
        return new DeclinedException("The question \"" + question + "\" " + words + ", so that the call has ended.");
    }
}
