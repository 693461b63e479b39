// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every backend of jobs outside of the server must do, by real engines. A crash is another engine over what the
 * store has, with a backend made anew, while the world outside goes on; nothing is mocked.
 */
@Timeout(60)
public abstract class BackendContract {

    /** The system that runs the jobs, of which the servers come and go. */
    public interface Outside extends AutoCloseable {

        /** A backend as a server has it that has just started. Its jobs go on until {@link #endJobs}. */
        Backend newBackend() throws Exception;

        /** The arguments of each job. */
        default Payload request() {
            return Payload.ofText("{}");
        }

        /** What is kept of the request that makes each task. */
        default Payload origin() {
            return Payload.EMPTY;
        }

        /** Lets all jobs end well, those too that begin later. */
        void endJobs() throws Exception;

        /** Ends all jobs, and forgets that they ever were. */
        void deleteJobs() throws Exception;

        /** How many jobs were ever begun. */
        int begun() throws Exception;

        void awaitBegun(int jobs) throws Exception;

        /** Whether this is the handle of a job that is known to have begun. */
        boolean isBegun(Payload handle);

        /** How many jobs run. */
        int running() throws Exception;

        /** Fails unless so many jobs run, at once or as soon as cancels that the outside has taken are carried out. */
        default void assertRunning(int jobs) throws Exception {
            assertThat(running()).as("jobs that run").isEqualTo(jobs);
        }

        /** Whether a server finds the jobs of the server before it. Else it says that their outcome is unknown. */
        default boolean findsJobs() {
            return true;
        }

        /** Whether a job is found whose start was sent, and whose answer no server has recorded. */
        boolean findsLostStarts();

        /** Whether what is outside can be out of sight while it goes on. */
        default boolean canHide() {
            return false;
        }

        /** From now on, or from now on no more, nothing outside can be seen. */
        default void hide(boolean hidden) throws Exception {
            throw new UnsupportedOperationException("is always in sight");
        }

        /** Blocks until a look has met nothing while the outside is hidden. */
        default void awaitLook() throws Exception {}

        /** From now on starts begin their jobs, and are answered when {@link #answerStarts} is called. */
        default void holdAnswersOfStarts() {
            throw new UnsupportedOperationException("answers every start at once");
        }

        default void answerStarts() {}

        /** Whether what is outside says by itself that there is something new to see. */
        default boolean callsBack() {
            return false;
        }

        /** Calls the callback address of each job that was ever begun, and a forged address beside it. */
        default void callBack() throws Exception {
            throw new UnsupportedOperationException("never calls");
        }

        @Override
        void close() throws Exception;
    }

    @TempDir
    protected Path folder;

    private BackendWorld world;

    /** A system outside in which no job was begun. */
    protected abstract Outside outside(Path home) throws Exception;

    @BeforeEach
    void begin() throws Exception {
        world = new BackendWorld(outside(folder));
    }

    @AfterEach
    void end() throws Exception {
        world.close();
    }

