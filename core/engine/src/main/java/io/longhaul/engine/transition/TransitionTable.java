// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.transition;

import static io.longhaul.engine.task.TaskState.CANCELLED;
import static io.longhaul.engine.task.TaskState.COMPLETED;
import static io.longhaul.engine.task.TaskState.FAILED;
import static io.longhaul.engine.task.TaskState.INPUT_REQUIRED;
import static io.longhaul.engine.task.TaskState.SUBMITTED;
import static io.longhaul.engine.task.TaskState.WORKING;

import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.transition.Command.Answer;
import io.longhaul.engine.transition.Command.Ask;
import io.longhaul.engine.transition.Command.Cancel;
import io.longhaul.engine.transition.Command.ConfirmStopped;
import io.longhaul.engine.transition.Command.FailAttempt;
import io.longhaul.engine.transition.Command.Finish;
import io.longhaul.engine.transition.Command.GiveUp;
import io.longhaul.engine.transition.Command.HandBack;
import io.longhaul.engine.transition.Command.LeaveUnanswered;
import io.longhaul.engine.transition.Command.Record;
import io.longhaul.engine.transition.Command.Report;
import io.longhaul.engine.transition.Command.Retain;
import io.longhaul.engine.transition.Command.SaveHandle;
import io.longhaul.engine.transition.Command.Start;
import io.longhaul.engine.transition.Command.StartAgain;
import io.longhaul.engine.transition.Command.TimeOut;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Every legal transition, as data. {@code docs/STATES.md} is drawn from it. */
public final class TransitionTable {

    /** One legal transition: {@code command} may lead from {@code from} to {@code to}. */
    public record Row(TaskState from, Class<? extends Command> command, TaskState to) {}

    /** The states that a task may be created in. */
    public static final Set<TaskState> FIRST = Set.of(SUBMITTED, WORKING);

    private static final List<Row> ROWS = Stream.of(
                    rows(SUBMITTED, SUBMITTED, Retain.class, HandBack.class),
                    rows(SUBMITTED, WORKING, Start.class),
                    rows(SUBMITTED, FAILED, GiveUp.class),
                    rows(SUBMITTED, CANCELLED, Cancel.class),
                    rows(
                            WORKING,
                            WORKING,
                            StartAgain.class,
                            FailAttempt.class,
                            Report.class,
                            Record.class,
                            SaveHandle.class,
                            HandBack.class,
                            Retain.class),
                    rows(WORKING, INPUT_REQUIRED, Ask.class),
                    rows(WORKING, COMPLETED, Finish.class, TimeOut.class),
                    rows(WORKING, FAILED, Finish.class, GiveUp.class, TimeOut.class),
                    rows(WORKING, CANCELLED, Finish.class, Cancel.class),
                    rows(
                            INPUT_REQUIRED,
                            INPUT_REQUIRED,
                            StartAgain.class,
                            FailAttempt.class,
                            Report.class,
                            Record.class,
                            SaveHandle.class,
                            HandBack.class,
                            Ask.class,
                            Answer.class,
                            Retain.class),
                    rows(INPUT_REQUIRED, WORKING, Answer.class),
                    rows(INPUT_REQUIRED, COMPLETED, Finish.class, TimeOut.class),
                    rows(INPUT_REQUIRED, FAILED, LeaveUnanswered.class, Finish.class, GiveUp.class, TimeOut.class),
                    rows(INPUT_REQUIRED, CANCELLED, Finish.class, Cancel.class),
                    rows(COMPLETED, COMPLETED, ConfirmStopped.class, Retain.class),
                    rows(FAILED, FAILED, ConfirmStopped.class, Retain.class),
                    rows(CANCELLED, CANCELLED, ConfirmStopped.class, Retain.class))
            .flatMap(rows -> rows)
            .toList();

    private static final Set<Row> LEGAL = Set.copyOf(ROWS);

    private TransitionTable() {}

    @SafeVarargs
    private static Stream<Row> rows(TaskState from, TaskState to, Class<? extends Command>... commands) {
        return Stream.of(commands).map(command -> new Row(from, command, to));
    }

    /** All rows, in the order of states. */
    public static List<Row> rows() {
        return ROWS;
    }

    static boolean isLegal(TaskState from, Class<? extends Command> command, TaskState to) {
        return LEGAL.contains(new Row(from, command, to));
    }

    static boolean isKnown(TaskState from, Class<? extends Command> command) {
        for (Row row : ROWS) {
            if (row.from() == from && row.command().equals(command)) {
                return true;
            }
        }
        return false;
    }
}
