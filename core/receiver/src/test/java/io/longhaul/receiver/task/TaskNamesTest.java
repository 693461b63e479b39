// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import static io.longhaul.receiver.ReceiverParts.ANN;
import static io.longhaul.receiver.ReceiverParts.BOB;
import static io.longhaul.receiver.ReceiverParts.session;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Alias;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.Round;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Trace;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.receiver.plan.Manner;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.session.Session;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The names that a task goes by. */
class TaskNamesTest {

    private static final CallerInfo CALLER = new CallerInfo(Principal.LOCAL, Set.of(), null, null, Map.of());

    private static final String REQUESTOR_TASKS = "sep-1686";
    private static final String OPERATIONS = "sep-1391";

    private final ReceiverParts parts = new ReceiverParts();
    private final TaskNames names = new TaskNames(parts.context.engine(), parts.dialects.aliases());
    private final Manner requestorTasks = parts.manner("sep-1686-next");
    private final Manner operations = parts.manner("operations-next");
    private final Manner stateless = parts.manner("tasks-2026-07-28");
    private final Session ann = session("s1", ANN);

    @AfterEach
    void close() {
        parts.close();
    }

    @Test
    void a_task_is_found_by_its_own_id_in_all_words_by_its_owner_alone() {
        Task task = parts.task(ann);
        for (Manner words : new Manner[] {requestorTasks, operations, stateless}) {
            assertThat(found(ann, words, task.id().value())).contains(task.id().value());
        }
        assertThat(found(session("s1", BOB), stateless, task.id().value())).isEmpty();
        assertThat(found(ann, stateless, "no-such-task")).isEmpty();
    }

    @Test
    void a_chosen_name_is_found_in_its_own_words_and_in_those_of_a_generation_without_chosen_names() {
        Task task = named(ann, REQUESTOR_TASKS, "report");
        assertThat(found(ann, requestorTasks, "report")).contains(task.id().value());
        assertThat(found(ann, stateless, "report")).contains(task.id().value());
        assertThat(found(ann, operations, "report")).isEmpty();
    }

    @Test
    void a_token_of_an_operation_names_its_task_also_where_it_is_deleted_with_the_method_of_another_generation() {
        Task task = named(ann, OPERATIONS, "report");
        assertThat(found(ann, requestorTasks, "report")).isEmpty();
        assertThat(names.findToDelete(ann, requestorTasks, "report"))
                .map(Task::id)
                .contains(task.id());
        Task other = named(ann, REQUESTOR_TASKS, "report");
        assertThat(names.findToDelete(ann, requestorTasks, "report"))
                .map(Task::id)
                .contains(other.id());
    }

    @Test
    void of_two_tasks_with_one_name_each_is_found_in_its_own_words_and_neither_in_others() {
        Task one = named(ann, REQUESTOR_TASKS, "report");
        Task other = named(ann, OPERATIONS, "report");
        assertThat(found(ann, requestorTasks, "report")).contains(one.id().value());
        assertThat(found(ann, operations, "report")).contains(other.id().value());
        assertThat(found(ann, stateless, "report")).isEmpty();
    }

    @Test
    void the_own_id_of_a_task_goes_before_the_chosen_name_of_another() {
        Task task = parts.task(ann);
        named(ann, REQUESTOR_TASKS, task.id().value());
        assertThat(found(ann, requestorTasks, task.id().value()))
                .contains(task.id().value());
    }

    @Test
    void the_name_that_an_anonymous_caller_chose_holds_in_its_session_and_that_of_a_known_caller_everywhere() {
        Session anonymous = session("s2", Principal.ANONYMOUS);
        named(anonymous, REQUESTOR_TASKS, "report");
        assertThat(found(anonymous, requestorTasks, "report")).isPresent();
        assertThat(found(session("s3", Principal.ANONYMOUS), requestorTasks, "report"))
                .isEmpty();
        named(ann, REQUESTOR_TASKS, "report");
        assertThat(found(session("s4", ANN), requestorTasks, "report")).isPresent();
    }

    @Test
    void a_creation_is_known_by_the_chosen_name_and_else_by_its_key() {
        var request = parts.request(ann, "sep-1686-next", 1);
        var alias = new Alias(REQUESTOR_TASKS, "key");
        String byName = TaskNames.creation(request, alias, "key");
        String byKey = TaskNames.creation(request, null, "key");
        assertThat(byName).isNotNull().isNotEqualTo(byKey).isEqualTo(TaskNames.creation(request, alias, null));
        assertThat(byKey).isNotNull();
        assertThat(TaskNames.creation(request, null, byName)).isNotEqualTo(byName);
        assertThat(TaskNames.creation(request, null, null)).isNull();
    }

    @Test
    void a_task_is_shown_under_the_name_that_was_chosen_in_the_same_words() {
        Task task = named(ann, REQUESTOR_TASKS, "report");
        assertThat(TaskNames.shown(task, REQUESTOR_TASKS)).isEqualTo("report");
        assertThat(TaskNames.shown(task, OPERATIONS)).isEqualTo(task.id().value());
        assertThat(TaskNames.shown(task, null)).isEqualTo(task.id().value());
    }

    @Test
    void a_request_that_waits_for_a_task_names_it_as_the_request_did() {
        Task task = named(ann, REQUESTOR_TASKS, "report");
        var request = parts.request(ann, "sep-1686-next", 1);
        assertThat(TaskNames.related(request, new Call.AwaitOutcome("as it was asked"), task))
                .isEqualTo("as it was asked");
        assertThat(TaskNames.related(
                        request, new Call.PollOutcome("as it was asked", null, Call.CallExtras.NONE), task))
                .isEqualTo("as it was asked");
        var alias = new Alias(REQUESTOR_TASKS, "chosen now");
        assertThat(TaskNames.related(request, call(alias), task)).isEqualTo("chosen now");
        assertThat(TaskNames.related(request, new Call.Augmented(call(null), terms(alias)), task))
                .isEqualTo("chosen now");
        assertThat(TaskNames.related(request, call(null), task)).isEqualTo("report");
    }

    private Optional<String> found(Session session, Manner words, String name) {
        return names.find(session, words, name).map(task -> task.id().value());
    }

    private Task named(Session session, String space, String name) {
        var alias = new Alias(space, name);
        var wanted = new Origin.NoticeOptions(null, null);
        var route = new Origin.Route("words", session.id(), Json.raw("1"), wanted, false, alias);
        var origin = new Origin(route, new Asking(Capabilities.NONE, true), Map.of(), CALLER, Trace.NONE);
        var request = parts.request(session, "sep-1686-next", parts.time.now().toEpochMilli());
        String key = Objects.requireNonNull(TaskNames.creation(request, alias, null));
        session.end(request.live());
        return parts.task(session, origin.toPayload(), null, new CreationKey(key, "digest"));
    }

    private static CallTool call(@Nullable Alias alias) {
        return new CallTool("t", Json.EMPTY_OBJECT, terms(alias), CallExtras.NONE, Round.FIRST);
    }

    private static TaskWish terms(@Nullable Alias alias) {
        return new TaskWish.Terms(TaskWish.Created.BESIDE_RESPONSE, Keep.From.COMPLETION, null, alias);
    }
}