    private static void assertDone(Outcome outcome) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Result.class,
                        result -> assertThat(result.isError()).isFalse());
    }

    /** A task whose job has begun, and is recorded. */
    private TaskId recorded() throws Exception {
        var task = world.create();
        world.outside.awaitBegun(1);
        world.awaitRecorded(task);
        return task;
    }

    /** What a server says of a job of the server before it that has ended well. */
    private void assertFound(Outcome outcome) {
        if (world.outside.findsJobs()) {
            assertDone(outcome);
        } else {
            assertUnknown(outcome);
        }
    }

    private static void assertUnknown(Outcome outcome) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.reason()).isEqualTo(FailureReason.INTERRUPTED));
    }

    @Test
    void a_job_is_begun_once_and_its_result_is_that_of_the_task() throws Exception {
        world.serve();
        var task = world.create();
        world.outside.awaitBegun(1);
        world.outside.endJobs();
        assertDone(world.outcome(task));
        assertThat(world.outside.begun()).isEqualTo(1);
        world.outside.assertRunning(0);
    }

    @Test
    void a_job_that_runs_when_the_server_dies_is_found_again() throws Exception {
        world.serve();
        var task = recorded();
        world.crash();
        world.crash();
        world.outside.endJobs();
        assertFound(world.outcome(task));
        assertThat(world.outside.begun()).isEqualTo(1);
    }

    @Test
    void a_job_that_ends_while_no_server_is_there_is_found_ended() throws Exception {
        world.serve();
        var task = recorded();
        world.kill();
        world.outside.endJobs();
        world.serve();
        assertFound(world.outcome(task));
        assertThat(world.outside.begun()).isEqualTo(1);
    }

    @Test
    void a_job_goes_on_where_the_server_stops_in_order_and_is_found_again() throws Exception {
        world.serve();
        var task = world.create();
        world.outside.awaitBegun(1);
        world.stop();
        world.serve();
        world.outside.endJobs();
        assertFound(world.outcome(task));
        assertThat(world.outside.begun()).isEqualTo(1);
    }

    /** The server dies around the first records of a job: before one is written, or just after. */
    @ParameterizedTest
    @ValueSource(strings = {"1 before", "1 after", "2 before", "2 after"})
    void a_job_whose_server_dies_between_its_start_and_the_record_of_it_is_not_begun_twice(String point)
            throws Exception {
        world.outside.endJobs();
        world.serveUntilHandle(point.charAt(0) - '0', point.endsWith("after"));
        var task = world.create();
        assumeTrue(world.dies(task), "so many records are not written");
        world.crash();
        var outcome = world.outcome(task);
        assertThat(world.outside.begun()).isLessThanOrEqualTo(1);
        if (outcome instanceof Outcome.Failed && !world.outside.findsLostStarts()) {
            assertUnknown(outcome);
        } else {
            assertDone(outcome);
            assertThat(world.outside.begun()).isEqualTo(1);
        }
    }

    @Test
    void a_cancel_reaches_a_job_that_runs() throws Exception {
        world.serve();
        var task = recorded();
        world.cancel(task);
        assertThat(world.awaitStopped(task).state()).isEqualTo(TaskState.CANCELLED);
        world.outside.assertRunning(0);
    }

    @Test
    void a_cancel_reaches_a_job_that_was_found_again() throws Exception {
        assumeTrue(world.outside.findsJobs());
        world.serve();
        var task = recorded();
        world.crash();
        world.cancel(task);
        assertThat(world.awaitStopped(task).state()).isEqualTo(TaskState.CANCELLED);
        world.outside.assertRunning(0);
    }

    @Test
    void a_cancel_that_its_server_did_not_live_to_carry_out_is_carried_out_by_the_next_one() throws Exception {
        assumeTrue(world.outside.findsJobs());
        world.serveWithoutStops();
        var task = recorded();
        world.cancel(task);
        world.outside.assertRunning(1);
        world.crash();
        assertThat(world.awaitStopped(task).state()).isEqualTo(TaskState.CANCELLED);
        world.outside.assertRunning(0);
    }

    @Test
    void a_cancel_of_a_job_that_is_out_of_sight_outlives_its_server_and_is_carried_out_when_it_is_seen_again()
            throws Exception {
        assumeTrue(world.outside.canHide());
        world.serve();
        var task = recorded();
        world.outside.hide(true);
        world.cancel(task);
        world.outside.awaitLook();
        world.crash();
        assertThat(world.find(task).hasEndedWork()).isFalse();
        world.outside.hide(false);
        assertThat(world.awaitStopped(task).state()).isEqualTo(TaskState.CANCELLED);
        world.outside.assertRunning(0);
        assertThat(world.outside.begun()).isEqualTo(1);
    }

    @Test
    void a_cancel_reaches_a_job_that_is_just_being_started() throws Exception {
        assumeTrue(world.outside.canHide());
        world.serve();
        world.outside.holdAnswersOfStarts();
        var task = world.create();
        world.outside.awaitBegun(1);
        world.cancel(task);
        world.outside.answerStarts();
        assertThat(world.awaitStopped(task).state()).isEqualTo(TaskState.CANCELLED);
        world.outside.assertRunning(0);
        assertThat(world.outside.begun()).isEqualTo(1);
    }

    @Test
    void a_job_that_is_out_of_sight_for_a_while_ends_as_it_ends() throws Exception {
        assumeTrue(world.outside.canHide());
        world.serve();
        var task = recorded();
        world.outside.hide(true);
        world.outside.awaitLook();
        assertThat(world.find(task).state().isTerminal()).isFalse();
        world.outside.hide(false);
        world.outside.endJobs();
        assertDone(world.outcome(task));
        assertThat(world.outside.begun()).isEqualTo(1);
    }

    @Test
    void a_job_that_somebody_deletes_outside_has_failed() throws Exception {
        world.serve();
        var task = recorded();
        world.outside.deleteJobs();
        assertThat(world.outcome(task))
                .satisfiesAnyOf(
                        outcome -> assertThat(outcome)
                                .isInstanceOfSatisfying(
                                        Outcome.Result.class,
                                        result -> assertThat(result.isError()).isTrue()),
                        outcome -> assertThat(outcome).isInstanceOf(Outcome.Failed.class));
        assertThat(world.outside.begun()).isEqualTo(1);
    }

    @Test
    void callbacks_that_come_twice_or_too_soon_or_too_late_or_are_forged_change_nothing() throws Exception {
        assumeTrue(world.outside.callsBack());
        world.serve();
        var task = world.create();
        world.outside.awaitBegun(1);
        world.outside.callBack();
        world.outside.callBack();
        world.awaitRecorded(task);
        world.outside.callBack();
        assertThat(world.find(task).state().isTerminal()).isFalse();
        world.crash();
        world.outside.callBack();
        world.outside.endJobs();
        world.outside.callBack();
        var outcome = world.outcome(task);
        assertDone(outcome);
        world.outside.callBack();
        assertThat(world.outcome(task)).isEqualTo(outcome);
        assertThat(world.outside.begun()).isEqualTo(1);
    }

    @Test
    void each_of_two_tasks_has_a_job_of_its_own() throws Exception {
        world.serve();
        var one = world.create();
        var other = world.create();
        world.outside.awaitBegun(2);
        world.awaitRecorded(one);
        world.awaitRecorded(other);
        world.cancel(one);
        world.awaitStopped(one);
        world.outside.assertRunning(1);
        world.outside.endJobs();
        assertDone(world.outcome(other));
    }
}
