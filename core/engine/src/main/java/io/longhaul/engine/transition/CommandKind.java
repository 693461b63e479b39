// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.transition;

/** The kinds of {@link Command}: the columns of the {@link TransitionTable}. */
public enum CommandKind {
    START,
    START_AGAIN,
    REPORT,
    RECORD,
    ASK,
    ANSWER,
    LEAVE_UNANSWERED,
    SAVE_HANDLE,
    FINISH,
    GIVE_UP,
    TIME_OUT,
    CANCEL,
    CONFIRM_STOPPED,
    HAND_BACK,
    RETAIN
}
