// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.transition;

import static io.longhaul.engine.task.TaskState.CANCELLED;
import static io.longhaul.engine.task.TaskState.COMPLETED;
import static io.longhaul.engine.task.TaskState.FAILED;
import static io.longhaul.engine.task.TaskState.INPUT_REQUIRED;
import static io.longhaul.engine.task.TaskState.SUBMITTED;
import static io.longhaul.engine.task.TaskState.WORKING;

import io.longhaul.engine.task.TaskState;
import java.util.List;
import java.util.Set;

/** Every legal transition, as data. {@code docs/STATES.md} is drawn from it. */
public final class TransitionTable {

    /** One legal transition: {@code command} may lead from {@code from} to {@code to}. */
    public record Row(TaskState from, CommandKind command, TaskState to) {}

    /** The states that a task may be created in. */
    public static final Set<TaskState> FIRST = Set.of(SUBMITTED, WORKING);

    private static final List<Row> ROWS = List.of(
            new Row(SUBMITTED, CommandKind.START, WORKING),
            new Row(SUBMITTED, CommandKind.CANCEL, CANCELLED),
            new Row(SUBMITTED, CommandKind.GIVE_UP, FAILED),
            new Row(SUBMITTED, CommandKind.RETAIN, SUBMITTED),
            new Row(SUBMITTED, CommandKind.HAND_BACK, SUBMITTED),
            new Row(WORKING, CommandKind.START_AGAIN, WORKING),
            new Row(WORKING, CommandKind.REPORT, WORKING),
            new Row(WORKING, CommandKind.RECORD, WORKING),
            new Row(WORKING, CommandKind.SAVE_HANDLE, WORKING),
            new Row(WORKING, CommandKind.HAND_BACK, WORKING),
            new Row(WORKING, CommandKind.ASK, INPUT_REQUIRED),
            new Row(WORKING, CommandKind.FINISH, COMPLETED),
            new Row(WORKING, CommandKind.FINISH, FAILED),
            new Row(WORKING, CommandKind.FINISH, CANCELLED),
            new Row(WORKING, CommandKind.GIVE_UP, FAILED),
            new Row(WORKING, CommandKind.TIME_OUT, COMPLETED),
            new Row(WORKING, CommandKind.TIME_OUT, FAILED),
            new Row(WORKING, CommandKind.CANCEL, CANCELLED),
            new Row(WORKING, CommandKind.RETAIN, WORKING),
            new Row(INPUT_REQUIRED, CommandKind.START_AGAIN, INPUT_REQUIRED),
            new Row(INPUT_REQUIRED, CommandKind.REPORT, INPUT_REQUIRED),
            new Row(INPUT_REQUIRED, CommandKind.RECORD, INPUT_REQUIRED),
            new Row(INPUT_REQUIRED, CommandKind.SAVE_HANDLE, INPUT_REQUIRED),
            new Row(INPUT_REQUIRED, CommandKind.HAND_BACK, INPUT_REQUIRED),
            new Row(INPUT_REQUIRED, CommandKind.ASK, INPUT_REQUIRED),
            new Row(INPUT_REQUIRED, CommandKind.ANSWER, INPUT_REQUIRED),
            new Row(INPUT_REQUIRED, CommandKind.ANSWER, WORKING),
            new Row(INPUT_REQUIRED, CommandKind.LEAVE_UNANSWERED, FAILED),
            new Row(INPUT_REQUIRED, CommandKind.FINISH, COMPLETED),
            new Row(INPUT_REQUIRED, CommandKind.FINISH, FAILED),
            new Row(INPUT_REQUIRED, CommandKind.FINISH, CANCELLED),
            new Row(INPUT_REQUIRED, CommandKind.GIVE_UP, FAILED),
            new Row(INPUT_REQUIRED, CommandKind.TIME_OUT, COMPLETED),
            new Row(INPUT_REQUIRED, CommandKind.TIME_OUT, FAILED),
            new Row(INPUT_REQUIRED, CommandKind.CANCEL, CANCELLED),
            new Row(INPUT_REQUIRED, CommandKind.RETAIN, INPUT_REQUIRED),
            new Row(COMPLETED, CommandKind.CONFIRM_STOPPED, COMPLETED),
            new Row(COMPLETED, CommandKind.RETAIN, COMPLETED),
            new Row(FAILED, CommandKind.CONFIRM_STOPPED, FAILED),
            new Row(FAILED, CommandKind.RETAIN, FAILED),
            new Row(CANCELLED, CommandKind.CONFIRM_STOPPED, CANCELLED),
            new Row(CANCELLED, CommandKind.RETAIN, CANCELLED));

    private static final Set<Row> LEGAL = Set.copyOf(ROWS);

    private TransitionTable() {}

    /** All rows, in the order of states and commands. */
    public static List<Row> rows() {
        return ROWS;
    }

    static boolean isLegal(TaskState from, CommandKind command, TaskState to) {
        return LEGAL.contains(new Row(from, command, to));
    }

    static boolean isKnown(TaskState from, CommandKind command) {
        for (Row row : ROWS) {
            if (row.from() == from && row.command() == command) {
                return true;
            }
        }
        return false;
    }
}
